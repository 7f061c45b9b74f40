import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser/open-browser.ts'
import {
  assertPagesAccessible,
  openPageAndSettle,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { eventually } from '../support/time/eventually.ts'
import { openProjectsService, type ProjectsService } from '../support/projects-service.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'

const HOSTILE = [
  '---',
  'title: "<img src=x onerror=window.__pwned=1>"',
  'meetingId: "../../web/sign-out"',
  '---',
  '# <script>window.__pwned=1</script> Plan',
  '<img src="http://tracker.example/x.png" onerror="window.__pwned=1">',
  '<svg onload="window.__pwned=1"><script>window.__pwned=1</script></svg>',
  '<style>@import url(http://tracker.example/x.css);</style>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
  '![picture](http://tracker.example/y.png)',
  '[one](javascript:window.__pwned=1) [two](data:text/html,<script>1</script>) [three](//tracker.example/z)',
  '<a href="javascript:window.__pwned=1" onclick="window.__pwned=1">four</a>',
  '<form action="http://tracker.example"><button>five</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img src=x onerror="window.__pwned=1">',
  'last words',
].join('\n\n')

let browser: Browser
let library: ProjectsService
let address: (path: string) => string
before(async () => {
  browser = await openBrowser()
  library = await openProjectsService()
  address = (path) => `${library.service.url}${path}`
})
after(async () => {
  await browser.close()
  await library[Symbol.asyncDispose]()
})

const look = (options = {}) => openConsoleAs(browser, library.program.ada, options)
const stored = async (place: string) => (await library.get(`/projects/${place}`)).text
const editor = (page: Page) => page.getByLabel('Text of plan.md')

test('a first document makes a project, and is edited and deleted by its name', async () => {
  await using seen = await look()
  const { page } = seen
  await openPageAndSettle(page, address('/projects'))
  await page.getByText('Projects appear when the first transcript is saved.').waitFor()
  await saveScreenshots(page, 'projects-empty')
  await page.getByRole('link', { name: 'New document' }).click()
  await page.getByLabel('Project', { exact: true }).fill('Road map')
  await page.getByLabel('Path').fill('../secret.md')
  await page.getByLabel('Text').fill('# Goals\n\nSee [the plan](notes/plan.md).')
  await page.getByRole('button', { name: 'Save the document' }).click()
  await page.getByText('Names of dots alone lead elsewhere.').first().waitFor()
  await page.getByLabel('Path').fill('README.md')
  await page.getByRole('button', { name: 'Save the document' }).click()
  await page.getByRole('heading', { name: 'Goals' }).waitFor()
  await library.put('/projects/Road%20map/documents/notes/plan.md', 'Old plan')
  await page.getByRole('link', { name: 'the plan' }).click()
  await page.waitForURL(/\/projects\/Road%20map\/notes\/plan\.md$/)
  await page.getByText('Old plan').waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  await editor(page).fill('New plan')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('plan.md is saved').waitFor()
  assert.equal(await stored('Road%20map/documents/notes/plan.md'), 'New plan')
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “plan.md”?' })
  await dialog.getByRole('button', { name: 'Delete the document' }).click()
  await page.waitForURL(/\/projects\/Road%20map$/)
  await library.holds('Road map', ['README.md'])
  assert.deepEqual(seen.pageErrors, [])
})

test('when two people edit, the second is told and loses nothing of what was typed', async () => {
  const path = '/projects/two/documents/plan.md'
  await library.put(path, 'first\r\nversion\r\n')
  await using seen = await look()
  const { page } = seen
  page.on('dialog', (dialog) => void dialog.accept())
  await openPageAndSettle(page, address('/projects/two/plan.md?view=edit'))
  await editor(page).fill('mine\nentirely\n')
  await library.put(path, 'theirs')
  await page.reload()
  await page.getByText('This is what you typed before').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('Somebody else saved “plan.md”').waitFor()
  await alert.getByLabel('The text that is there now').getByText('theirs').waitFor()
  assert.equal(await editor(page).inputValue(), 'mine\nentirely\n')
  await saveScreenshots(page, 'document-conflict')
  assert.equal(await stored('two/documents/plan.md'), 'theirs')
  await library.remove(path)
  await page.getByRole('button', { name: 'Save mine over it' }).click()
  await alert.getByText('Somebody deleted “plan.md”').waitFor()
  await page.getByRole('button', { name: 'Save mine as a new document' }).click()
  await page.getByText('plan.md is saved').waitFor()
  assert.equal(await stored('two/documents/plan.md'), 'mine\nentirely\n')
})

test('a hostile document runs nothing and asks nobody, as it is drawn and as it is written', async () => {
  const huge = `${'> '.repeat(30_000)}deep\n\n${'[x](('.repeat(20_000)}`
  library.drop('evil/plan.md', HOSTILE)
  library.drop('evil/<b>&"\'.md', HOSTILE)
  library.drop('evil/deep.md', huge)
  library.drop('evil/large.txt', 'many words '.repeat(60_000))
  library.drop('evil/page.html', `<script>window.__pwned=1</script>`)
  library.drop('evil/bytes.bin', Buffer.from([0, 1, 2, 3]))
  await library.holds('evil', [
    '<b>&"\'.md',
    'bytes.bin',
    'deep.md',
    'large.txt',
    'page.html',
    'plan.md',
  ])
  await using seen = await look()
  const { page } = seen
  const open = async (path: string, words: string) => {
    await openPageAndSettle(page, address(`/projects/evil/${path}`))
    await page.getByText(words).first().waitFor()
    assert.equal(await page.evaluate('window.__pwned'), undefined, path)
  }
  await open('plan.md', 'last words')
  assert.equal(
    await page.locator('.markdown :is(img, svg, style, iframe, form, script)').count(),
    0,
  )
  const hrefs = await page.locator('.markdown a[href]').evaluateAll((all) => all.map(String))
  assert.deepEqual(hrefs, [])
  await open('plan.md?view=raw', 'last words')
  await open(encodeURIComponent('<b>&"\'.md'), 'last words')
  await open('deep.md', 'deep')
  await open('large.txt', 'Only the beginning is shown here')
  await open('page.html', 'window.__pwned')
  await open('bytes.bin', 'This file is no text')
  assert.deepEqual(seen.blockedRequests, [])
  assert.deepEqual(seen.pageErrors, [])
})

test('a transcript leads to its meeting, and hundreds of files and odd names stay within reach', async () => {
  const { program, drop, holds } = library
  const meetingId = await program.start('practice://standup?speed=100', { project: 'many' })
  await program.reaches(meetingId)
  drop('many/100% #1? ünï.md', 'odd but read')
  for (let i = 100; i < 250; i += 1) drop(`many/notes/note ${i}.md`, `Note number ${i}`)
  // All of them: the page does not look again for files that are dropped beside it.
  for (let i = 100; i < 250; i += 50) await library.finds(`"Note number ${i + 49}"`, 1)
  await eventually(async () => ((await library.paths('many')).length === 100 ? true : null))
  await using seen = await look()
  const { page } = seen
  await openPageAndSettle(page, address('/projects/many'))
  const files = page.getByRole('navigation', { name: 'Files' })
  await files.getByRole('link', { name: '100% #1? ünï.md' }).click()
  await page.getByText('odd but read').waitFor()
  await page.reload()
  await page.getByText('odd but read').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  assert.match((await download).suggestedFilename(), /^100% #1. ünï\.md$/)
  await files.getByRole('button', { name: 'notes folder' }).press('Enter')
  await files.getByRole('link', { name: 'note 150.md' }).waitFor()
  await files.getByRole('button', { name: 'Show more files' }).click()
  await files.getByRole('link', { name: 'note 249.md' }).click()
  await page.getByText('Note number 249').waitFor()
  await page.getByRole('link', { name: 'many', exact: true }).click()
  await page.getByRole('table', { name: 'Transcripts' }).getByRole('link').first().click()
  await page.locator('.front-matter').getByText(meetingId).waitFor()
  await page.getByRole('link', { name: 'Open the meeting' }).click()
  await page.waitForURL(new RegExp(`/meetings/${meetingId}$`))
  await page.getByRole('tab', { name: 'Document' }).click()
  await page.getByRole('link', { name: 'Open in its project' }).click()
  await page.waitForURL(/\/projects\/many\/meetings\//)
  await holds('two', ['plan.md'])
})

test('the pages of projects are free of faults in both themes and fit a phone', async () => {
  const table =
    '| a | b |\n|---|---|\n| one | two |\n\n```\ncode that is quite long for a small telephone, longer than that\n```'
  await library.put(
    '/projects/looks/documents/guides/plan.md',
    `---\ntitle: A plan\nowner: [Ada, Grace]\n---\n# Plan\n\n[site](https://example.com)\n\n${table}\n`,
  )
  const pages = {
    projects: address('/projects'),
    'projects-new': address('/projects?view=new'),
    project: address('/projects/many'),
    document: address('/projects/looks/guides/plan.md#L6'),
    'document-raw': address('/projects/looks/guides/plan.md?view=raw#L6'),
    'document-edit': address('/projects/looks/guides/plan.md?view=edit'),
    'document-none': address('/projects/looks/nothing.md'),
  }
  await using wide = await look()
  await using narrow = await look({ width: 360 })
  await assertPagesAccessible({ wide, narrow }, pages)
  await openPageAndSettle(wide.page, pages.document)
  await wide.page.locator('.piece.target').getByText('Plan').waitFor()
})

import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertPagesAccessible,
  openPageAndSettle,
  visitPage,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { openChatServer } from '../support/callbacks/chat-server.ts'
import { openForFile } from '../support/open-for-file.ts'
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
  '<input type="checkbox" autofocus onfocus="window.__pwned=1">',
  '<math><mtext><table><mglyph><style><!--</style><img src=x onerror="window.__pwned=1">',
  'last words',
].join('\n\n')

let projects: ProjectsService
let address: (path: string) => string
before(async () => {
  projects = await openProjectsService()
  address = (path) => `${projects.service.url}${path}`
})
after(async () => {
  await projects[Symbol.asyncDispose]()
})

/** The window of all tests. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), projects.program.admin),
)
const stored = async (path: string) => (await projects.get(`/projects/${path}`)).text
const editor = (page: Page) => page.getByLabel('Text of plan.md')

test('a first document creates a project and can be edited and deleted', async () => {
  const { page } = consoleWindow()
  await openPageAndSettle(page, address('/projects'))
  await page.getByText('No projects yet').waitFor()
  await saveScreenshots(page, 'projects-empty')
  await page.getByRole('link', { name: 'New document' }).click()
  await page.getByLabel('Project', { exact: true }).fill('Road map')
  await page.getByLabel('Path').fill('../secret.md')
  await page.getByLabel('Text').fill('# Goals\n\nSee [the plan](notes/plan.md).')
  await page.getByRole('button', { name: 'Save document' }).click()
  await page.getByText('means another folder').first().waitFor()
  await page.getByLabel('Path').fill('README.md')
  await page.getByRole('button', { name: 'Save document' }).click()
  await page.getByRole('heading', { name: 'Goals' }).waitFor()
  await projects.put('/projects/Road%20map/documents/notes/plan.md', 'Old plan')
  await page.getByRole('link', { name: 'the plan' }).click()
  await page.waitForURL(/\/projects\/Road%20map\/notes\/plan\.md$/)
  await page.getByText('Old plan').waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  await editor(page).fill('New plan')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved plan.md').waitFor()
  assert.equal(await stored('Road%20map/documents/notes/plan.md'), 'New plan')
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “plan.md”?' })
  await dialog.getByRole('button', { name: 'Delete document' }).click()
  await page.waitForURL(/\/projects\/Road%20map$/)
  await projects.waitForDocuments('Road map', ['README.md'])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a project is created by its name, and nothing that may be missing is an error in the browser', async () => {
  const { page } = consoleWindow()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await openPageAndSettle(page, address('/projects'))
  await page.getByRole('button', { name: 'New project' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByLabel('Name').fill('..')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await dialog.getByText('means another folder').waitFor()
  await dialog.getByLabel('Name').fill('Harbour')
  await dialog.getByText('will be able to read the project').waitFor()
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL(/\/projects\/Harbour$/)
  await page.locator('.markdown').getByRole('heading', { name: 'Harbour' }).waitFor()
  await visitPage(page, address('/projects'))
  await page.getByRole('row', { name: /^Harbour 0 1 Team/ }).waitFor()
  await page.getByRole('button', { name: 'New project' }).click()
  await dialog.getByLabel('Name').fill('harbour')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await dialog.getByText('A project with this name already exists').waitFor()
  await projects.put('/projects/NoReadMe/documents/notes.md', 'Notes')
  await visitPage(page, address('/projects/NoReadMe'))
  await page.getByRole('link', { name: 'notes.md' }).waitFor()
  assert.deepEqual(refused, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('an editor chooses language, sections, order and instructions of the recaps of a project', async () => {
  await projects.put('/projects/Recaps/documents/README.md', '# Recaps')
  const { page } = consoleWindow()
  await openPageAndSettle(page, address('/projects/Recaps'))
  const section = page.getByRole('region', { name: 'Recaps' })
  await section.getByText('All sections in the usual order').waitFor()
  await section.getByRole('button', { name: 'Change recaps' }).click()
  const dialog = page.getByRole('dialog', { name: 'Recaps of this project' })
  await dialog
    .getByLabel('Language', { exact: true })
    .selectOption({ label: 'Brazilian Portuguese' })
  for (const name of ['Summary', 'Open questions', 'Topics'])
    await dialog.getByLabel(name, { exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Move Action items up' }).click()
  await dialog.getByRole('button', { name: 'Move Action items up' }).click()
  await dialog.getByLabel('Instructions').fill('<b>Name</b> customers.')
  await assertAccessible(page, 'project-recaps')
  await saveScreenshots(page, 'project-recaps')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await section.getByText('Action items, Decisions · in Brazilian Portuguese').waitFor()
  await section.getByText('Instructions: <b>Name</b> customers.').waitFor()
  const { text } = await projects.get('/projects/Recaps/recap-settings')
  assert.deepEqual(JSON.parse(text), {
    project: 'Recaps',
    recapLanguage: 'pt-BR',
    sections: ['actions', 'decisions'],
    instructions: '<b>Name</b> customers.',
    recapMail: 'nobody',
    mailsGuests: false,
    guestLinkDays: 14,
  })
  await section.getByRole('button', { name: 'Change recaps' }).click()
  await dialog.getByLabel('Action items', { exact: true }).uncheck()
  await dialog.getByLabel('Decisions', { exact: true }).uncheck()
  await dialog.getByText('Choose at least one section.').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled())
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('an editor adds a notification, previews it, sends a test and reads why a chat stopped it', async () => {
  await using chat = await openChatServer()
  chat.answerWith(() => ({ status: 404, body: '<b>no_service</b>' }))
  await projects.put('/projects/Chats/documents/README.md', '# Chats')
  const { page } = consoleWindow()
  await openPageAndSettle(page, address('/projects/Chats'))
  const section = page.getByRole('region', { name: 'Notifications' })
  await section.getByRole('button', { name: 'Add notification' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add notification' })
  await dialog.getByLabel('Name').fill('Sales')
  await dialog.getByLabel('Chat').selectOption({ label: 'Mattermost' })
  await dialog.getByLabel('Address of the webhook').fill(chat.url('/hooks/T0PSECRET'))
  await dialog.getByLabel('Failed meetings and tasks').check()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('region', { name: 'Preview' }).getByText('Recap · Chats').first().waitFor()
  await assertAccessible(page, 'project-notification-form')
  await saveScreenshots(page, 'project-notification-form')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await section.getByText('Mattermost at 127.0.0.1').waitFor()
  await section.getByRole('button', { name: 'Send a test: Sales' }).click()
  await section.getByText('The test message did not arrive: 404. “<b>no_service</b>”').waitFor()
  await section.getByRole('button', { name: 'History: Sales' }).click()
  const history = page.getByRole('dialog', { name: 'History of Sales' })
  await history.getByText('<b>no_service</b>').waitFor()
  await saveScreenshots(page, 'project-notification-history')
  await page.keyboard.press('Escape')
  await section.getByRole('button', { name: 'Pause: Sales' }).click()
  await section.getByText('Paused', { exact: true }).waitFor()
  await section.scrollIntoViewIfNeeded()
  await assertAccessible(page, 'project-notifications')
  await saveScreenshots(page, 'project-notifications')
  await page.setViewportSize({ width: 390, height: 844 })
  await section.scrollIntoViewIfNeeded()
  await saveScreenshots(page, 'project-notifications-phone')
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.ok(!(await page.content()).includes('T0PSECRET'))
  await section.getByRole('button', { name: 'Remove: Sales' }).click()
  await page.getByRole('button', { name: 'Remove notification' }).click()
  await section.getByText('Post recaps, action items and failures').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('when two users edit a document, the second sees the conflict and keeps the typed text', async () => {
  const path = '/projects/two/documents/plan.md'
  await projects.put(path, 'first\r\nversion\r\n')
  const { page } = consoleWindow()
  page.on('dialog', (dialog) => void dialog.accept())
  await visitPage(page, address('/projects/two/plan.md?view=edit'))
  await editor(page).fill('mine\nentirely\n')
  await projects.put(path, 'theirs')
  await page.reload()
  await page.getByText('Restored your unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('Another user changed “plan.md”').waitFor()
  await page.getByRole('region', { name: 'Differences' }).getByText('theirs').waitFor()
  assert.equal(await editor(page).inputValue(), 'mine\nentirely\n')
  await saveScreenshots(page, 'document-conflict')
  assert.equal(await stored('two/documents/plan.md'), 'theirs')
  await projects.remove(path)
  await page.getByRole('button', { name: 'Overwrite with my version' }).click()
  await alert.getByText('Another user deleted “plan.md”').waitFor()
  await page.getByRole('button', { name: 'Save as new document' }).click()
  await page.getByText('Saved plan.md').waitFor()
  assert.equal(await stored('two/documents/plan.md'), 'mine\nentirely\n')
})

test('a hostile document runs no script and sends no request, rendered or raw', async () => {
  const huge = `${'> '.repeat(30_000)}deep\n\n${'[x](('.repeat(20_000)}`
  projects.writeFile('evil/plan.md', HOSTILE)
  projects.writeFile('evil/<b>&"\'.md', HOSTILE)
  projects.writeFile('evil/deep.md', huge)
  projects.writeFile('evil/large.txt', 'many words '.repeat(60_000))
  projects.writeFile('evil/page.html', `<script>window.__pwned=1</script>`)
  projects.writeFile('evil/bytes.bin', Buffer.from([0, 1, 2, 3]))
  await projects.waitForDocuments('evil', [
    '<b>&"\'.md',
    'bytes.bin',
    'deep.md',
    'large.txt',
    'page.html',
    'plan.md',
  ])
  const { page } = consoleWindow()
  const open = async (path: string, words: string) => {
    await visitPage(page, address(`/projects/evil/${path}`))
    await page.getByText(words).first().waitFor()
    assert.equal(await page.evaluate('window.__pwned'), undefined, path)
  }
  await open('plan.md', 'last words')
  assert.equal(
    await page.locator('.markdown :is(img, svg, style, iframe, form, script, input)').count(),
    0,
  )
  const hrefs = await page.locator('.markdown a[href]').evaluateAll((all) => all.map(String))
  assert.deepEqual(hrefs, [])
  await open('plan.md?view=raw', 'last words')
  await open(encodeURIComponent('<b>&"\'.md'), 'last words')
  await open('deep.md', 'deep')
  await open('large.txt', 'only the beginning is shown')
  await open('page.html', 'window.__pwned')
  await open('bytes.bin', 'This file is not text')
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a transcript links to its meeting, and folders with many files and unusual names can be opened', async () => {
  const { program, writeFile, waitForDocuments } = projects
  const meetingId = await program.start('practice://standup?speed=100', { project: 'many' })
  await program.waitForStatus(meetingId)
  writeFile('many/100% #1? ünï.md', 'odd but read')
  writeFile('many/plan\u202efdp.md', 'not a PDF file')
  for (let i = 100; i < 250; i += 1) writeFile(`many/notes/note ${i}.md`, `Note number ${i}`)
  // Waits until all files are indexed, because the page does not reload files that are added later.
  for (const text of ['odd but read', 'not a PDF file'])
    await projects.waitForResults(`"${text}"`, 1)
  for (let i = 100; i < 250; i += 50) await projects.waitForResults(`"Note number ${i + 49}"`, 1)
  await eventually(async () => ((await projects.paths('many')).length === 100 ? true : null))
  const { page } = consoleWindow()
  await visitPage(page, address('/projects/many'))
  const files = page.getByRole('navigation', { name: 'Files' })
  await files.getByRole('link', { name: '100% #1? ünï.md' }).click()
  await page.getByText('odd but read').waitFor()
  await page.reload()
  await page.getByText('odd but read').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  assert.match((await download).suggestedFilename(), /^100% #1. ünï\.md$/)
  await files.getByRole('link', { name: 'plan\ufffdfdp.md', exact: true }).click()
  await page.getByRole('heading', { name: 'plan\ufffdfdp.md', level: 1 }).waitFor()
  await page.getByText('not a PDF file').waitFor()
  assert.equal(await page.title(), 'plan\ufffdfdp.md · Hansard')
  await files.getByRole('button', { name: 'notes folder' }).press('Enter')
  await files.getByRole('link', { name: 'note 150.md' }).waitFor()
  await files.getByRole('button', { name: 'Load more files' }).click()
  await files.getByRole('link', { name: 'note 249.md' }).click()
  await page.getByText('Note number 249').waitFor()
  await page.getByRole('link', { name: 'many', exact: true }).click()
  await page.getByRole('table', { name: 'Transcripts' }).getByRole('link').first().click()
  await page.locator('.front-matter').getByText(meetingId).waitFor()
  await page.getByRole('link', { name: 'Open meeting' }).click()
  await page.waitForURL(new RegExp(`/meetings/${meetingId}$`))
  await page.getByRole('tab', { name: 'Document' }).click()
  await page.getByRole('link', { name: 'Open in project' }).click()
  await page.waitForURL(/\/projects\/many\/meetings\//)
  await waitForDocuments('two', ['plan.md'])
})

test('the project pages have no accessibility violations and fit a phone', async () => {
  const table =
    '| a | b |\n|---|--:|\n| one | two |\n\n```\ncode that is quite long for a small telephone, longer than that\n```'
  await projects.put(
    '/projects/looks/documents/guides/plan.md',
    `---\ntitle: A plan\nowner: [Ada, Grace]\n---\n# Plan\n\n[site](https://example.com)\n\n- [x] first\n- [ ] second\n\n${table}\n`,
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
  const { page } = consoleWindow()
  await assertPagesAccessible(consoleWindow(), pages)
  await visitPage(page, pages.document)
  await page.locator('.piece.target').getByText('Plan').waitFor()
  const boxes = await page.getByRole('checkbox').all()
  assert.deepEqual(await Promise.all(boxes.map((box) => box.isChecked())), [true, false])
  await page.locator('th[align=right]').waitFor()
})

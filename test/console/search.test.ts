import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertNoHorizontalScroll,
  assertPagesAccessible,
  PHONE_WIDTH,
  openPageAndSettle,
  visitPage,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import { openProjectsService, type ProjectsService } from '../support/projects-service.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'

const LINES = 160
const SPEAKERS = ['Ana Ribeiro', '<b>Bob</b>']

let projects: ProjectsService
let meetingId: string
let address: (path: string) => string
before(async () => {
  const stage = createScriptedPlatform()
  projects = await openProjectsService({}, { platforms: [stage] })
  address = (path) => `${projects.service.url}${path}`
  meetingId = await projects.program.start('stage://review', { project: 'apollo', title: 'Review' })
  const textOf = (i: number) =>
    i === 120 ? 'The <i>lighthouse</i> keeps its budget.' : `Point ${i} is about item ${i * 7}.`
  stage.room('review').emit(
    { kind: 'admitted' },
    ...Array.from({ length: LINES }, (_, i) => ({
      kind: 'caption' as const,
      captionId: `c${i}`,
      speaker: SPEAKERS[i % 2] ?? '',
      text: textOf(i + 1),
      version: 1,
      isFinal: true,
    })),
    { kind: 'over', because: 'host_ended' },
  )
  await projects.program.waitForStatus(meetingId)
  const filler = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} of the handbook.`)
  const text = [...filler, 'The lighthouse is painted in May.', ...filler].join('\n\n')
  await projects.put('/projects/apollo/documents/handbook.md', text)
  await projects.waitForResults('lighthouse', 2)
})
after(async () => {
  await projects[Symbol.asyncDispose]()
})

/** The window of all tests. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), projects.program.admin),
)

/** Opens the command palette and types the text once its field has the focus. */
async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page
    .getByRole('combobox', { name: 'Search or jump to' })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.type(text)
}
const isInView = (page: Page, selector: string) =>
  eventually(async () => {
    const box = await page.locator(selector).boundingBox()
    return box !== null && box.y >= 0 && box.y + box.height <= 800 ? true : null
  })

test('search results appear while typing and link to the transcript line', async () => {
  const { page } = consoleWindow()
  await openPageAndSettle(page, address('/search'))
  await page.getByRole('link', { name: 'budget' }).waitFor()
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('lighth budget')
  const hit = page.getByRole('link', { name: /The <i>lighthouse/ })
  await hit.waitFor()
  await page.waitForURL(/q=lighth(?:\+|%20)budget/)
  assert.deepEqual(await hit.locator('mark').allTextContents(), ['lighthouse', 'budget'])
  await hit.getByText('<b>Bob</b>').waitFor()
  await hit.click()
  await page.waitForURL(new RegExp(`/meetings/${meetingId}#line-120$`))
  await page.locator('#line-120.target').waitFor()
  await isInView(page, '#line-120')
  await page.goBack()
  await page.getByRole('link', { name: /The <i>lighthouse/ }).waitFor()
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('search filters are in the URL, typos are corrected visibly, and empty results say so', async () => {
  const { page } = consoleWindow()
  await visitPage(page, address('/search?q=lighthouse'))
  await page.getByText('2 results').waitFor()
  await page.getByLabel('Search in').selectOption('document')
  await page.waitForURL(/kind=document/)
  await page.getByRole('link', { name: /painted in May/ }).click()
  await page.waitForURL(/\/projects\/apollo\/handbook\.md#L121$/)
  await page.locator('.piece.target').getByText('painted in May').waitFor()
  await isInView(page, '.piece.target')
  await visitPage(page, address('/search?q=lighthose&kind=segment'))
  await page.getByText('No results for “lighthose”').waitFor()
  await visitPage(page, address('/search?q=budget%20painted'))
  await page.getByText('No result has all of these words.').waitFor()
  await visitPage(page, address('/search?q=lighthose&kind=segment'))
  await page.getByRole('link', { name: 'lighthouse', exact: true }).click()
  await page.waitForURL(/q=lighthouse/)
  await page.getByLabel('Speaker').fill('Ana')
  await page.getByText('No results for “lighthouse” with these filters').waitFor()
  await page.getByRole('link', { name: 'Search without filters' }).click()
  await page.getByText('2 results').waitFor()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No results for').waitFor()
  assert.match(page.url(), /to=2020-01-01/)
})

test('single-key shortcuts are listed and can be turned off', async () => {
  const { page } = consoleWindow()
  await visitPage(page, address('/'))
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.waitForURL(/\/projects$/)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Find in transcript').waitFor()
  await saveScreenshots(page, 'keys')
  await keys.getByLabel('Single-key shortcuts').click()
  await assertAccessible(page, 'the list of keys')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  for (const key of ['g', 'm', '?', 'g', '/']) await page.keyboard.press(key)
  await typeInPalette(page, 'keyboard short')
  assert.match(page.url(), /\/projects$/)
  await page.getByRole('option', { selected: true }).getByText('Keyboard shortcuts').waitFor()
  await page.keyboard.press('Enter')
  await keys.getByLabel('Single-key shortcuts').click()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('/')
  await page.waitForURL(/\/search$/)
})

test('the search page has no accessibility violations, and the side panel of a meeting is a sheet on phones and at 1024 pixels', async () => {
  await assertPagesAccessible(consoleWindow(), {
    'search-empty': address('/search'),
    search: address('/search?q=lighthouse'),
    'search-nothing': address('/search?q=unicorns&speaker=Ana'),
  })
  const { page } = consoleWindow()
  await page.setViewportSize({ width: PHONE_WIDTH, height: 800 })
  await visitPage(page, address(`/meetings/${meetingId}`))
  await saveScreenshots(page, 'meeting-phone')
  await page.getByRole('button', { name: 'Ask, talk time and details' }).click()
  const sheet = page.getByRole('dialog', { name: 'About this meeting' })
  await sheet.getByRole('tab', { name: 'Participants' }).click()
  await sheet.getByText('The bot appears as').waitFor()
  await assertAccessible(page, 'the sheet')
  await assertNoHorizontalScroll(page, 'the sheet')
  await saveScreenshots(page, 'meeting-sheet-phone')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  assert.doesNotMatch(page.url(), /tab=/)
  await visitPage(page, address(`/meetings/${meetingId}?tab=document`))
  await sheet.locator('.markdown').getByText('The <i>lighthouse</i>').waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1024, height: 768 })
  const button = page.getByRole('button', { name: 'Ask, talk time and details' })
  const box = await button.boundingBox()
  assert.ok(box && box.y < 384, JSON.stringify(box))
  await button.click()
  await sheet.getByLabel('Ask about this meeting').waitFor()
  await sheet.getByRole('heading', { name: 'Talk time' }).waitFor()
})

test('the command palette opens pages, meetings and transcript lines by keyboard', async () => {
  const { page } = consoleWindow()
  await visitPage(page, address('/search'))
  const selected = page.getByRole('option', { selected: true })
  await typeInPalette(page, 'proj')
  await selected.getByText('Projects').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects$/)
  await typeInPalette(page, 'lighthouse keeps')
  const hits = page.getByRole('group', { name: 'Transcripts and documents' }).getByRole('option')
  // The two results of the first word alone may come before.
  await eventually(async () => ((await hits.count()) === 1 ? true : null))
  await saveScreenshots(page, 'palette')
  await assertAccessible(page, 'the palette')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.locator('#line-120.target').waitFor()
  await typeInPalette(page, 'theme dark')
  await selected.getByText('Theme: dark').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await typeInPalette(page, 'new tok')
  await selected.getByText('New token').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New token' }).waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

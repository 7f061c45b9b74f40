import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  assertAccessible,
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { recordMeeting, type Line } from './recorded-meeting.ts'

const HOSTILE = '<img src=x onerror="window.__pwned=1">'

const PLANNING: Line[] = [
  ['Ana Ribeiro', 'Let us look at the search page and at the release of next week.'],
  ['Ben Carter', 'The search page is slow, because it asks the database for every letter.'],
  ['Ana Ribeiro', 'Ben will fix the search page by Wednesday.'],
  ['Ben Carter', `We decided to postpone the release of the *search* ${HOSTILE} to Friday.`],
  ['Ana Ribeiro', 'I will write to the customers about the release today.'],
  ['Ben Carter', 'Who tells the customers about the release?'],
  ['Ana Ribeiro', 'The next point is the budget of the offices in the second quarter.'],
  ['Ana Ribeiro', 'The budget of the offices is too small for three more desks.'],
]

const opened = openForFile(async () => {
  const staged = await openStagedService({ HANSARD_RECAP: 'on' })
  return { ...staged, address: (path: string) => `${staged.service.url}${path}` }
})

const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

test('a citation names speaker and time and leads to its line, and Back returns to its place in the recap', async () => {
  const { address } = opened()
  const { page } = consoleWindow()
  const meetingId = await recordMeeting(opened(), 'back', PLANNING, { title: 'Planning' })
  // The recap does not fit into this window.
  await page.setViewportSize({ width: 1280, height: 420 })
  await openPageAndSettle(page, address(`/meetings/${meetingId}`))
  const citation = page
    .getByRole('region', { name: 'Decisions' })
    .getByRole('link', { name: /^Ben Carter \d\d:\d\d: We decided/ })
  assert.match((await citation.textContent()) ?? '', /^Ben Carter \d\d:\d\d$/)
  await citation.scrollIntoViewIfNeeded()
  const scrollTop = () => page.evaluate<number>('window.scrollY')
  const before = await scrollTop()
  assert.ok(before > 0)
  await citation.click()
  await page.locator('#line-4.target').waitFor()
  await page.locator('#line-4 .line-time:focus').waitFor()
  assert.notEqual(await scrollTop(), before)
  await page.goBack()
  await citation.and(page.locator(':focus')).waitFor()
  assert.equal(await scrollTop(), before)
  assert.doesNotMatch(page.url(), /#/)
  // The same link works again.
  await citation.press('Enter')
  await page.locator('#line-4.target').waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a recap is copied as Markdown and as formatted text, and saved as a file, with what people said escaped', async () => {
  const { address, service } = opened()
  const { page, context } = consoleWindow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  const title = `Planning ${HOSTILE}`
  const meetingId = await recordMeeting(opened(), 'copy', PLANNING, { title })
  await visitPage(page, address(`/meetings/${meetingId}`))
  await page.locator(`#line-${PLANNING.length}`).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Copy recap' }).click()
  await page.getByRole('status').getByText('Copied recap').waitFor()
  const plain = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(plain, /^# Planning \\<img/)
  assert.match(plain, /^- \[ \] \*\*Ben Carter\*\*: .*fix the search page.*\(due .+, Ana Ribeiro/m)
  assert.match(plain, /^- We decided .* \\\*search\\\* \\<img .*\(Ben Carter \d\d:\d\d\)$/m)
  const html = await page.evaluate<string>(
    `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((blob) => blob.text())`,
  )
  assert.match(html, /<h3>Decisions<\/h3>/)
  assert.ok(html.includes('&lt;img') && !html.includes('<img'))

  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export recap' }).click()
  const download = await started
  assert.match(download.suggestedFilename(), /^Planning .* - recap\.md$/)
  assert.equal(await readFile(await download.path(), 'utf8'), plain)
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a printed meeting has its recap and its whole transcript in dark letters, and nothing to press', async () => {
  const { address } = opened()
  const { page } = consoleWindow()
  const meetingId = await recordMeeting(opened(), 'print', PLANNING, { title: 'Printed' })
  await visitPage(page, address(`/meetings/${meetingId}`))
  await page.locator(`#line-${PLANNING.length}`).waitFor({ state: 'attached' })
  await assertAccessible(page, 'recap-page')
  await assertFitsPhone(page, 'recap-page')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await eventually(async () =>
    (await page.getByRole('navigation', { name: 'Main' }).isVisible()) ? null : true,
  )
  const main = page.getByRole('main')
  assert.equal(await main.getByRole('button').count(), 0)
  assert.equal(await main.getByRole('textbox').count(), 0)
  await main.getByRole('region', { name: 'Decisions' }).waitFor()
  const { colour, isWhole } = await page.evaluate<{ colour: string; isWhole: boolean }>(`(() => {
    const transcript = document.querySelector('.transcript')
    return {
      colour: getComputedStyle(document.querySelector('.line-text')).color,
      isWhole: getComputedStyle(transcript).overflowY === 'visible',
    }
  })()`)
  assert.deepEqual({ colour, isWhole }, { colour: 'rgb(0, 0, 0)', isWhole: true })
  await saveScreenshots(page, 'recap-printed')
  const { body } = await opened().ada.get(`/web/meetings/${meetingId}`)
  const { project, documentPath = '' } = body['meeting'] as Record<string, string>
  const path = documentPath.slice(documentPath.indexOf('meetings/'))
  await page.emulateMedia({ media: null, colorScheme: 'light' })
  await visitPage(page, address(`/projects/${project}/${path}`))
  await page.locator('.markdown').waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.equal(await main.getByRole('button').count(), 0)
  assert.equal(await page.getByRole('navigation', { name: 'Files' }).isVisible(), false)
  await saveScreenshots(page, 'document-printed')
  await page.emulateMedia({ media: null })
  assert.deepEqual(consoleWindow().pageErrors, [])
})

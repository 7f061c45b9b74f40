import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
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
import {
  HOST_ENDED,
  recordMeeting,
  startStagedMeeting,
  toCaptions,
  type Line,
} from './recorded-meeting.ts'

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

test('a line is added to the recap by key or button, with owner and due date, and other people see it at once', async () => {
  const { address, ada } = opened()
  const meetingId = await recordMeeting(opened(), 'add', PLANNING, { title: 'Added' })
  const { page } = consoleWindow()
  await using otherWindow = await openConsoleAs(await openSharedBrowser(), ada)
  await openPageAndSettle(otherWindow.page, address(`/meetings/${meetingId}`))
  const seen = otherWindow.page.getByRole('region', { name: 'Recap', exact: true })
  await visitPage(page, address(`/meetings/${meetingId}`))
  const line = (number: number) => page.locator(`#line-${number}`)
  const focused = page.locator(':focus')
  await line(8).locator('.line-time').focus()
  await page.keyboard.press('d')
  const decision = line(8).getByRole('textbox', { name: 'Decision' }).and(focused)
  assert.match(await decision.inputValue(), /^The budget of the offices/)
  await decision.fill(`Three more desks ${HOSTILE}`)
  await page.keyboard.press('Control+Enter')
  await line(8).getByRole('status').getByText('Added to the decisions.').waitFor()
  await line(8).locator('.line-time').and(focused).waitFor()
  const recap = page.getByRole('region', { name: 'Recap', exact: true })
  const decisions = recap.getByRole('region', { name: 'Decisions' })
  // The transcript says “three more desks” too, and so may a line of the recap.
  await decisions.getByText(/^Three more desks/).waitFor()
  await decisions.getByText('edited').waitFor()
  await seen.getByText(/^Three more desks/).waitFor()

  await line(2).hover()
  await line(2).getByRole('button', { name: 'Action item' }).click()
  const form = line(2).locator('form')
  assert.equal(await form.getByLabel('Owner').inputValue(), 'Ben Carter')
  await form.getByLabel('Action item').fill('Ask the database less often')
  await form.getByLabel('Owner').fill('Chika Mori')
  await form.getByLabel('Due date').fill('2026-12-24')
  await assertAccessible(page, 'recap-line-form')
  await assertFitsPhone(page, 'recap-line-form')
  await form.getByRole('button', { name: 'Add action item' }).click()
  await recap.getByRole('checkbox', { name: 'Ask the database less often' }).waitFor()
  await seen.getByText('Chika Mori').waitFor()

  await line(1).locator('.line-time').focus()
  await page.keyboard.press('q')
  await line(1).getByRole('textbox', { name: 'Question' }).fill('When is the release?')
  await page.keyboard.press('Escape')
  await line(1).locator('.line-time').and(focused).waitFor()
  assert.equal(await line(1).locator('form').count(), 0)
  await page.keyboard.press('q')
  await line(1).getByRole('textbox', { name: 'Question' }).fill('When is the release?')
  await line(1).getByRole('button', { name: 'Add question' }).press('Enter')
  await recap.getByRole('region', { name: 'Open questions' }).getByText('When is').waitFor()
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('every statement of a recap is edited and deleted in its place', async () => {
  const { address, ada } = opened()
  const meetingId = await recordMeeting(opened(), 'edit', PLANNING, { title: 'Corrected' })
  const { page } = consoleWindow()
  await visitPage(page, address(`/meetings/${meetingId}`))
  const focused = page.locator(':focus')
  const decisions = page.getByRole('region', { name: 'Decisions' })
  const menu = decisions.getByRole('button', { name: /^Edit or delete “We decided/ })
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const text = decisions.getByRole('textbox', { name: 'Decision' })
  await text.and(focused).fill(' ')
  await decisions.getByRole('button', { name: 'Save' }).click()
  await text.and(page.locator('[aria-invalid=true]')).waitFor()
  await text.fill('The release is on Friday, because the search is not ready')
  await decisions.getByLabel('Said by').fill('Chika Mori')
  await decisions.getByRole('button', { name: 'Save' }).click()
  await decisions
    .getByRole('button', { name: /^Edit or delete “The release is/ })
    .and(focused)
    .waitFor()
  // The cited line names another speaker.
  await decisions.getByText('Chika Mori').waitFor()
  await decisions
    .getByRole('link', { name: /^Ben Carter \d\d:\d\d: The release is on Friday/ })
    .waitFor()
  await assertAccessible(page, 'recap-corrected')
  await assertFitsPhone(page, 'recap-corrected')

  const summary = page.getByRole('region', { name: 'Summary' })
  const before = await summary.getByRole('listitem').count()
  const first = summary.getByRole('button', { name: /^Edit or delete “Let us look/ })
  await first.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  const question = summary.getByRole('group', { name: 'Delete this statement?' })
  await question.getByRole('button', { name: 'Delete statement' }).and(focused).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).press('Enter')
  await first.and(focused).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await question.getByRole('button', { name: 'Delete statement' }).and(focused).press('Enter')
  await eventually(async () =>
    (await summary.getByRole('listitem').count()) === before - 1 ? true : null,
  )
  await summary.getByRole('list').and(focused).waitFor()
  // A new recap keeps both.
  await page.getByRole('button', { name: 'Make again' }).click()
  await page.getByRole('button', { name: 'Make again' }).waitFor()
  const { body } = await ada.get(`/web/meetings/${meetingId}/recap`)
  const { decisions: stored } = body as { decisions: Array<{ text: string }> }
  assert.match(stored[0]?.text ?? '', /^The release is on Friday, because/)
  assert.equal(await summary.getByText('Let us look').count(), 0)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('lines of a live meeting are added, and the page says that the recap has them afterwards', async () => {
  const { address, ada, stage } = opened()
  const meetingId = await startStagedMeeting(ada, 'live', { title: 'Live' })
  const room = stage.room('live')
  room.emit({ kind: 'admitted' }, ...toCaptions(PLANNING.slice(0, 3)))
  const { page } = consoleWindow()
  await visitPage(page, address(`/meetings/${meetingId}`))
  await page.locator('#line-3').waitFor()
  await page.mouse.move(5, 5)
  // Without a chosen line, the key takes the newest one.
  await page.keyboard.press('d')
  await page
    .locator('#line-3')
    .getByRole('textbox', { name: 'Decision' })
    .fill('Ben fixes the search')
  await page.keyboard.press('Control+Enter')
  await page.getByText('The recap has it when the meeting has ended.').waitFor()
  room.emit(HOST_ENDED)
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await decisions.getByText('Ben fixes the search').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  assertPagesAccessible,
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
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaft'.repeat(4)

const opened = openForFile(async () => {
  const staged = await openStagedService({ HANSARD_RECAP: 'on' })
  return { ...staged, address: (path: string) => `${staged.service.url}${path}` }
})

/** The window of the tests that open their own meeting's page. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

const PLANNING: Line[] = [
  ['Ana Ribeiro', 'Let us look at the search page and at the release of next week.'],
  ['Ben Carter', 'The search page is slow, because it asks the database for every letter.'],
  ['Ana Ribeiro', 'Ben will fix the search page by Wednesday.'],
  ['Ben Carter', 'We decided to postpone the release of the search page to Friday.'],
  ['Ana Ribeiro', `I will write to ${LONG_WORD} ${HOSTILE} about the release today.`],
  ['Ben Carter', 'Who tells the customers about the release?'],
  ['Ana Ribeiro', 'The next point is the budget of the offices in the second quarter.'],
  ['Ana Ribeiro', 'The budget of the offices is too small for three more desks.'],
]

const assertNothingRan = async (page: Page) =>
  assert.equal(await page.evaluate('window.__pwned'), undefined)

test('the recap of a meeting that ends appears without a reload, and its statements show their lines', async () => {
  const { stage, ada, address } = opened()
  const meetingId = await startStagedMeeting(ada, 'ends', { title: `Planning ${HOSTILE}` })
  const room = stage.room('ends')
  room.emit({ kind: 'admitted' }, ...toCaptions(PLANNING))
  const { page } = consoleWindow()
  await visitPage(page, address(`/meetings/${meetingId}`))
  await page.locator(`#line-${PLANNING.length}`).waitFor({ state: 'attached' })
  assert.equal(await page.getByRole('heading', { name: 'Recap' }).count(), 0)
  room.emit(HOST_ENDED)
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await decisions.getByText('postpone the release').waitFor()
  await page.getByText('Made by rules, without a language model').waitFor()
  // It became ready while the page was open. The page announces that once.
  await page.getByRole('status').getByText('The recap is ready.').waitFor()
  await page.locator('.recap-new').waitFor()
  // The page was opened by its address, and the step "Read its recap" is done nevertheless.
  await eventually(async () => {
    const marks = (await ada.get('/web/marks')).body['marks'] as Array<{ key: string }>
    return marks.some(({ key }) => key === 'recap') ? true : null
  })
  await decisions.getByRole('link', { name: /^Ben Carter \d\d:\d\d: .*postpone/ }).click()
  await page.locator('#line-4.target').waitFor()
  assert.match(page.url(), /#line-4$/)
  const sizes = await page.evaluate<number[]>(`[...document.querySelectorAll('.recap .citation')]
    .map((link) => link.getBoundingClientRect()).flatMap(({ width, height }) => [width, height])`)
  assert.ok(sizes.length > 0 && sizes.every((size) => size >= 24), String(sizes))
  const topics = page.getByRole('region', { name: 'Topics' })
  await topics
    .getByRole('link', { name: /^\d\d:\d\d(?:–\d\d:\d\d)?: / })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Make again' }).click()
  await page.getByRole('button', { name: 'Make again' }).waitFor()
  await assertAccessible(page, 'recap')
  await assertFitsPhone(page, 'recap')
  await assertNothingRan(page)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('action items are ticked, edited, deleted and restored in their place', async () => {
  const { ada, address } = opened()
  const meetingId = await recordMeeting(opened(), 'edits', PLANNING, { title: 'Edits' })
  const readActions = async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}/recap`)
    return body['actions'] as Array<Record<string, unknown>>
  }
  const { page } = consoleWindow()
  await visitPage(page, address(`/meetings/${meetingId}`))
  const items = page.getByRole('region', { name: 'Action items' })
  await items.getByRole('checkbox', { name: /fix the search page/ }).check()
  await eventually(async () => ((await readActions())[0]?.['state'] === 'done' ? true : null))

  await items.getByRole('button', { name: /^Edit or delete “.*fix the search page/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await items.getByLabel('Action item', { exact: true }).and(page.locator(':focus')).fill(' ')
  await items.getByLabel('Owner').fill(HOSTILE)
  await items.getByLabel('Due date').fill('2020-01-31')
  await items.getByRole('button', { name: 'Save' }).click()
  // Only the field says why it can't be saved.
  await items
    .getByLabel('Action item', { exact: true })
    .and(page.locator('[aria-invalid=true]'))
    .waitFor()
  assert.equal(await items.getByRole('alert').count(), 0)
  assert.equal(await items.getByLabel('Owner').inputValue(), HOSTILE)
  await saveScreenshots(page, 'action-edit')
  await items.getByLabel('Action item', { exact: true }).fill('Make the search page fast')
  await items.getByRole('button', { name: 'Save' }).click()
  await items
    .getByRole('button', { name: 'Edit or delete “Make the search' })
    .and(page.locator(':focus'))
    .waitFor()
  await items.getByRole('checkbox', { name: 'Make the search page fast' }).uncheck()
  await items.getByText('Overdue').waitFor()
  assert.partialDeepStrictEqual((await readActions())[0], {
    text: 'Make the search page fast',
    owner: HOSTILE,
    dueDate: '2020-01-31',
  })

  await items.getByRole('button', { name: 'Edit or delete “Make the search' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  const restore = items.getByRole('button', { name: 'Restore “Make the search' })
  await restore.and(page.locator(':focus')).waitFor()
  await eventually(async () => ((await readActions()).length === 1 ? true : null))
  await restore.click()
  await items.getByRole('checkbox', { name: 'Make the search page fast' }).waitFor()
  await eventually(async () => ((await readActions()).length === 2 ? true : null))
  await assertNothingRan(page)
})

/** More things than fit on a page of the list. */
const THINGS = [
  'budget report, landing page, hiring plan, price table, customer survey, backup script, office lease',
  'release note, login mask, test server, team photo, travel policy, sales figure, road map, press letter',
  'data export, bug list, music licence, parking permit, coffee order, door code, job advert, tax form',
  'phone contract, garden fence, meeting room, safety training, web address, insurance claim',
  'supplier visit, summer party, colour palette, search index, error message',
].flatMap((things) => things.split(', '))

test('the page of action items lists, filters and changes those of all meetings', async () => {
  const { address } = opened()
  const { page } = consoleWindow()
  await openPageAndSettle(page, address('/actions?project=many'))
  await page.getByText('No action items match these filters').waitFor()
  const lines = THINGS.map((thing): Line => ['Ben Carter', `I will check the ${thing} by Friday.`])
  const meetingId = await recordMeeting(opened(), 'many', lines, {
    title: 'Checks',
    project: 'many',
  })
  await openPageAndSettle(page, address('/actions?project=many'))
  const boxes = page.getByRole('checkbox', { name: /I will check the/ })
  assert.equal(await boxes.count(), 30)
  await page.getByRole('button', { name: 'Load more' }).click()
  await boxes.nth(THINGS.length - 1).waitFor()
  await page.getByLabel('Group by').selectOption('person')
  const group = page.getByRole('region', { name: 'Ben Carter' })
  await group.getByRole('checkbox').first().waitFor()
  await page.getByLabel('Group by').selectOption('week')
  await page.waitForURL(/group=week/)
  await page.getByRole('heading', { level: 2, name: /week$/i }).first().waitFor()
  await page.getByLabel('Group by').selectOption('')
  await eventually(async () => ((await boxes.count()) >= 30 ? true : null))
  // A list is not read again after a change, so the change must be stored before the other list is read.
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await boxes.first().check()
  await saved
  await page.getByLabel('State').selectOption('done')
  await page.waitForURL(/state=done/)
  await eventually(async () => ((await boxes.count()) === 1 ? true : null))
  await page.getByLabel('State').selectOption('open')
  await page.getByLabel('Owner').fill('carter')
  await page.getByLabel('Overdue only').check()
  await page.getByText('No action items match these filters').waitFor()
  assert.match(page.url(), /overdue=true/)
  await page.getByRole('link', { name: 'Show all open action items' }).click()
  const cited = page.getByRole('link', { name: /^Checks: .*hiring plan/ })
  await cited.click()
  await page.waitForURL(new RegExp(`/meetings/${meetingId}#line-3$`))
  await page.locator('#line-3.target').waitFor()
  await page.goBack()
  await cited.and(page.locator(':focus')).waitFor()
  await assertPagesAccessible(consoleWindow(), {
    actions: address('/actions'),
    'actions-nothing': address('/actions?owner=nobody'),
  })
  assert.deepEqual(consoleWindow().pageErrors, [])
})

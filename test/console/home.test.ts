import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  assertNoHorizontalScroll,
  openPageAndSettle,
  signInAs,
  visitPage,
} from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { seedMeetingsWithRecaps, type SeededMeeting } from '../support/meetings/seed-recap.ts'
import { EXAMPLE_TOPICS } from '../support/meetings/example-topics.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** The time in the browser, in the process's time zone: a Tuesday. */
const NOW = new Date('2026-11-17T15:30')

const opened = openForFile(async () => {
  const service = await startService()
  const ada = await service.adminClient()
  await ada.put('/web/profile', { name: 'Ada Lovelace' })
  return {
    service,
    ada,
    seed: (meetings: readonly SeededMeeting[]) =>
      seedMeetingsWithRecaps(service.databaseUrl, meetings),
    /** A user who has just created an account. */
    async addPerson(name: string): Promise<HttpClient> {
      return (await invitePerson(service, ada, { name })).client
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
})

const refuse = (route: Route) =>
  route.fulfill({ status: 503, json: { error: { code: 'overloaded', message: 'Not now' } } })

/** The window of all tests, at the tests' time. */
const consoleWindow = openForFile(async () => {
  const browser = await openSharedBrowser()
  const window = await openIsolatedWindow(browser, opened().service.url, { width: 1440 })
  await window.page.clock.setFixedTime(NOW)
  return window
})

/** Signs in and opens the home page. */
async function openHome(person: HttpClient): Promise<Page> {
  await signInAs(consoleWindow(), person)
  await openPageAndSettle(consoleWindow().page, `${person.url}/`)
  return consoleWindow().page
}

test('a new instance welcomes its first person with the first steps, which can be hidden and brought back', async () => {
  const { ada, service } = opened()
  const page = await openHome(ada)
  await page.getByRole('heading', { level: 1, name: 'Welcome, Ada' }).waitFor()
  const list = page.getByRole('region', { name: 'Get started' })
  await list.getByText('0 of 7 done').waitFor()
  assert.equal(await page.getByRole('heading', { level: 2 }).count(), 1)
  await assertAccessible(page, 'home-new')
  await assertFitsPhone(page, 'home-new')
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 844 })
    await assertNoHorizontalScroll(page, `home-new-${width}`)
    await saveScreenshots(page, `home-new-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await list.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByText('The list is hidden.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).press('Enter')
  await list.waitFor()
  await page.locator('#main:focus').waitFor()
  await page.route('**/web/marks/**', refuse)
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByRole('alert').waitFor()
  await list.waitFor()
  await page.unroute('**/web/marks/**')
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByText('No meetings yet').waitFor()
  await page.reload()
  await page.getByText('No meetings yet').waitFor()
  assert.equal(await list.count(), 0)
  await assertAccessible(page, 'home-no-meetings')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('get-started')
  await page.getByRole('option', { name: 'Show the get-started list' }).waitFor()
  await page.keyboard.press('Enter')
  await list.waitFor()
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await visitPage(page, `${service.url}/account`)
  await page.getByRole('button', { name: 'Show the list again' }).click()
  await page.getByText('The list is on your home page').waitFor()
  await openPageAndSettle(page, `${service.url}/`)
  await list.waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

/** Meetings of many days, newest first: three of today, two of yesterday and then two each day. */
function createMeetings(count: number): SeededMeeting[] {
  return Array.from({ length: count }, (_, i) => {
    const daysAgo = i < 3 ? 0 : 1 + Math.floor((i - 3) / 2)
    const [title, gist] = EXAMPLE_TOPICS[i % EXAMPLE_TOPICS.length] ?? EXAMPLE_TOPICS[0]
    const startedAt = new Date(2026, 10, 17 - daysAgo, 14 - (i % 3) * 2)
    return { title, startedAt, summary: [gist, 'More was said.'] }
  })
}

const MY_ACTIONS = [
  { text: 'Send Northwind the offer', owner: 'Ada Lovelace', dueDate: '2026-11-16' },
  { text: 'Invite both candidates', owner: 'Ada', dueDate: '2026-11-19' },
  { text: 'Write the note about the outage', owner: 'LOVELACE, ADA', dueDate: '2026-11-20' },
  { text: 'Ask for two more desks', owner: 'ada@example.com' },
  { text: 'Plan the next design critique', owner: 'Ada Lovelace' },
  { text: 'Read the report about filters', owner: 'Ada Lovelace' },
  { text: 'Something that Ben does', owner: 'Ben Carter', dueDate: '2026-11-18' },
]

/** The line about the newest meeting, which has these action items and no decisions. */
const NEWEST_GIST = '7 actions: Send Northwind the offer'

test('an instance with 203 meetings shows those of today and yesterday with what they were about', async () => {
  const { ada, seed } = opened()
  const [newest, ...older] = createMeetings(203)
  assert.ok(newest)
  await seed([
    { title: 'Board call', startedAt: new Date(2026, 10, 17, 9), failure: 'denied' },
    { ...newest, actions: MY_ACTIONS },
    ...older,
  ])
  const { page } = consoleWindow()
  const lists: string[] = []
  page.on('request', (request) => {
    if (/\/web\/meetings(?:\?|$)/.test(request.url())) lists.push(request.url())
  })
  await openHome(ada)
  await page.getByRole('heading', { level: 1, name: 'Good afternoon, Ada' }).waitFor()
  const today = page.getByRole('region', { name: 'Today' }).getByRole('listitem')
  await today.nth(3).waitFor()
  assert.equal(await today.count(), 4)
  await today.filter({ hasText: EXAMPLE_TOPICS[0][0] }).getByText(NEWEST_GIST).waitFor()
  await today
    .filter({ hasText: 'Board call' })
    .getByText(/request to join was denied|did not let|refused/)
    .waitFor()
  const yesterday = page.getByRole('region', { name: 'Yesterday' }).getByRole('listitem')
  assert.equal(await yesterday.count(), 2)
  assert.equal(await page.getByRole('region', { name: 'Earlier' }).count(), 0)
  const topOf = async (name: string) =>
    (await page.getByRole('region', { name }).boundingBox())?.y ?? 0
  assert.ok((await topOf('Today')) < (await topOf('Get started')))
  assert.equal(new Set(lists).size, 2)

  await assertAccessible(page, 'home-full')
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await assertNoHorizontalScroll(page, `home-full-${width}`)
    await saveScreenshots(page, `home-full-${width}`)
  }
  // The whole row is a link, including its text.
  const text = await today
    .filter({ hasText: EXAMPLE_TOPICS[0][0] })
    .getByText(NEWEST_GIST)
    .boundingBox()
  await page.mouse.click((text?.x ?? 0) + 10, (text?.y ?? 0) + 10)
  await page.waitForURL(/\/meetings\/meeting_/)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('own action items are ticked, unticked and found under “Mine”', async () => {
  const { ada, service } = opened()
  const page = await openHome(ada)
  const mine = page.getByRole('region', { name: 'My open action items' })
  await mine.getByRole('listitem').nth(4).waitFor()
  assert.equal(await mine.getByRole('listitem').count(), 5)
  const first = mine.getByRole('listitem').first()
  await first.getByText('Overdue').waitFor()
  const box = first.getByRole('checkbox', { name: 'Send Northwind the offer' })
  await box.press('Space')
  const listDone = async () => {
    const { body } = await ada.get('/web/actions?mine=true&state=done')
    return (body['actions'] as Array<{ text: string }>).map(({ text }) => text)
  }
  await eventually(async () => ((await listDone()).length === 1 ? true : null))
  assert.equal(await box.isChecked(), true)
  await box.press('Space')
  await eventually(async () => ((await listDone()).length === 0 ? true : null))
  await box.press('Space')
  await eventually(async () => ((await listDone()).length === 1 ? true : null))

  await mine.getByRole('link', { name: /All of mine|Open the list/ }).click()
  await page.waitForURL(/\/actions\?mine=true/)
  await openPageAndSettle(page, page.url())
  await page.getByRole('checkbox', { name: 'Read the report about filters' }).waitFor()
  const boxes = page.locator('.action-list').getByRole('checkbox')
  assert.equal(await boxes.count(), 5)
  await page.getByLabel('State').selectOption('done')
  await page.getByRole('checkbox', { name: 'Send Northwind the offer' }).waitFor()
  assert.equal(await boxes.count(), 1)
  await page.getByLabel('State').selectOption('open')
  await page.getByLabel('Mine', { exact: true }).uncheck()
  await page.getByRole('checkbox', { name: 'Something that Ben does' }).waitFor()
  await assertAccessible(page, 'actions-mine')
  const ben = await opened().addPerson('Nobody Inparticular')
  await signInAs(consoleWindow(), ben)
  await openPageAndSettle(page, `${service.url}/actions?mine=true`)
  await page.getByText('You have no open action items').waitFor()
  await assertFitsPhone(page, 'actions-mine-none')
})

test('what needs attention is dismissed for one person, and only something new appears again', async () => {
  const { seed, addPerson } = opened()
  const [ben, cleo] = [await addPerson('Ben'), await addPerson('Cleo')]
  const failed = (title: string, minute: number): SeededMeeting => ({
    title,
    startedAt: new Date(2026, 10, 17, 10, minute),
    failure: 'lobby_timeout',
  })
  await seed([failed('First try', 1)])
  const page = await openHome(ben)
  const items = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  await items.filter({ hasText: 'First try' }).waitFor()
  await assertAccessible(page, 'home-attention')
  await page.getByRole('button', { name: 'Dismiss: First try' }).press('Enter')
  await items.filter({ hasText: 'First try' }).waitFor({ state: 'detached' })
  // The focus moves to another item, or to the page if none is left.
  const focused = await page.evaluate<string>(
    'document.activeElement.id || document.activeElement.ariaLabel',
  )
  assert.match(focused, /^main$|^Dismiss: /)
  await seed([failed('Second try', 2)])
  await eventually(async () => {
    const { body } = await ben.get('/web/marks')
    return (body['marks'] as unknown[]).length > 0 ? true : null
  })
  await page.reload()
  await items.filter({ hasText: 'Second try' }).waitFor()
  assert.equal(await items.filter({ hasText: 'First try' }).count(), 0)
  await openHome(cleo)
  await items.filter({ hasText: 'First try' }).waitFor()
})

test('a task that needs a language model, while none is set up, needs attention', async () => {
  const { addPerson, service } = opened()
  const emil = await addPerson('Emil')
  writeFileSync(join(service.dataFolder, 'scheduled-prompts/thinking.md'), 'What is new?\n')
  const task = { name: 'thinking', promptName: 'thinking', cronExpression: '0 9 * * 1' }
  const { body } = await emil.post('/web/tasks', task)
  assert.equal(body.error, undefined)
  const page = await openHome(emil)
  const item = page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ hasText: 'needs a language model' })
  await item.getByRole('link', { name: 'thinking' }).waitFor()
  await page.getByRole('button', { name: /^Dismiss: task thinking/ }).click()
  await item.waitFor({ state: 'detached' })
  const runs = page.getByRole('region', { name: 'Scheduled tasks' })
  await runs.getByRole('link', { name: 'thinking' }).waitFor()
})

test('a step that a person has done stays done for this person only', async () => {
  const { addPerson, service } = opened()
  const dora = await addPerson('Dora')
  const { id } = await dora.createToken({ name: 'doras' })
  const { page } = consoleWindow()
  let [refused, reads] = [0, 0]
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/web/marks')) reads += 1
  })
  await page.route('**/web/marks/**', (route) => {
    refused += 1
    return refuse(route)
  })
  await openHome(dora)
  const step = page.getByRole('listitem').filter({ hasText: 'Create an API token' })
  await step.getByText('done').waitFor()
  // After the error the marks are read again. A second attempt would begin during the requests that follow.
  await eventually(async () => (reads >= 2 ? true : null))
  for (let i = 0; i < 3; i += 1) await page.evaluate("fetch('/web/profile').then((r) => r.text())")
  assert.equal(refused, 1)
  await page.unroute('**/web/marks/**')
  await openPageAndSettle(page, `${service.url}/`)
  await step.getByText('done').waitFor()
  await eventually(async () => {
    const { body } = await dora.get('/web/marks')
    return (body['marks'] as unknown[]).length === 1 ? true : null
  })
  await dora.delete(`/web/tokens/${id}`)
  await openPageAndSettle(page, `${service.url}/`)
  await step.getByText('done').waitFor()
  await page.getByText('1 of 7 done').waitFor()
  for (const name of ['practice', 'recap', 'inbox', 'task', 'real_meeting', 'calendar']) {
    await dora.put(`/web/marks/get_started/${name}`, {})
  }
  await openPageAndSettle(page, `${service.url}/`)
  await page.getByRole('region', { name: 'Today' }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Get started' }).count(), 0)
  // With more meetings than fit on a page, yesterday is still there, and the rest of today is counted.
  await opened().seed(
    Array.from({ length: 40 }, (_, i) => ({
      title: `Busy ${i}`,
      startedAt: new Date(2026, 10, 17, 15, i % 30),
    })),
  )
  await openPageAndSettle(page, `${service.url}/`)
  await page.getByRole('region', { name: 'Yesterday' }).waitFor()
  await page
    .getByRole('region', { name: 'Today' })
    .getByRole('link', { name: /^\d\d more$/ })
    .waitFor()
  await visitPage(page, `${service.url}/account`)
  assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('get')
  await page.getByText('Ask: get').waitFor()
  assert.equal(await page.getByRole('option', { name: 'Show the get-started list' }).count(), 0)
})

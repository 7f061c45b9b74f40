import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import {
  addCalendar,
  addEarlierMeeting,
  addOccurrence,
  makePrivate,
} from '../support/brief/brief-seeds.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  assertPagesAccessible,
  openConsoleAs,
  openPageAndSettle,
  signInAs,
  visitPage,
} from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { seedMeetingsWithRecaps } from '../support/meetings/seed-recap.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const HOSTILE = '<img src=x onerror="window.__pwned=1">'
const DAY_MS = 86_400_000

let world: AccessWorld
before(async () => {
  world = await startAccessWorld()
})
after(() => world[Symbol.asyncDispose]())

/** The window of all tests, each of which signs in as another person. */
const consoleWindow = openForFile(async () =>
  openIsolatedWindow(await openSharedBrowser(), world.url),
)

type Person = Awaited<ReturnType<AccessWorld['addUser']>>

const toClient = ({ session }: Person) => ({ url: world.url, cookie: session['cookie'] ?? '' })

/** Signs in and opens a page. */
async function openAs(person: Person, path: string): Promise<Page> {
  await signInAs(consoleWindow(), toClient(person))
  await openPageAndSettle(consoleWindow().page, `${world.url}${path}`)
  return consoleWindow().page
}

/** Stores a meeting with one decision, and two with three decisions and an action item, one of them of an earlier month. */
async function seedProject(project: string) {
  const now = Date.now()
  await world.plant(project, `word${project}`)
  await seedMeetingsWithRecaps(world.databaseUrl, [
    {
      title: `Old ${project}`,
      project,
      startedAt: new Date(now - 40 * DAY_MS),
      summary: ['It was about prices.'],
      decisions: [{ text: 'The price stays as it is.', speaker: 'Ada Lang' }],
    },
    {
      title: `New ${project}`,
      project,
      startedAt: new Date(now),
      summary: ['It was about the release.'],
      decisions: [
        { text: `We ship on Friday ${HOSTILE}`, speaker: 'Ben Carter' },
        { text: 'No meetings on Mondays.', speaker: null },
      ],
      actions: [{ text: 'Write the release note', owner: 'Ben Carter', dueDate: '2026-12-24' }],
    },
  ])
}

test('decisions of all meetings are listed, filtered by project, week and person, and lead to their lines and back', async () => {
  const ada = await world.addUser()
  await seedProject('alpha')
  await seedProject('beta')
  const page = await openAs(ada, '/')
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor()
  const items = page.getByRole('main').getByRole('listitem')
  await eventually(async () => ((await items.count()) === 8 ? true : null))
  await page.getByLabel('Project').fill('alpha')
  await page.waitForURL(/project=alpha/)
  await eventually(async () => ((await items.count()) === 4 ? true : null))
  await items.filter({ hasText: /^We ship on Friday <img/ }).waitFor()
  await page.getByLabel('Week').selectOption({ label: 'This week' })
  await page.waitForURL(/week=\d{4}-\d\d-\d\d/)
  await eventually(async () => ((await items.count()) === 3 ? true : null))
  await page.getByLabel('Person').fill('carter')
  await eventually(async () => ((await items.count()) === 1 ? true : null))
  const citation = page.getByRole('link', { name: /^Ben Carter: We ship on Friday/ })
  await citation.click()
  await page.waitForURL(/\/meetings\/.+#line-1$/)
  await page.goBack()
  await citation.and(page.locator(':focus')).waitFor()
  await page.getByLabel('Person').fill('nobody')
  await page.getByText('No decisions match these filters').waitFor()
  await page.getByRole('link', { name: 'Show all decisions' }).click()
  await eventually(async () => ((await items.count()) === 8 ? true : null))
  await assertPagesAccessible(consoleWindow(), { decisions: `${world.url}/decisions` })
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a project shows its decisions and action items, and the list follows what other people change', async () => {
  const [ada, ben] = [await world.addUser(), await world.addUser()]
  await seedProject('gamma')
  const page = await openAs(ada, '/projects/gamma')
  await using other = await openConsoleAs(await openSharedBrowser(), toClient(ben))
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await decisions.getByText('We ship on Friday').waitFor()
  const actions = page.getByRole('region', { name: 'Open action items' })
  await actions.getByRole('checkbox', { name: 'Write the release note' }).waitFor()
  await actions.getByRole('link', { name: /^New gamma: Write/ }).waitFor()
  await assertPagesAccessible(consoleWindow(), {
    'project-decisions': `${world.url}/projects/gamma`,
  })
  await decisions.getByRole('link', { name: 'Open the list' }).click()
  await page.waitForURL(/\/decisions\?project=gamma$/)

  await openPageAndSettle(other.page, `${world.url}/decisions?project=gamma`)
  const menu = other.page.getByRole('button', { name: 'Edit or delete “No meetings on Mondays.”' })
  await menu.press('Enter')
  await other.page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await other.page.getByRole('textbox', { name: 'Decision' }).fill('No meetings on Tuesdays.')
  await other.page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('No meetings on Tuesdays.').waitFor()
  await page
    .getByRole('button', { name: 'Edit or delete “No meetings on Tuesdays.”' })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('button', { name: 'Delete statement' }).press('Enter')
  await other.page.getByText('No meetings on Tuesdays.').waitFor({ state: 'detached' })
  assert.deepEqual([...consoleWindow().pageErrors, ...other.pageErrors], [])
})

test('a reader sees decisions and recaps without anything that changes them', async () => {
  const [owner, reader] = [await world.addUser(), await world.addUser()]
  await seedProject('delta')
  await world.addMember('delta', owner.userId, 'owner')
  await world.setAccess('delta', 'private')
  await world.addMember('delta', reader.userId, 'reader')
  const page = await openAs(reader, '/decisions?project=delta')
  await page.getByText('We ship on Friday').waitFor()
  await page
    .getByRole('button', { name: /^Edit or delete/ })
    .first()
    .waitFor({ state: 'detached' })
  const { body } = await world.call(reader.session, 'GET', '/web/decisions?project=delta')
  const [{ meetingId }] = body['decisions'] as [{ meetingId: string }]
  await visitPage(page, `${world.url}/meetings/${meetingId}`)
  assert.equal(await page.getByRole('button', { name: /^Edit or delete/ }).count(), 0)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

const LONG_HOSTILE = `${HOSTILE} ${'long'.repeat(40)}`
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000)

test('the brief of an upcoming meeting has what was said before, linked to its lines, and nothing hidden', async () => {
  const person = await world.addUser()
  const { db } = world
  const calendar = await addCalendar(db, { userId: person.userId, address: 'me@example.com' })
  const series = 'harbour'
  const last = await addEarlierMeeting(db, {
    title: 'Harbour sync',
    at: hoursFromNow(-7 * 24),
    series,
    recap: {
      decisions: [{ text: 'The crane moves to pier two', speaker: 'Ben', line: 2 }],
      questions: [{ text: LONG_HOSTILE, speaker: 'Eve', line: 3 }],
      actions: [{ text: 'Order the new ropes', owner: 'Ben', due: '2020-11-20', line: 1 }],
    },
  })
  await makePrivate(db, 'hidden', [])
  await addEarlierMeeting(db, {
    title: 'Hidden harbour',
    at: hoursFromNow(-24),
    series,
    project: 'hidden',
    recap: { decisions: [{ text: 'Nobody else may know', line: 1 }] },
  })
  const people = ['me', 'ben', 'eve']
  await addOccurrence(db, calendar, {
    uid: series,
    title: 'Harbour sync',
    startsAt: hoursFromNow(2),
    people,
  })
  await addOccurrence(db, calendar, { uid: 'new', title: 'First talk', startsAt: hoursFromNow(3) })

  const page = await openAs(person, '/upcoming')
  await page.getByRole('button', { name: 'Brief of “Harbour sync”' }).click()
  const todo = page.getByRole('region', { name: 'Still to do' }).getByRole('listitem')
  await todo.getByText('Order the new ropes').waitFor()
  await todo.getByText('Overdue').waitFor()
  const href = await todo.getByRole('link').getAttribute('href')
  assert.equal(href, `/meetings/${last}#line-1`)
  await page
    .getByRole('region', { name: 'Decided before' })
    .getByText('The crane moves to pier two')
    .waitFor()
  await page.getByRole('region', { name: 'Open questions' }).getByText('<img src=x').waitFor()
  await page.getByText('Invited: me@example.com, ben@example.com, eve@example.com').waitFor()
  assert.doesNotMatch(await page.content(), /Hidden harbour|Nobody else/)
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  await assertAccessible(page, 'upcoming-brief')
  await assertFitsPhone(page, 'upcoming-brief')

  await page.getByRole('button', { name: 'Brief of “Harbour sync”' }).click()
  await todo.first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Brief of “First talk”' }).click()
  await page.getByText('No earlier meeting of this series').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import {
  addCalendar,
  addEarlierMeeting,
  addOccurrence,
  makePrivate,
} from '../support/brief/brief-seeds.ts'
import {
  assertAccessible,
  assertFitsPhone,
  openPageAndSettle,
  signInAs,
} from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'

const HOSTILE = `<img src=x onerror="window.__pwned=1"> ${'long'.repeat(40)}`
const HOUR_MS = 3_600_000
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

let world: AccessWorld
const opened = new AsyncDisposableStack()
before(async () => {
  world = opened.use(await startAccessWorld())
})
after(() => opened.disposeAsync())

const consoleWindow = openForFile(async () =>
  openIsolatedWindow(await openSharedBrowser(), world.url),
)

test('the brief of an upcoming meeting has what was said before, linked to its lines, and nothing hidden', async () => {
  const { userId, session } = await world.addUser()
  const { db } = world
  const calendar = await addCalendar(db, { userId, address: 'me@example.com' })
  const series = 'harbour'
  const last = await addEarlierMeeting(db, {
    title: 'Harbour sync',
    at: hoursFromNow(-7 * 24),
    series,
    recap: {
      decisions: [{ text: 'The crane moves to pier two', speaker: 'Ben', line: 2 }],
      questions: [{ text: HOSTILE, speaker: 'Eve', line: 3 }],
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

  await signInAs(consoleWindow(), { url: world.url, cookie: session['cookie'] ?? '' })
  const { page } = consoleWindow()
  await openPageAndSettle(page, `${world.url}/upcoming`)
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

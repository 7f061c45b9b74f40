import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ApiUpcoming } from '../../src/http/shapes/calendars.ts'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone, openPageAndSettle, signInAs } from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const SECRET = 'private-4fJq0Zb1'
const HOSTILE = `<img src=x onerror="window.__pwned=1"> \u202E שבועית ${'long'.repeat(40)}`
const HOUR_MS = 3_600_000

let world: AccessWorld
let feedUrl: string
/** While this is set, the slow feed is answered only when the test calls these functions. */
let held: Array<() => void> | null = null
const opened = new AsyncDisposableStack()
before(async () => {
  world = opened.use(await startAccessWorld())
  feedUrl = await openFeedServer()
})
after(() => opened.disposeAsync())

/** The window of all tests, each of which signs in as another person. */
const consoleWindow = openForFile(async () =>
  openIsolatedWindow(await openSharedBrowser(), world.url),
)

/** Serves the calendar of `me@example.com`. `slow.ics` has the same content, the others have one meeting now. */
async function openFeedServer(): Promise<string> {
  const feed = toFeed([
    {
      title: 'Harbour sync',
      inHours: 2,
      rule: 'FREQ=DAILY;COUNT=3',
      link: 'https://meet.google.com/aaa-bbbb-ccc',
    },
    { title: 'Private talk', inHours: 3, link: 'https://meet.google.com/ddd-eeee-fff' },
    { title: HOSTILE, inHours: 4, link: 'https://meet.google.com/ggg-hhhh-iii' },
    {
      title: 'Open invitation',
      inHours: 5,
      link: 'https://meet.google.com/jjj-kkkk-lll',
      response: 'NEEDS-ACTION',
    },
    { title: 'Dentist', inHours: 6 },
  ])
  const live = { inHours: 0, link: 'practice://long?speed=1' }
  const feeds = new Map([
    [`/${SECRET}/basic.ics`, feed],
    [`/${SECRET}/slow.ics`, feed],
    [`/${SECRET}/live.ics`, toFeed([{ title: 'Live call', ...live }])],
    [`/${SECRET}/second.ics`, toFeed([{ title: 'Second invitation', ...live }])],
  ])
  const answer = (text: string | undefined, response: ServerResponse) => {
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/calendar' })
    response.end(text)
  }
  const server = createServer((request, response) => {
    const text = feeds.get(request.url ?? '')
    if (held !== null && request.url?.endsWith('slow.ics')) held.push(() => answer(text, response))
    else answer(text, response)
  })
  opened.defer(() => server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}/basic.ics`
}

type FeedEvent = { title: string; inHours: number; rule?: string; link?: string; response?: string }

function toFeed(events: FeedEvent[]): string {
  const now = Date.now()
  const toText = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const lines = events.flatMap(({ title, inHours, rule, link, response = 'ACCEPTED' }, index) => [
    'BEGIN:VEVENT',
    `UID:event-${index}@example.com`,
    `DTSTAMP:${toText(now)}`,
    `DTSTART:${toText(now + inHours * HOUR_MS)}`,
    `DTEND:${toText(now + inHours * HOUR_MS + HOUR_MS / 2)}`,
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `SUMMARY:${title}`,
    ...(link === undefined ? [] : [`LOCATION:${link}`]),
    'ORGANIZER:mailto:host@example.com',
    `ATTENDEE;PARTSTAT=${response}:mailto:me@example.com`,
    'END:VEVENT',
  ])
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR']
  return `${all.join('\r\n')}\r\n`
}

async function openUpcoming(session: Record<string, string>): Promise<Page> {
  await signInAs(consoleWindow(), { url: world.url, cookie: session['cookie'] ?? '' })
  const { page } = consoleWindow()
  await openPageAndSettle(page, `${world.url}/upcoming`)
  return page
}

function listItem(page: Page, text: string) {
  return page.getByRole('listitem').filter({ hasText: text })
}

test('a calendar is connected after its preview, one meeting is skipped, and the home page shows the next', async () => {
  const { session } = await world.addUser()
  const page = await openUpcoming(session)
  await page.getByText('Connect your calendar', { exact: true }).waitFor()
  await assertAccessible(page, 'upcoming-empty')
  await page.getByRole('link', { name: 'Connect a calendar' }).click()
  await page.getByText('No calendar is connected').waitFor()
  await page.getByRole('button', { name: 'Connect a calendar' }).click()

  const dialog = page.getByRole('dialog', { name: 'Connect a calendar' })
  await dialog.getByText('Outlook', { exact: true }).click()
  await dialog.getByText('Can view all details').waitFor()
  await dialog.getByLabel('Secret address').fill(feedUrl.replace('basic', 'wrong'))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').getByText('There is no calendar at this address').waitFor()
  await assertAccessible(page, 'calendar-address')
  await assertFitsPhone(page, 'calendar-address')
  await dialog.getByLabel('Secret address').fill(feedUrl)
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await dialog.getByText('Hansard would join 6 of 7 events.').waitFor()
  await dialog.getByLabel('Your email address in this calendar').fill('me@example.com')
  await dialog.getByLabel('Only meetings you accepted or organise').check()
  await dialog.getByText('Hansard would join 5 of 7 events.').waitFor()
  await dialog.getByLabel('Never if the title contains').fill('private\nlunch')
  await dialog.getByText('Hansard would join 4 of 7 events.').waitFor()
  const preview = dialog.getByRole('region', { name: 'The next two weeks' })
  const talk = preview.getByRole('listitem').filter({ hasText: 'Private talk' })
  await talk.getByText('The title contains a word that your rules exclude.').waitFor()
  await assertAccessible(page, 'calendar-rules')
  await assertFitsPhone(page, 'calendar-rules')
  const listCalendars = () => world.call(session, 'GET', '/web/calendars')
  assert.deepEqual((await listCalendars()).body, { calendars: [] })
  await dialog.getByText('Only you and people you add to your private project').waitFor()
  await dialog.getByLabel('Name of the calendar').fill('Work')
  await dialog.getByRole('button', { name: 'Connect calendar' }).click()
  await page.getByText('Work is connected.').waitFor()
  assert.doesNotMatch(await page.content(), new RegExp(SECRET))
  assert.doesNotMatch(JSON.stringify((await listCalendars()).body), new RegExp(SECRET))

  await page.getByRole('link', { name: 'See its meetings' }).click()
  const first = listItem(page, 'Harbour sync').first()
  const join = first.getByRole('switch', { name: 'Join “Harbour sync”' })
  await join.waitFor()
  assert.equal(await join.isChecked(), true)
  await listItem(page, 'Open invitation')
    .getByText('You have not accepted the invitation')
    .waitFor()
  assert.equal(await listItem(page, 'Dentist').getByRole('switch').count(), 0)
  await join.press('Space')
  await first.getByText('Skipped manually').waitFor()
  await assertAccessible(page, 'upcoming')
  await assertFitsPhone(page, 'upcoming')

  await first.getByRole('button', { name: 'Back to the rules' }).click()
  await first.getByText('Skipped manually').waitFor({ state: 'detached' })
  assert.equal(await join.isChecked(), true)
  await join.press('Space')
  await first.getByText('Skipped manually').waitFor()
  await page.getByText('Only what Hansard joins').click()
  await page.waitForURL(/show=joining/)
  await page.getByText('Skipped manually').waitFor({ state: 'detached' })
  assert.equal(await listItem(page, 'Harbour sync').count(), 2)

  await page.getByRole('link', { name: 'Home', exact: true }).click()
  const next = page.getByRole('region', { name: 'Upcoming' }).getByRole('listitem')
  await next.filter({ hasText: 'window.__pwned' }).waitFor()
  assert.equal(await next.count(), 3)
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  await assertAccessible(page, 'home-next-meetings')
  await assertFitsPhone(page, 'home-next-meetings')
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a preview that is refused while others are read comes later', async () => {
  const { session } = await world.addUser()
  const page = await openUpcoming(session)
  await page.getByRole('link', { name: 'Connect a calendar' }).click()
  await page.getByRole('button', { name: 'Connect a calendar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a calendar' })
  await dialog.getByLabel('Secret address').fill(feedUrl.replace('basic', 'slow'))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Hansard would join 6 of 7 events.').waitFor()

  const waiting: Array<() => void> = []
  held = waiting
  await dialog.getByLabel('Your email address in this calendar').fill('me@example.com')
  await eventually(() => waiting[0] ?? null)
  // Identified by its content, because the browser may report the first request only now.
  const second = page.waitForRequest(
    (request) => request.postData()?.includes('"onlyAccepted":true') ?? false,
  )
  await dialog.getByLabel('Only meetings you accepted or organise').check()
  await second
  const refused = page.waitForResponse((response) => response.status() === 429)
  await dialog.getByLabel('Never if the title contains').fill('private')
  await refused
  held = null
  for (const answer of waiting) answer()
  await dialog.getByText('Hansard would join 4 of 7 events.').waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('turning the switch off during a meeting asks first, and then the bot leaves', async () => {
  const { session } = await world.addUser()
  const connect = (name: string) => {
    const url = feedUrl.replace('basic', name)
    return world.call(session, 'POST', '/web/calendars', { name, url, project: 'live' })
  }
  await connect('live')
  const meetingId = await eventually(async () => {
    const { body } = await world.call(session, 'GET', '/web/upcoming')
    return (body as ApiUpcoming).upcoming[0]?.meetingId ?? null
  })
  await connect('second')
  const page = await openUpcoming(session)
  const live = listItem(page, 'Live call')
  const second = listItem(page, 'Second invitation')
  await second.getByText('Another bot of the same project').waitFor()
  assert.equal(await second.getByRole('switch').count(), 1)

  const join = live.getByRole('switch', { name: 'Join “Live call”' })
  await join.press('Space')
  const question = page.getByRole('dialog', { name: 'Stop attending this meeting?' })
  await question.waitFor()
  await assertAccessible(page, 'upcoming-stop')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await join.isChecked(), true)
  await join.press('Space')
  await question.getByRole('button', { name: 'Stop and leave' }).click()
  await live.getByText('Skipped manually').waitFor()
  await world.waitForEnd(meetingId)
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a broken calendar is shown with its problem, and is repaired, paused and removed', async () => {
  const { session, userId } = await world.addUser()
  const tokens = [
    await world.addToken({ creatorId: userId }),
    await world.addToken({ creatorId: userId }),
  ]
  const signing = { callbackUrl: 'http://127.0.0.1:9/hook', tokenId: tokens[0]?.id }
  const url = feedUrl.replace('basic', 'wrong')
  await world.call(session, 'POST', '/web/calendars', { name: 'Team', url, ...signing })
  const page = await openUpcoming(session)
  await page.getByText('Team can’t be read since').waitFor()
  await page.getByText('There is no calendar at this address any more').waitFor()
  assert.doesNotMatch(await page.locator('#main').innerText(), /\.\./)
  await assertAccessible(page, 'upcoming-broken')
  await page.getByRole('link', { name: 'Calendar settings' }).click()

  const card = listItem(page, 'Team')
  await card.getByText('Can’t be read', { exact: true }).waitFor()
  assert.doesNotMatch(await card.innerText(), /\.\./)
  await assertAccessible(page, 'calendars')
  await assertFitsPhone(page, 'calendars')
  await card.getByRole('button', { name: 'Edit Team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit calendar' })
  const tokenField = dialog.getByLabel('Sign with token')
  assert.equal(await tokenField.inputValue(), signing.tokenId)
  assert.notEqual(await tokenField.locator('option').first().getAttribute('value'), signing.tokenId)
  assert.equal(await dialog.getByLabel('New secret address').inputValue(), '')
  await dialog.getByLabel('New secret address').fill(feedUrl)
  await dialog.getByLabel('Only if the title contains').fill('harbour')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Connected', { exact: true }).waitFor()
  await card.getByText('Only titles with “harbour”.').waitFor()
  const { body } = await world.call(session, 'GET', '/web/calendars')
  assert.partialDeepStrictEqual(body, { calendars: [signing] })

  await card.getByRole('button', { name: 'Edit Team' }).click()
  await dialog.getByText('Hansard would join 3 of 7 events.').waitFor()
  await assertAccessible(page, 'calendar-edit')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await card.getByRole('button', { name: 'Pause Team' }).click()
  await card.getByText('Paused', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Resume Team' }).click()
  await card.getByText('Connected', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Remove Team' }).click()
  await page.getByRole('button', { name: 'Remove calendar' }).click()
  await page.getByText('No calendar is connected').waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a meeting is added by its link and time, and is cancelled', async () => {
  const { session } = await world.addUser()
  const page = await openUpcoming(session)
  await page.getByRole('button', { name: 'Add by link and time' }).click()
  const form = page.getByRole('region', { name: 'Add by link and time' })
  await form.getByLabel('Meeting link').fill('practice://standup')
  await form.getByLabel('Title').fill('Customer call')
  await form.getByRole('button', { name: 'Add meeting' }).click()
  assert.equal(await form.getByLabel('Join at').getAttribute('aria-invalid'), 'true')
  const inTwoDays = new Date(Date.now() + 48 * HOUR_MS).toISOString().slice(0, 11)
  await form.getByLabel('Join at').fill(`${inTwoDays}09:30`)
  await assertAccessible(page, 'upcoming-add')
  await assertFitsPhone(page, 'upcoming-add')
  await form.getByRole('button', { name: 'Add meeting' }).click()
  await form.getByText('Added. Hansard joins on').waitFor()
  const call = listItem(page, 'Customer call')
  await call.getByText('09:30').waitFor()
  await call.getByRole('button', { name: 'Cancel “Customer call”' }).click()
  await page.getByRole('button', { name: 'Don’t join it' }).click()
  await call.waitFor({ state: 'detached' })
  assert.deepEqual(consoleWindow().pageErrors, [])
})

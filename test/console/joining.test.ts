import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeNetworkFault } from '../../src/bots/browser/network/reachability/network-faults.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openStagedService } from '../support/service/open-staged-service.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => openStagedService())
/** The window of the tests that open their own meeting's page. */
const consoleWindow = openForFile(async () =>
  openConsoleAs(await openSharedBrowser(), opened().ada),
)

/** Starts a meeting and waits until it is over. */
async function endedMeeting(person: HttpClient, body: Record<string, unknown>): Promise<string> {
  const answer = await person.post('/web/meetings/start', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const id = String(answer.body['meetingId'])
  await eventually(async () => {
    const { status } = await readMeeting(person, id)
    return status === 'ended' || status === 'error' ? true : null
  })
  return id
}

async function readMeeting(person: HttpClient, id: string) {
  return (await person.get(`/web/meetings/${id}`)).body['meeting'] as Record<string, unknown>
}

test('a meeting that needs a sign-in starts again with a bot account, and leads back to the first attempt', async () => {
  const { service, stage, ada } = opened()
  stage.room('shut').emit({ kind: 'over', because: 'sign_in_required' })
  const id = await endedMeeting(ada, { url: 'stage://shut', title: 'Board', project: 'board' })
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  const notice = page.getByRole('note')
  await notice.getByText('Only people who are signed in can join this meeting.').waitFor()
  await page.getByText('Sign-in needed', { exact: true }).waitFor()
  // Nothing was recorded, so there is neither a transcript nor a recap.
  assert.equal(await page.getByRole('log', { name: 'Transcript' }).count(), 0)
  assert.equal(await page.getByRole('heading', { name: 'Recap' }).count(), 0)
  await saveScreenshots(page, 'failed-join')

  await notice.getByRole('button', { name: 'Use a bot account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Use a bot account' })
  await dialog.getByText('There is no bot account for Google Meet yet.').waitFor()
  const link = dialog.getByRole('link', { name: 'Add one under System → Bot accounts' })
  assert.equal(await link.getAttribute('href'), '/system?tab=bot-accounts')

  const state = JSON.stringify(signedInState('google_meet', 'hidden'))
  const account = { name: 'notes', platform: 'google_meet', state }
  assert.equal((await ada.post('/web/system/bot-accounts', account)).status, 201)
  await openPageAndSettle(page, `${service.url}/meetings/${id}`)
  await notice.getByRole('button', { name: 'Use a bot account' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Bot account').selectOption('notes')
  await assertAccessible(page, 'the choice of a bot account')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL((url) => url.pathname !== `/meetings/${id}`)
  const earlier = page.getByRole('link', { name: 'Earlier attempt' })
  await earlier.waitFor()
  const again = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  assert.partialDeepStrictEqual(await readMeeting(ada, again), {
    account: 'notes',
    retryOf: id,
    title: 'Board',
    project: 'board',
  })
  await earlier.click()
  await page.waitForURL(`**/meetings/${id}`)
  await ada.post('/web/meetings/stop', { meetingId: again })
  assert.deepEqual(consoleWindow().pageErrors, [])
})

test('a page that could not be opened shows the words of the network check, and starts again', async () => {
  const { service, stage, ada } = opened()
  const fault = { name: 'name_not_found', host: 'meet.google.com', reason: 'ENOTFOUND' } as const
  const { what, fix } = describeNetworkFault(fault, 'Google Meet')
  const detail = `${what}. ${fix}`
  stage.room('offline').emit({ kind: 'over', because: 'page_not_loaded', detail })
  const id = await endedMeeting(ada, { url: 'stage://offline', title: 'Offline' })
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  const notice = page.getByRole('note')
  await notice.getByText(`${what}.`, { exact: true }).waitFor()
  await notice.getByText(`${fix}.`, { exact: true }).waitFor()
  await notice.getByRole('link', { name: 'Open system checks' }).waitFor()
  await assertFitsPhone(page, 'a failed join')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Earlier attempt' }).waitFor()
  const again = new URL(page.url()).pathname.split('/').at(-1)
  await ada.post('/web/meetings/stop', { meetingId: again })
})

test('a person who may not use the callbacks of a meeting tries again without them', async () => {
  const { service, stage, ada } = opened()
  const { id: tokenId } = await ada.createToken()
  stage.room('denied').emit({ kind: 'over', because: 'denied' })
  const callbackUrl = 'http://127.0.0.1:9/hook'
  const id = await endedMeeting(ada, {
    url: 'stage://denied',
    title: 'Sales',
    callbackUrl,
    tokenId,
  })
  assert.equal((await ada.request('DELETE', `/web/tokens/${tokenId}`, undefined, {})).status, 200)
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  const notice = page.getByRole('note')
  await notice.getByText('The host did not let the bot in').waitFor()
  await notice.getByText('Tell the host which name').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page
    .getByText('You may not start this meeting again and send its events to the other program')
    .waitFor()
  const withoutEvents = { name: 'Try again without sending events to the other program' }
  // Choosing a bot account does not send the events again either.
  await page.getByRole('button', { name: 'Use a bot account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Use a bot account' })
  await dialog.getByRole('button', withoutEvents).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', withoutEvents).click()
  await page.getByRole('link', { name: 'Earlier attempt' }).click()
  // While the new attempt is open, no one can send another bot.
  await notice.getByRole('link', { name: 'Open the new attempt' }).waitFor()
  assert.equal(await notice.getByRole('button').count(), 0)
  await assertAccessible(page, 'a meeting that is tried again')
  await notice.getByRole('link', { name: 'Open the new attempt' }).click()
  await page.waitForURL((url) => url.pathname !== `/meetings/${id}`)
  const again = new URL(page.url()).pathname.split('/').at(-1)
  await ada.post('/web/meetings/stop', { meetingId: again })
})

test('a bot account that was removed can be exchanged for a guest', async () => {
  const { service, stage, ada } = opened()
  const state = JSON.stringify(signedInState('google_meet', 'gone'))
  const account = { name: 'gone', platform: 'google_meet', state }
  assert.equal((await ada.post('/web/system/bot-accounts', account)).status, 201)
  stage.room('wrong').emit({ kind: 'over', because: 'meeting_not_found' })
  const id = await endedMeeting(ada, { url: 'stage://wrong', title: 'Guest', account: 'gone' })
  const removed = await ada.request('DELETE', '/web/system/bot-accounts/gone', undefined, {})
  assert.equal(removed.status, 200, JSON.stringify(removed.body))
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings/${id}`)
  // Trying the same link again helps little, so a new meeting comes first.
  await page.getByRole('note').getByRole('link', { name: 'Start a meeting' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Choose another bot account, or join as a guest').waitFor()
  await page.getByRole('button', { name: 'Change the bot account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the bot account' })
  await dialog.getByLabel('Bot account').selectOption('Guest, without an account')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Earlier attempt' }).waitFor()
  const again = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  assert.partialDeepStrictEqual(await readMeeting(ada, again), { account: null, retryOf: id })
  await ada.post('/web/meetings/stop', { meetingId: again })
})

test('the list and the page say how a meeting ended', async () => {
  const { service, ada } = opened()
  const id = await endedMeeting(ada, { url: 'practice://removed?speed=100', title: 'Removal' })
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings?q=Removal`)
  await page.getByText('Removed by a person in the meeting').first().waitFor()
  await visitPage(page, `${service.url}/meetings/${id}`)
  await page.getByText('Removed by a person in the meeting').waitFor()
  await page.getByRole('note').getByText('A person in the meeting removed the bot.').waitFor()
  // Lines that were recorded before the removal stay readable.
  await page.getByRole('log', { name: 'Transcript' }).waitFor()
})

const NOW = Date.now()

/** The value of a browser's time field: noon, some days ahead. */
function noonIn(days: number): string {
  return `${new Date(NOW + days * 86_400_000).toISOString().slice(0, 10)}T12:00`
}

test('a meeting is scheduled from the form, moved to another time and stopped before it begins', async () => {
  const { service, ada } = opened()
  const { page } = consoleWindow()
  await visitPage(page, `${service.url}/meetings`)
  await page.getByLabel('Meeting link').fill('stage://review')
  await page.getByLabel('Join at').fill(noonIn(200))
  await assertAccessible(page, 'schedule-form')
  const schedule = page.getByRole('button', { name: 'Schedule', exact: true })
  await schedule.click()
  await page.getByText('Must be at most 90 days ahead').waitFor()
  await page.getByLabel('Join at').fill(noonIn(2))
  await schedule.click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByRole('button', { name: 'Change time' }).waitFor()
  await page.getByText('Scheduled', { exact: true }).waitFor()
  await page.getByText('This meeting has not started').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Transcript and search' }).count(), 0)
  assert.equal(await page.getByLabel('Ask about this meeting').count(), 0)
  assert.equal(await page.getByText('0 participants').count(), 0)
  await assertAccessible(page, 'scheduled-meeting')
  const meetingId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const joinTime = async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}`)
    return (body['meeting'] as Record<string, string>)['joinAt']
  }
  /** The browser decides which time zone is local. */
  const toUtc = (local: string) => page.evaluate(`new Date('${local}').toISOString()`)
  assert.equal(await joinTime(), await toUtc(noonIn(2)))

  await page.getByRole('button', { name: 'Change time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the time' })
  const field = dialog.getByLabel('Join at')
  assert.equal(await field.inputValue(), noonIn(2))
  await field.fill(noonIn(3))
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await joinTime(), await toUtc(noonIn(3)))

  await visitPage(page, `${service.url}/meetings?status=scheduled`)
  await page
    .getByRole('row', { name: /Staged meeting/ })
    .getByText(/^Joins in \d+ days$/)
    .waitFor()
  await page.getByRole('link', { name: 'Staged meeting' }).click()
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  const cancelling = page.getByRole('dialog', { name: 'Cancel “Staged meeting”?' })
  await cancelling.getByText('Hansard will not join this meeting.').waitFor()
  await cancelling.getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByText('Ended', { exact: true }).waitFor()
  assert.deepEqual(consoleWindow().pageErrors, [])
})

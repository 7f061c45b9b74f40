import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import { createBotAccounts } from '../../src/bots/accounts/bot-accounts.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => startCalendarWorld())
/** A meeting that continues until its bot is stopped. Each test has a separate project, and so a separate room. */
const LINK = 'practice://long?speed=1'
type Headers = Record<string, string>

function findMeetings(project: string) {
  return opened()
    .db.selectFrom('meeting')
    .select(['id', 'status', 'title', 'url', 'join_at', 'expected_end_at', 'reason'])
    .where('project', '=', project)
    .orderBy('id')
    .execute()
}

function waitForStatus(project: string, status: string) {
  return eventually(
    async () => (await findMeetings(project)).find((one) => one.status === status) ?? null,
  )
}

/** Starts a bot by hand and waits until it is in the meeting. */
async function startByHand(session: Headers, project: string): Promise<string> {
  const { call } = opened()
  const { status, body } = await call(session, 'POST', '/web/meetings/start', {
    url: LINK,
    project,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return (await waitForStatus(project, 'live')).id
}

async function stop(session: Headers, project: string, id: string): Promise<void> {
  const { status, body } = await opened().call(session, 'POST', '/web/meetings/stop', {
    meetingId: id,
  })
  assert.equal(status, 200, JSON.stringify(body))
  await waitForStatus(project, 'ended')
}

/** Waits for the reason of a person's only upcoming meeting. */
function waitForReason(session: Headers, reason: string) {
  return eventually(async () => {
    const [upcoming] = await opened().listUpcoming(session)
    return upcoming?.reason === reason ? upcoming : null
  })
}

test('a bot that a person started attends the meeting, and none comes back after it was stopped', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll } = opened()
  const { session } = await addUser()
  const id = await startByHand(session, 'by-hand')
  serve('/by-hand', [{ uid: 'a', start: inMinutes(-1), link: LINK }])
  const calendar = await addCalendar(session, '/by-hand', { project: 'by-hand' })
  await waitForReason(session, 'same_room')
  await stop(session, 'by-hand', id)
  for (let polls = 0; polls < 2; polls += 1) await poll(session, calendar.id)
  const [upcoming] = await opened().listUpcoming(session)
  assert.deepEqual([upcoming?.willJoin, upcoming?.reason], [false, 'same_room'])
  assert.equal((await findMeetings('by-hand')).length, 1)
})

test('a bot that is still there after its time attends the next meeting, from its start', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll, db, clock } = opened()
  const { session } = await addUser()
  const id = await startByHand(session, 'overrun')
  await db
    .updateTable('meeting')
    .set({ expected_end_at: inMinutes(1) })
    .where('id', '=', id)
    .execute()
  serve('/overrun', [{ uid: 'a', start: inMinutes(3), link: LINK }])
  const calendar = await addCalendar(session, '/overrun', { project: 'overrun' })
  await poll(session, calendar.id)
  assert.equal((await opened().listUpcoming(session))[0]?.reason, 'will_join')
  clock.advance(180)
  await poll(session, calendar.id)
  await waitForReason(session, 'same_room')
  assert.equal((await findMeetings('overrun')).length, 1)
  await stop(session, 'overrun', id)
})

test('another invitation gets the bot when the first one is stopped before it begins', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll } = opened()
  const [ada, ben] = [await addUser(), await addUser()]
  const start = inMinutes(4)
  serve('/first', [{ uid: 'a', start, link: LINK }])
  serve('/second', [{ uid: 'b', start, link: LINK }])
  const first = await addCalendar(ada.session, '/first', { project: 'two' })
  const { id } = await waitForStatus('two', 'scheduled')
  const second = await addCalendar(ben.session, '/second', { project: 'two' })
  assert.equal((await opened().listUpcoming(ben.session))[0]?.reason, 'same_room')
  await stop(ada.session, 'two', id)
  await poll(ada.session, first.id)
  await poll(ben.session, second.id)
  await waitForStatus('two', 'scheduled')
  assert.equal((await opened().listUpcoming(ada.session))[0]?.reason, 'skipped_by_person')
  assert.equal((await opened().listUpcoming(ben.session))[0]?.willJoin, true)
})

test('a refused bot is not tried at every poll, and another invitation takes its place', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll, db, clock } = opened()
  const [ada, ben] = [await addUser(), await addUser()]
  const start = inMinutes(60)
  serve('/refused', [{ uid: 'a', start, link: LINK }])
  serve('/other', [{ uid: 'b', start, link: LINK }])
  // The account is for another platform, which only becomes known when the meeting starts.
  const accounts = createBotAccounts({ db, clock, secretBox: createSecretBox(Buffer.alloc(32)) })
  const platform = 'google_meet'
  const state = signedInState(platform, 'secret')
  await accounts.add({ name: 'notes', platform, limit: undefined, state }, COMMAND_LINE_ACTOR)
  const first = await addCalendar(ada.session, '/refused', { project: 'refused', account: 'notes' })
  // The older invitation is chosen.
  clock.advance(1)
  await addCalendar(ben.session, '/other', { project: 'refused' })
  assert.equal((await opened().listUpcoming(ben.session))[0]?.reason, 'same_room')
  clock.advance(56 * 60)
  await poll(ada.session, first.id)
  await waitForReason(ada.session, 'account_missing')
  await waitForStatus('refused', 'scheduled')
  await poll(ada.session, first.id)
  assert.equal((await opened().listUpcoming(ada.session))[0]?.reason, 'account_missing')
  assert.equal((await opened().listUpcoming(ben.session))[0]?.willJoin, true)
})

test('skipping a meeting that takes place stops its bot', async () => {
  const { addUser, serve, addCalendar, inMinutes, call } = opened()
  const { session } = await addUser()
  serve('/running', [{ uid: 'a', start: inMinutes(-1), link: LINK }])
  await addCalendar(session, '/running', { project: 'running' })
  await waitForStatus('running', 'live')
  const [upcoming] = await opened().listUpcoming(session)
  const path = `/web/upcoming/${upcoming?.id}`
  const { status, body } = await call(session, 'PATCH', path, { attend: false })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await waitForStatus('running', 'ended')).reason, 'stopped')
  assert.equal((await opened().listUpcoming(session))[0]?.reason, 'skipped_by_person')
})

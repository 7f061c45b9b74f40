import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => startCalendarWorld())
/** A separate link for each test, so that tests do not share a room. */
const linkOf = (name: string) => `https://meet.google.com/${name}`

async function findMeetings(room: string) {
  return opened()
    .db.selectFrom('meeting')
    .select(['id', 'status', 'join_at', 'expected_end_at', 'title', 'project', 'options', 'reason'])
    .where('url', '=', linkOf(room))
    .orderBy('id')
    .execute()
}

/** Waits until a bot is scheduled for the room, and returns its meeting. */
function waitForMeeting(room: string) {
  return eventually(
    async () => (await findMeetings(room)).find((one) => one.status === 'scheduled') ?? null,
  )
}

test('a bot is scheduled for a meeting that starts within five minutes, once', async () => {
  const { addUser, serve, addCalendar, inMinutes, listUpcoming, poll } = opened()
  const { session } = await addUser()
  const start = inMinutes(4)
  serve('/soon', [{ uid: 'a', start, title: 'Review', link: linkOf('aaa-aaaa-aaa') }])
  const { id } = await addCalendar(session, '/soon', { project: 'sales' })
  const meeting = await waitForMeeting('aaa-aaaa-aaa')
  assert.equal(meeting.join_at?.getTime(), start.getTime())
  assert.equal(meeting.expected_end_at?.getTime(), start.getTime() + 30 * 60_000)
  assert.deepEqual([meeting.title, meeting.project], ['Review', 'sales'])
  await poll(session, id)
  assert.equal((await findMeetings('aaa-aaaa-aaa')).length, 1)
  const [upcoming] = await listUpcoming(session)
  assert.equal(upcoming?.meetingId, meeting.id)
  assert.deepEqual([upcoming?.willJoin, upcoming?.reason], [true, 'will_join'])
})

test('a meeting that is moved takes its bot along, and a cancelled one loses it', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll } = opened()
  const { session } = await addUser()
  const link = linkOf('bbb-bbbb-bbb')
  serve('/moved', [{ uid: 'a', start: inMinutes(4), link, sequence: 3 }])
  const { id } = await addCalendar(session, '/moved')
  const meeting = await waitForMeeting('bbb-bbbb-bbb')
  const later = inMinutes(90)
  // The sequence number of the change is lower, which some programs do after an import.
  serve('/moved', [{ uid: 'a', start: later, link, sequence: 1 }])
  await poll(session, id)
  const [moved] = await findMeetings('bbb-bbbb-bbb')
  assert.deepEqual([moved?.id, moved?.status], [meeting.id, 'scheduled'])
  assert.equal(moved?.join_at?.getTime(), later.getTime())
  serve('/moved', [{ uid: 'a', start: later, link, isCancelled: true }])
  await poll(session, id)
  const [cancelled] = await findMeetings('bbb-bbbb-bbb')
  assert.deepEqual([cancelled?.status, cancelled?.reason], ['ended', 'stopped'])
})

test('an event that disappears from the calendar withdraws its bot', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll, listUpcoming } = opened()
  const { session } = await addUser()
  const other = { uid: 'b', start: inMinutes(600), link: null }
  serve('/gone', [{ uid: 'a', start: inMinutes(4), link: linkOf('ccc-cccc-ccc') }, other])
  const { id } = await addCalendar(session, '/gone')
  await waitForMeeting('ccc-cccc-ccc')
  serve('/gone', [other])
  await poll(session, id)
  assert.equal((await findMeetings('ccc-cccc-ccc'))[0]?.status, 'ended')
  await poll(session, id)
  assert.deepEqual(
    (await listUpcoming(session)).map(({ reason }) => reason),
    ['no_link'],
  )
})

test('two invitations to one room in one project get one bot, and the other takes over', async () => {
  const { addUser, serve, addCalendar, inMinutes, listUpcoming, poll } = opened()
  const [ada, ben] = [await addUser(), await addUser()]
  const event = { start: inMinutes(4), link: linkOf('ddd-dddd-ddd') }
  serve('/ada', [{ uid: 'a', ...event }])
  serve('/ben', [{ uid: 'b', ...event, start: inMinutes(4.5) }])
  const first = await addCalendar(ada.session, '/ada', { project: 'sales' })
  await waitForMeeting('ddd-dddd-ddd')
  await addCalendar(ben.session, '/ben', { project: 'sales' })
  const [ofBen] = await listUpcoming(ben.session)
  assert.deepEqual([ofBen?.willJoin, ofBen?.reason], [false, 'same_room'])
  assert.equal((await findMeetings('ddd-dddd-ddd')).length, 1)
  serve('/ada', [{ uid: 'a', ...event, isCancelled: true }])
  await poll(ada.session, first.id)
  await waitForMeeting('ddd-dddd-ddd')
  assert.deepEqual(
    (await findMeetings('ddd-dddd-ddd')).map(({ status }) => status),
    ['ended', 'scheduled'],
  )
  assert.equal((await listUpcoming(ben.session))[0]?.willJoin, true)
})

test('two projects keep their own bots in one room', async () => {
  const { addUser, serve, addCalendar, inMinutes } = opened()
  const { session } = await addUser()
  serve('/both', [{ uid: 'a', start: inMinutes(4), link: linkOf('eee-eeee-eee') }])
  await addCalendar(session, '/both', { project: 'sales' })
  await addCalendar(session, '/both', { project: 'support' })
  await eventually(async () => ((await findMeetings('eee-eeee-eee')).length === 2 ? true : null))
})

test('a person who lost access to the project sends no bot any more, and sees why', async () => {
  const { addUser, setAccess, addMember, removeMember, serve, addCalendar } = opened()
  const { inMinutes, listUpcoming, poll } = opened()
  const { session, userId } = await addUser()
  await setAccess('secret', 'private')
  await addMember('secret', userId, 'editor')
  serve('/lost', [{ uid: 'a', start: inMinutes(4), link: linkOf('fff-ffff-fff') }])
  const { id } = await addCalendar(session, '/lost', { project: 'secret' })
  await waitForMeeting('fff-ffff-fff')
  await removeMember('secret', userId)
  await poll(session, id)
  assert.equal((await findMeetings('fff-ffff-fff'))[0]?.status, 'ended')
  const [upcoming] = await listUpcoming(session)
  assert.deepEqual([upcoming?.willJoin, upcoming?.reason], [false, 'no_access'])
})

test('a bot that left before the end is reported as gone, and a person sends another one', async () => {
  const { addUser, serve, addCalendar, inMinutes, listUpcoming, call, db } = opened()
  const { session } = await addUser()
  serve('/left', [{ uid: 'a', start: inMinutes(4), link: linkOf('hhh-hhhh-hhh') }])
  await addCalendar(session, '/left', { project: 'left' })
  const { id } = await waitForMeeting('hhh-hhhh-hhh')
  const endWith = async (reason: 'host_ended' | 'lobby_timeout') => {
    await db
      .updateTable('meeting')
      .set({ status: 'ended', reason, ended_at: inMinutes(0) })
      .where('id', '=', id)
      .execute()
    const [upcoming] = await listUpcoming(session)
    return [upcoming?.willJoin, upcoming?.reason]
  }
  assert.deepEqual(await endWith('host_ended'), [false, 'past'])
  assert.deepEqual(await endWith('lobby_timeout'), [false, 'bot_left'])
  const [upcoming] = await listUpcoming(session)
  await call(session, 'PATCH', `/web/upcoming/${upcoming?.id}`, { attend: true })
  assert.notEqual((await waitForMeeting('hhh-hhhh-hhh')).id, id)
  assert.equal((await listUpcoming(session))[0]?.reason, 'will_join')
})

test('a person skips one meeting, joins an excluded one, and lets the rules decide again', async () => {
  const { addUser, serve, addCalendar, inMinutes, listUpcoming, call } = opened()
  const { session } = await addUser()
  serve('/choice', [
    { uid: 'a', start: inMinutes(4), link: linkOf('ggg-gggg-ggg'), title: 'Lunch' },
  ])
  await addCalendar(session, '/choice', { rules: { neverTitles: ['lunch'] } })
  const [excluded] = await listUpcoming(session)
  assert.equal(excluded?.reason, 'title_excluded')
  const decide = async (attend: boolean | null) => {
    const path = `/web/upcoming/${excluded?.id}`
    const { status, body } = await call(session, 'PATCH', path, { attend })
    assert.equal(status, 200, JSON.stringify(body))
    const { upcoming } = body as { upcoming: { reason: string; attend: boolean | null } }
    return [upcoming.attend, upcoming.reason]
  }
  assert.deepEqual(await decide(true), [true, 'will_join'])
  await waitForMeeting('ggg-gggg-ggg')
  assert.deepEqual(await decide(false), [false, 'skipped_by_person'])
  assert.equal((await findMeetings('ggg-gggg-ggg'))[0]?.status, 'ended')
  assert.deepEqual(await decide(null), [null, 'title_excluded'])
})

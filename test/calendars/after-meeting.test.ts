import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => startCalendarWorld())

test('a meeting that takes place now is joined at once, sends its events where the calendar says, and runs its task', async () => {
  const { addUser, addToken, addCalendar, call, serve, inMinutes, db, waitForEnd } = opened()
  const { session, userId } = await addUser()
  const token = await addToken({ creatorId: userId })
  const task = { name: 'after-each', promptName: 'daily-digest' }
  assert.equal((await call(session, 'POST', '/web/tasks', task)).status, 201)
  serve('/now', [
    { uid: 'a', start: inMinutes(-5), title: 'Digest', link: 'practice://standup?speed=1000' },
  ])
  const receiver = { callbackUrl: 'listen:calendar', tokenId: token.id }
  await addCalendar(session, '/now', { project: 'api', task: task.name, ...receiver })
  const findMeeting = () =>
    db
      .selectFrom('meeting')
      .select(['id', 'expected_end_at'])
      .where('title', '=', 'Digest')
      .executeTakeFirst()
  const { id, expected_end_at } = await eventually(async () => (await findMeeting()) ?? null)
  assert.equal(expected_end_at?.getTime(), inMinutes(25).getTime())
  const lane = await db
    .selectFrom('lane')
    .select(['url', 'token_id'])
    .where('meeting_id', '=', id)
    .executeTakeFirst()
  assert.deepEqual(lane, { url: 'listen:calendar', token_id: token.id })
  await waitForEnd(id)
  const execution = await eventually(async () => {
    const found = await db
      .selectFrom('execution')
      .innerJoin('task', 'task.id', 'execution.task_id')
      .select(['task.name', 'execution.trigger_type', 'execution.trigger_key'])
      .where('trigger_key', '=', id)
      .execute()
    return found.length > 0 ? found : null
  })
  const expected = { name: task.name, trigger_type: 'meeting_ended', trigger_key: id }
  assert.deepEqual(execution, [expected])
})

test('a bot that waits for the start of a cancelled meeting leaves before it joins', async () => {
  const { addUser, addCalendar, poll, serve, inMinutes, clock, db } = opened()
  const { session } = await addUser()
  const event = { uid: 'a', start: inMinutes(4), title: 'Waits', link: 'practice://standup' }
  serve('/waits', [event])
  const { id } = await addCalendar(session, '/waits', { project: 'waits' })
  const waitForStatus = (statuses: readonly string[]) =>
    eventually(async () => {
      const row = await db
        .selectFrom('meeting')
        .select(['status', 'reason', 'live_at'])
        .where('title', '=', 'Waits')
        .executeTakeFirst()
      return row !== undefined && statuses.includes(row.status) ? row : null
    })
  await waitForStatus(['scheduled'])
  clock.advance(150)
  await waitForStatus(['joining'])
  serve('/waits', [{ ...event, isCancelled: true }])
  await poll(session, id)
  const over = await waitForStatus(['ended', 'error'])
  assert.deepEqual([over.status, over.reason, over.live_at], ['ended', 'stopped', null])
})

test('a meeting of a calendar whose token is revoked is not joined', async () => {
  const { addUser, addToken, addCalendar, call, serve, inMinutes, listUpcoming, poll, db } =
    opened()
  const { session, userId } = await addUser()
  const token = await addToken({ creatorId: userId })
  serve('/revoked', [{ uid: 'a', start: inMinutes(60), title: 'Revoked' }])
  const receiver = { callbackUrl: 'listen:calendar', tokenId: token.id, project: 'revoked' }
  const { id } = await addCalendar(session, '/revoked', receiver)
  assert.equal((await listUpcoming(session))[0]?.willJoin, true)
  await db
    .updateTable('api_token')
    .set({ revoked_at: new Date() })
    .where('id', '=', token.id)
    .execute()
  await poll(session, id)
  assert.equal((await listUpcoming(session))[0]?.reason, 'token_revoked')
  const path = `/web/calendars/${id}`
  assert.equal((await call(session, 'PATCH', path, { callbackUrl: null })).status, 200)
  assert.equal((await listUpcoming(session))[0]?.reason, 'will_join')
})

test('scheduled meetings of the team are upcoming too, and are stopped from there', async () => {
  const { addUser, call, inMinutes } = opened()
  const { session } = await addUser()
  const joinAt = inMinutes(60).toISOString()
  const start = { url: 'practice://standup', title: 'By hand', joinAt, project: 'by-hand' }
  const { body } = await call(session, 'POST', '/web/meetings/start', start)
  const id = String(body['meetingId'])
  const find = async () => {
    const { upcoming } = (await call(session, 'GET', '/web/upcoming')).body as {
      upcoming: Array<{ id: string; title: string; calendarId: string | null }>
    }
    return upcoming.find((one) => one.id === id)
  }
  assert.deepEqual((await find())?.title, 'By hand')
  const answer = await call(session, 'PATCH', `/web/upcoming/${id}`, { attend: false })
  assert.equal(answer.status, 200)
  assert.equal(await find(), undefined)
})

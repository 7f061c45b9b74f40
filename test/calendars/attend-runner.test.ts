import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createAttendRunner } from '../../src/calendars/attending/attend-runner.ts'
import { listInvitedNames } from '../../src/calendars/invitations.ts'
import type { Db } from '../../src/db/database.ts'
import { ServiceError } from '../../src/errors.ts'
import { newId } from '../../src/lib/crypto.ts'
import { createLog } from '../../src/log.ts'
import type { StartMeeting } from '../../src/meetings/starting/start-meeting.ts'
import { plantCalendar } from '../support/access/planted-calendar.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { MEETING_OPTIONS, seedMeeting } from '../support/meetings/seed-meeting.ts'
import { openForFile } from '../support/open-for-file.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const opened = openForFile(() => openTestDatabase())
const clock = createManualClock()

/** A calendar of the instance with due occurrences, each in a separate room. */
async function plantDue(project: string, starts: readonly Date[]): Promise<string> {
  const { db } = opened()
  const { calendar } = await plantCalendar(db, project, project)
  await db.updateTable('calendar').set({ is_paused: false }).where('id', '=', calendar).execute()
  for (const [i, starts_at] of starts.entries())
    await db
      .insertInto('occurrence')
      .values({
        id: newId('occ'),
        calendar_id: calendar,
        uid: String(i),
        key: 'once',
        starts_at,
        ends_at: new Date(starts_at.getTime() + 3_600_000),
        is_all_day: false,
        is_cancelled: false,
        title: 'Planning',
        attendees: '[]',
        url: `practice://${project}-${i}`,
        room: `${project}-${i}`,
        decision: 'join',
        reason: 'will_join',
        created_at: clock.now(),
      })
      .execute()
  return calendar
}

/** Stores the meeting of a start as the service does, but without a document. */
async function storeStarted(db: Db, [, request, , beforeCommit]: Parameters<StartMeeting>) {
  const { project, url } = request
  return db.transaction().execute(async (tx) => {
    const id = await seedMeeting(tx, { project, url, room: url })
    const started = { meeting: { id }, otherMeetingIds: [] }
    await beforeCommit?.(tx, started as never)
    return started as never
  })
}

function runnerWith(start: StartMeeting) {
  return createAttendRunner({
    db: opened().db,
    clock,
    log: createLog('silent'),
    membership: { nodeId: 'one', hasFreshHeartbeat: () => true },
    meetings: { start },
    defaultOptions: MEETING_OPTIONS,
  })
}

async function countMeetings(project: string): Promise<number> {
  const rows = await opened()
    .db.selectFrom('meeting')
    .select('id')
    .where('project', '=', project)
    .execute()
  return rows.length
}

async function countReasons(calendar: string): Promise<Record<string, number>> {
  const rows = await opened()
    .db.selectFrom('occurrence')
    .select('reason')
    .where('calendar_id', '=', calendar)
    .where('decision', '=', 'join')
    .orderBy('reason')
    .execute()
  const counts: Record<string, number> = {}
  for (const { reason } of rows) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

test('a meeting whose calendar changes during its start is created with the new settings', async () => {
  const { db } = opened()
  const calendar = await plantDue('before', [clock.now()])
  await using runner = runnerWith(async (...args) => {
    // Another request changes the calendar after its settings were read.
    await db.updateTable('calendar').set({ project: 'after' }).where('id', '=', calendar).execute()
    return storeStarted(db, args)
  })
  await runner.runOnce()
  assert.deepEqual([await countMeetings('before'), await countMeetings('after')], [0, 0])
  await runner.runOnce()
  assert.deepEqual([await countMeetings('before'), await countMeetings('after')], [0, 1])
})

test('occurrences that cannot be attended yet do not hold up the others, and are tried again', async () => {
  const { db } = opened()
  const later = new Date(clock.now().getTime() + 60_000)
  const early = Array.from({ length: 60 }, () => clock.now())
  const calendar = await plantDue('busy', [...early, later, later])
  let isBusy = true
  const tried: string[] = []
  await using runner = runnerWith(async (...args) => {
    const { url, joinAt } = args[1]
    tried.push(url)
    if (isBusy && joinAt === null) throw new ServiceError('at_capacity')
    return storeStarted(db, args)
  })
  await runner.runOnce()
  assert.equal(tried.length, 62)
  assert.ok(tried.indexOf('practice://busy-60') >= 50, 'the earliest are tried first')
  assert.equal(await countMeetings('busy'), 2)
  assert.deepEqual(await countReasons(calendar), { no_bot_free: 60, will_join: 2 })
  isBusy = false
  await runner.runOnce()
  assert.equal(await countMeetings('busy'), 2)
  clock.advance(30)
  await runner.runOnce()
  assert.equal(await countMeetings('busy'), 62)
  assert.deepEqual(await countReasons(calendar), { will_join: 62 })
})

test('the people whom a calendar invited to a meeting are known by name, without rooms and refusals', async () => {
  const { db } = opened()
  await plantDue('invited', [clock.now()])
  const meetingId = await seedMeeting(db, { project: 'invited' })
  const attendees = [
    { address: 'pr@example.com', name: 'Priya Raghunathan', response: 'accepted' },
    { address: 'ada.lovelace@example.com', response: null },
    { address: 'info@example.com', response: null },
    { address: 'ben@example.com', name: 'Ben Ott', response: 'declined' },
    { address: 'blue@example.com', name: 'Blue room', response: 'accepted', isPerson: false },
  ]
  await db
    .updateTable('occurrence')
    .set({ meeting_id: meetingId, attendees: JSON.stringify(attendees) })
    .where('room', '=', 'invited-0')
    .execute()
  assert.deepEqual(await listInvitedNames(db, meetingId), ['Priya Raghunathan', 'Ada Lovelace'])
})

test('a meeting of a calendar recognizes speech when the calendar says so', async () => {
  const { db } = opened()
  const calendar = await plantDue('spoken', [clock.now()])
  await db.updateTable('calendar').set({ speech: 'always' }).where('id', '=', calendar).execute()
  const modes: unknown[] = []
  await using runner = runnerWith(async (...args) => {
    modes.push(args[1].options.speech)
    return storeStarted(db, args)
  })
  await runner.runOnce()
  assert.deepEqual(modes, ['always'])
})

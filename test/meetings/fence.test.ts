import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createMeetingBatchWriter } from '../../src/meetings/record/batch-writer.ts'
import type { EventRow } from '../../src/meetings/record/rows.ts'
import { LeaseLost, changeMeetingStatus } from '../../src/meetings/store.ts'
import { createMeetingWriter } from '../../src/meetings/record/meeting-writer.ts'
import { openDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import {
  SEED_TIME,
  seedMeeting,
  readStoredCounters,
  createTestWriter,
} from '../support/meetings/seed-meeting.ts'

const segment = { captionId: 'c1', speaker: 'Ana', text: 'Hello.', startedAt: SEED_TIME.getTime() }

test('an owner that only slept can write nothing once another has the meeting', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db)
  const sleeper = await createTestWriter(database, meetingId, 1)
  await sleeper.writeSegments([segment], SEED_TIME)
  await db.updateTable('meeting').set({ fence: 2 }).where('id', '=', meetingId).execute()

  await assert.rejects(sleeper.writeSegments([segment], SEED_TIME), LeaseLost)
  await assert.rejects(sleeper.changeStatus({ to: 'leaving', at: SEED_TIME }), LeaseLost)
  await assert.rejects(
    sleeper.writeParticipants(
      { joined: [{ id: 'p', name: 'Ben' }], left: [], count: 1 },
      SEED_TIME,
    ),
    LeaseLost,
  )
  const next = await createTestWriter(database, meetingId, 2)
  await next.writeSegments([{ ...segment, text: 'Go on.' }], SEED_TIME)

  const rows = await db.selectFrom('segment').select(['number', 'text']).orderBy('number').execute()
  assert.deepEqual(rows, [
    { number: 1, text: 'Hello.' },
    { number: 2, text: 'Go on.' },
  ])
  const events = await db.selectFrom('event').select('sequence').orderBy('sequence').execute()
  assert.deepEqual(events, [{ sequence: 1 }, { sequence: 2 }])
})

test('a stop that arrives in the lobby beats a late admission', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db, { status: 'lobby' })
  const move = (to: 'stopping' | 'live' | 'leaving') =>
    db.transaction().execute((tx) => changeMeetingStatus(tx, meetingId, { to, at: SEED_TIME }))

  assert.deepEqual(await move('stopping'), [])
  assert.equal(await move('live'), null)
  assert.equal((await move('leaving'))?.length, 1)
  const events = await db.selectFrom('event').select('body').execute()
  assert.deepEqual(
    events.map(({ body }) => (JSON.parse(body) as { payload: unknown }).payload),
    [{ status: 'leaving', previousStatus: 'stopping' }],
  )
})

test('of many writers at once each gets its own numbers, without a gap', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db)
  const writer = await createTestWriter(database, meetingId, 1)
  await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      i % 2 === 0
        ? writer.writeSegments([{ ...segment, text: `${i}` }], SEED_TIME)
        : writer.writeParticipants(
            { joined: [{ id: `p${i}`, name: 'Ben' }], left: [], count: i },
            SEED_TIME,
          ),
    ),
  )
  const events = await db.selectFrom('event').select('sequence').orderBy('sequence').execute()
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: 25 }, (_, i) => i + 1),
  )
})

test('a move whose answer is lost counts as made, is told, and costs no visit', async () => {
  await using database = await openTestDatabase()
  await using line = await openDatabaseProxy(database.url)
  const log = createLog('silent')
  const far = await openDatabase({ connectionString: line.url }, { max: 2, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(far.close)
  const meetingId = await seedMeeting(database.db, { status: 'joining' })
  const told: EventRow[] = []
  const writer = createMeetingWriter({
    db: far.db,
    ledger: createMeetingBatchWriter(far.pool),
    lease: { meetingId, fence: 1 },
    counters: await readStoredCounters(database.db, meetingId),
    onWritten: (events) => void told.push(...events),
  })
  for (const to of ['lobby', 'live'] as const) {
    line.dropResponseTo('commit')
    assert.equal(await writer.changeStatus({ to, at: SEED_TIME }), true)
  }
  // A second one of the same kind is refused as ever.
  assert.equal(await writer.changeStatus({ to: 'live', at: SEED_TIME }), false)
  await writer.writeSegments([segment], SEED_TIME)
  const stored = database.db.selectFrom('event').select(['sequence', 'type', 'at', 'body'])
  assert.deepEqual(told, await stored.orderBy('sequence').execute())
  assert.deepEqual(
    told.map(({ sequence, type }) => [sequence, type]),
    [
      [1, 'meeting_status'],
      [2, 'meeting_status'],
      [3, 'segment_finalized'],
    ],
  )
})

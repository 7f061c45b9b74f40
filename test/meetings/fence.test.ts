import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { createMeetingBatchWriter } from '../../src/meetings/record/batch-writer.ts'
import {
  type EventRow,
  LeaseLost,
  changeMeetingStatus,
} from '../../src/meetings/record/meeting-store.ts'
import { createMeetingWriter } from '../../src/meetings/record/meeting-writer.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import {
  SEED_TIME,
  seedMeeting,
  readStoredCounters,
  createTestWriter,
} from '../support/meetings/seed-meeting.ts'

const segment = { captionId: 'c1', speaker: 'Ana', text: 'Hello.', startedAt: SEED_TIME.getTime() }

test('a former owner of a meeting cannot write once another node has claimed it', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db)
  const former = await createTestWriter(database, meetingId, 1)
  await former.writeSegments([segment], SEED_TIME)
  await db.updateTable('meeting').set({ fence: 2 }).where('id', '=', meetingId).execute()

  await assert.rejects(former.writeSegments([segment], SEED_TIME), LeaseLost)
  await assert.rejects(former.changeStatus({ to: 'leaving', at: SEED_TIME }), LeaseLost)
  await assert.rejects(
    former.writeParticipants({ joined: [{ id: 'p', name: 'Ben' }], left: [], count: 1 }, SEED_TIME),
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

test('partial captions get no sequence when the lease was not checked for a while and another node has claimed the meeting', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db)
  let now = 0
  const former = await createTestWriter(database, meetingId, 1, () => now)
  await former.reservePartialSequences()
  assert.equal(former.nextPartialSequence(), 1)

  // The process was paused for longer than a lease check is valid, but still owns the meeting.
  now += 20_000
  assert.equal(former.nextPartialSequence(), null)
  await former.reservePartialSequences()
  assert.equal(former.nextPartialSequence(), 2)

  now += 20_000
  await db.updateTable('meeting').set({ fence: 2 }).where('id', '=', meetingId).execute()
  assert.equal(former.nextPartialSequence(), null)
  await assert.rejects(former.reservePartialSequences(), LeaseLost)
  assert.equal(former.nextPartialSequence(), null)
})

test('a meeting that is stopped in the lobby does not become live', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db, { status: 'lobby' })
  const change = (to: 'stopping' | 'live' | 'leaving') =>
    db.transaction().execute((tx) => changeMeetingStatus(tx, meetingId, { to, at: SEED_TIME }))

  assert.deepEqual(await change('stopping'), [])
  assert.equal(await change('live'), null)
  assert.equal((await change('leaving'))?.length, 1)
  const events = await db.selectFrom('event').select('body').execute()
  assert.deepEqual(
    events.map(({ body }) => (JSON.parse(body) as { payload: unknown }).payload),
    [{ status: 'leaving', previousStatus: 'stopping' }],
  )
})

test('concurrent writes to a meeting get consecutive sequence numbers', async () => {
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

test('a status change whose commit response is lost counts as done and is published once', async () => {
  await using database = await openTestDatabase()
  await using line = await openDatabaseProxy(database.url)
  const log = createLog('silent')
  const far = await connectToDatabase({ connectionString: line.url }, { max: 2, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(far.close)
  const meetingId = await seedMeeting(database.db, { status: 'joining' })
  const published: EventRow[] = []
  const writer = createMeetingWriter({
    db: far.db,
    ledger: createMeetingBatchWriter(far.pool),
    lease: { meetingId, fence: 1 },
    counters: await readStoredCounters(database.db, meetingId),
    gaps: [],
    onWritten: (events) => void published.push(...events),
  })
  for (const to of ['lobby', 'live'] as const) {
    line.dropResponseTo('commit')
    assert.equal(await writer.changeStatus({ to, at: SEED_TIME }), true)
  }
  // Repeating a change to the same status is still rejected.
  assert.equal(await writer.changeStatus({ to: 'live', at: SEED_TIME }), false)
  await writer.writeSegments([segment], SEED_TIME)
  const stored = database.db.selectFrom('event').select(['sequence', 'type', 'at', 'body'])
  assert.deepEqual(published, await stored.orderBy('sequence').execute())
  assert.deepEqual(
    published.map(({ sequence, type }) => [sequence, type]),
    [
      [1, 'meeting_status'],
      [2, 'meeting_status'],
      [3, 'segment_finalized'],
    ],
  )
})

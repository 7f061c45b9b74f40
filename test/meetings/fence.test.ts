import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLedger, type EventRow } from '../../src/meetings/ledger.ts'
import { HoldLost, moveMeeting } from '../../src/meetings/store.ts'
import { createMeetingWriter } from '../../src/meetings/writer.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createLog } from '../../src/log.ts'
import { openDatabaseLine } from '../support/database-line.ts'
import { openTestDatabase } from '../support/database.ts'
import { AT, seedMeeting, storedOf, writerFor } from '../support/meeting-seed.ts'

const segment = { captionId: 'c1', speaker: 'Ana', text: 'Hello.', startedAt: AT.getTime() }

test('an owner that only slept can write nothing once another has the meeting', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seedMeeting(db)
  const sleeper = await writerFor(database, meetingId, 1)
  await sleeper.segments([segment], AT)
  await db.updateTable('meeting').set({ fence: 2 }).where('id', '=', meetingId).execute()

  await assert.rejects(sleeper.segments([segment], AT), HoldLost)
  await assert.rejects(sleeper.move({ to: 'leaving', at: AT }), HoldLost)
  await assert.rejects(
    sleeper.people({ joined: [{ id: 'p', name: 'Ben' }], left: [], count: 1 }, AT),
    HoldLost,
  )
  const next = await writerFor(database, meetingId, 2)
  await next.segments([{ ...segment, text: 'Go on.' }], AT)

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
    db.transaction().execute((tx) => moveMeeting(tx, meetingId, { to, at: AT }))

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
  const writer = await writerFor(database, meetingId, 1)
  await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      i % 2 === 0
        ? writer.segments([{ ...segment, text: `${i}` }], AT)
        : writer.people({ joined: [{ id: `p${i}`, name: 'Ben' }], left: [], count: i }, AT),
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
  await using line = await openDatabaseLine(database.url)
  const log = createLog('silent')
  const far = await openDatabase({ connectionString: line.url }, { max: 2, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(far.close)
  const meetingId = await seedMeeting(database.db, { status: 'joining' })
  const told: EventRow[] = []
  const writer = createMeetingWriter({
    db: far.db,
    ledger: createLedger(far.pool),
    hold: { meetingId, fence: 1 },
    stored: await storedOf(database.db, meetingId),
    onWritten: (events) => void told.push(...events),
  })
  for (const to of ['lobby', 'live'] as const) {
    line.loseAnswerTo('commit')
    assert.equal(await writer.move({ to, at: AT }), true)
  }
  // A second one of the same kind is refused as ever.
  assert.equal(await writer.move({ to: 'live', at: AT }), false)
  await writer.segments([segment], AT)
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

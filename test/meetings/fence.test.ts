import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Db } from '../../src/db/open.ts'
import { newMeetingId } from '../../src/meetings/meeting.ts'
import { createLedger } from '../../src/meetings/ledger.ts'
import { HoldLost, moveMeeting } from '../../src/meetings/store.ts'
import { createMeetingWriter } from '../../src/meetings/writer.ts'
import type { OpenDatabase } from '../../src/db/open.ts'
import { openTestDatabase } from '../support/database.ts'

const AT = new Date('2026-11-15T12:00:00.000Z')

async function seed(db: Db, status: 'joining' | 'lobby' | 'live'): Promise<string> {
  const id = newMeetingId(AT)
  const options = JSON.stringify({})
  await db
    .insertInto('meeting')
    .values({
      id,
      platform: 'practice',
      url: 'practice://standup',
      room: 'r',
      label: 'l',
      title: null,
      project: 'api',
      document_path: null,
      callback_url: 'http://x/',
      token_id: null,
      options,
      status,
      started_at: AT,
      fence: 1,
    })
    .execute()
  return id
}

/** A writer that begins with what is stored now. */
async function writerFor({ db, pool }: OpenDatabase, meetingId: string, fence: number) {
  const stored = await db
    .selectFrom('meeting')
    .select(['last_sequence as lastSequence', 'reserved_sequence as reservedSequence'])
    .select('segment_count as segmentCount')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const hold = { meetingId, fence }
  const ledger = createLedger(pool)
  return createMeetingWriter({ db, ledger, hold, stored, onWritten: () => undefined })
}

const segment = { captionId: 'c1', speaker: 'Ana', text: 'Hello.', startedAt: AT.getTime() }

test('an owner that only slept can write nothing once another has the meeting', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meetingId = await seed(db, 'live')
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
  const meetingId = await seed(db, 'lobby')
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
  const meetingId = await seed(db, 'live')
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

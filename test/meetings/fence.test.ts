import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { HoldLost, moveMeeting } from '../../src/meetings/store.ts'
import { openTestDatabase } from '../support/database.ts'
import { AT, seedMeeting, writerFor } from './seed.ts'

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

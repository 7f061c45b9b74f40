import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Db } from '../../src/db/database.ts'
import { summariseDeliveriesByMeeting } from '../../src/deliveries/history/delivery-summary.ts'
import { claimDueLanes, insertLane, type NewLane } from '../../src/deliveries/lane/lane-rows.ts'
import { createLaneStore } from '../../src/deliveries/lane/lane-store.ts'
import { deleteExpiredEventsAndDeliveries } from '../../src/meetings/removal.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { SEED_TIME, seedMeetingWithSegments } from './seed-events.ts'

const DAY_MS = 86_400_000
const after = (days: number) => new Date(SEED_TIME.getTime() + days * DAY_MS)

/** Inserts an ended meeting with four events, and a lane that has delivered the first of them. */
async function seedEndedMeeting(db: Db, lane: Partial<NewLane> = {}) {
  const id = await seedMeetingWithSegments(db, { segments: ['a', 'b', 'c', 'd'] })
  await db
    .updateTable('meeting')
    .set({ ended_at: SEED_TIME, status: 'ended' })
    .where('id', '=', id)
    .execute()
  const row = {
    meeting_id: id,
    kind: 'meeting' as const,
    url: 'http://127.0.0.1:9/',
    token_id: null,
    events: null,
    delivered_through: 1,
    ...lane,
  }
  await db.transaction().execute((tx) => insertLane(tx, row, SEED_TIME))
  return id
}

async function sequencesOf(db: Db, id: string): Promise<number[]> {
  const rows = await db
    .selectFrom('event')
    .select('sequence')
    .where('meeting_id', '=', id)
    .orderBy('sequence')
    .execute()
  return rows.map(({ sequence }) => sequence)
}

test('undelivered events are not deleted until their lane has finished with them', async () => {
  await using database = await openTestDatabase()
  const { db, pool } = database
  await insertLiveNodes(db, 'node')
  const id = await seedEndedMeeting(db)
  const [lane] = await claimDueLanes(db, 'node', SEED_TIME, [])
  assert.ok(lane)
  await seedEndedMeeting(db, { delivered_through: 4 })
  await deleteExpiredEventsAndDeliveries(db, after(31), 30)
  assert.deepEqual(await sequencesOf(db, id), [2, 3, 4])
  const store = createLaneStore({ pool, secretsOf: async () => null })
  const next = { ...lane, deliveredThrough: 3, previousSequence: 3 }
  await store.writeChange({
    lane,
    next,
    deadLetters: [{ sequence: 3, reason: 'expired' }],
    attempt: null,
  })
  await deleteExpiredEventsAndDeliveries(db, after(31), 30)
  assert.deepEqual(await sequencesOf(db, id), [4])
  const last = { ...next, deliveredThrough: 4, previousSequence: 4, dueAt: null }
  await store.writeChange({ lane, next: last, deadLetters: [], attempt: null })
  await deleteExpiredEventsAndDeliveries(db, after(31), 30)
  assert.deepEqual(await sequencesOf(db, id), [])
})

test('the unsent events of a replay are not deleted, those of a closed lane are', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const id = await seedEndedMeeting(db, { kind: 'replay', ends_at: 3 })
  const closed = await seedEndedMeeting(db)
  await db.updateTable('lane').set({ state: 'closed' }).where('meeting_id', '=', closed).execute()
  await deleteExpiredEventsAndDeliveries(db, after(31), 30)
  assert.deepEqual(await sequencesOf(db, id), [2, 3])
  assert.deepEqual(await sequencesOf(db, closed), [])
})

test('events for a listener that never connected expire and count as failed', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'node')
  const id = await seedEndedMeeting(db, { url: 'listen:me' })
  await deleteExpiredEventsAndDeliveries(db, after(29), 30)
  const summary = async () => (await summariseDeliveriesByMeeting(db, [id], after(31))).get(id)
  assert.partialDeepStrictEqual(await summary(), { pending: 3, failed: 0 })
  await deleteExpiredEventsAndDeliveries(db, after(31), 30)
  assert.partialDeepStrictEqual(await summary(), { state: 'ok', pending: 0, failed: 3 })
  assert.deepEqual(await sequencesOf(db, id), [])
  assert.deepEqual(await claimDueLanes(db, 'node', after(31), ['listen:me']), [])
})

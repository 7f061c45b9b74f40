import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import type { Db } from '../../src/db/database.ts'
import {
  claimDueLanes,
  insertLane,
  listOwnedLanes,
  releaseLane,
} from '../../src/deliveries/lane/lane-rows.ts'
import { summariseDeliveriesByMeeting } from '../../src/deliveries/history/delivery-summary.ts'
import { HELD_BACK_LAST_ERROR } from '../../src/deliveries/lane/lane-record.ts'
import { createLaneStore } from '../../src/deliveries/lane/lane-store.ts'
import { createDeliveryMetrics } from '../../src/deliveries/metrics.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { SEED_TIME, seedMeetingWithSegments } from './seed-events.ts'

async function seedLane(
  db: Db,
  owner: string | null,
  url = 'http://127.0.0.1:9/',
): Promise<string> {
  const meetingId = await seedMeetingWithSegments(db, { segments: [] })
  await db.updateTable('meeting').set({ owner }).where('id', '=', meetingId).execute()
  const lane = {
    meeting_id: meetingId,
    kind: 'meeting' as const,
    url,
    token_id: null,
    events: null,
  }
  await db.transaction().execute((tx) => insertLane(tx, lane, SEED_TIME))
  return meetingId
}

const moveTo = (db: Db, meetingId: string, owner: string) =>
  db.updateTable('meeting').set({ owner }).where('id', '=', meetingId).execute()

test('a lane moves to the node that attends its meeting, and a listener lane to the node of the listener, unless it refused the lane', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one', 'two')
  const claim = (node: string) =>
    claimDueLanes(db, node, SEED_TIME, node === 'one' ? ['listen:me'] : [])
  const meetingId = await seedLane(db, 'one')
  const listened = await seedLane(db, 'two', 'listen:me')
  assert.deepEqual(await claim('two'), [])
  const lanes = await db.selectFrom('lane').select('id').execute()
  const ids = lanes.map(({ id }) => id)
  assert.deepEqual(await claimDueLanes(db, 'one', SEED_TIME, ['listen:me'], ids), [])
  const claimed = await claim('one')
  assert.deepEqual(
    claimed.map((lane) => lane.meetingId).toSorted(),
    [meetingId, listened].toSorted(),
  )
  assert.ok(
    (await listOwnedLanes(db, 'one')).every(({ isMeetingOnOtherNode }) => !isMeetingOnOtherNode),
  )

  await moveTo(db, meetingId, 'two')
  const lane = claimed.find((record) => record.meetingId === meetingId)
  assert.ok(lane)
  const held = await listOwnedLanes(db, 'one')
  assert.deepEqual(
    held
      .filter(({ isMeetingOnOtherNode }) => isMeetingOnOtherNode)
      .map(({ id, fence }) => [id, fence]),
    [[lane.id, 1]],
  )
  await releaseLane(db, lane)
  const [reclaimed] = await claim('two')
  assert.deepEqual([reclaimed?.id, reclaimed?.fence], [lane.id, 2])
})

test('a due time years ahead is ignored, a due time within the longest back-off is not', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one')
  const [misdated, waiting] = [await seedLane(db, 'one'), await seedLane(db, 'one')]
  const setDue = (meetingId: string, due_at: Date) =>
    db.updateTable('lane').set({ due_at }).where('meeting_id', '=', meetingId).execute()
  await setDue(misdated, new Date('2099-01-01T00:00:00Z'))
  await setDue(waiting, new Date(SEED_TIME.getTime() + 30 * 60_000))
  const claimed = await claimDueLanes(db, 'one', SEED_TIME, [])
  assert.deepEqual(
    claimed.map((lane) => lane.meetingId),
    [misdated],
  )
})

test('any node may claim the lane of a meeting without a bot, until a bot joins', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one', 'two')
  const waiting = await seedLane(db, null)
  const orphaned = await seedLane(db, 'gone')
  await seedLane(db, 'two')
  await seedLane(db, null, 'listen:me')
  assert.deepEqual(await claimDueLanes(db, 'one', SEED_TIME, []), [], 'waits for a bot at first')
  const later = new Date(SEED_TIME.getTime() + 2_000)
  const claimed = await claimDueLanes(db, 'one', later, [])
  assert.deepEqual(
    claimed.map(({ meetingId }) => meetingId).toSorted(),
    [waiting, orphaned].toSorted(),
  )
  const elsewhere = async () =>
    (await listOwnedLanes(db, 'one')).flatMap(({ id, isMeetingOnOtherNode }) =>
      isMeetingOnOtherNode ? [id] : [],
    )
  assert.deepEqual(await elsewhere(), [])
  await moveTo(db, waiting, 'two')
  const moved = claimed.filter(({ meetingId }) => meetingId === waiting).map(({ id }) => id)
  assert.deepEqual(await elsewhere(), moved)
})

test('only the last write of a lane releases it', async () => {
  await using database = await openTestDatabase()
  const { db, pool } = database
  await insertLiveNodes(db, 'one')
  await seedLane(db, 'one')
  const store = createLaneStore({ pool, secretsOf: async () => null })
  const [lane] = await claimDueLanes(db, 'one', SEED_TIME, [])
  assert.ok(lane)
  const write = (dueAt: number | null) =>
    store.writeChange({ lane, next: { ...lane, dueAt }, deadLetters: [], attempt: null })
  assert.equal(await write(SEED_TIME.getTime()), true)
  assert.deepEqual(
    (await listOwnedLanes(db, 'one')).map(({ id }) => id),
    [lane.id],
  )
  assert.equal(await write(null), true)
  assert.deepEqual(await listOwnedLanes(db, 'one'), [])
})

test('a lane that waits because other lanes fail is shown as waiting, and not as ok', async () => {
  await using database = await openTestDatabase()
  const { db, pool } = database
  await insertLiveNodes(db, 'one')
  const meetingId = await seedLane(db, 'one')
  const store = createLaneStore({ pool, secretsOf: async () => null })
  const [lane] = await claimDueLanes(db, 'one', SEED_TIME, [])
  assert.ok(lane)
  const metrics = createDeliveryMetrics()
  const registry = new Registry()
  metrics.observeLanes(db, { laneCount: () => 1 })
  metrics.register(registry)
  const write = (lastError: string | null, failures = 0) => {
    const next = { ...lane, lastError, failures }
    return store.writeChange({ lane, next, deadLetters: [], attempt: null })
  }
  const states = async () => {
    const summary = await summariseDeliveriesByMeeting(db, [meetingId], SEED_TIME)
    const counted = [...(await registry.metrics()).matchAll(/lanes\{state="(\w+)"\} 1\n/g)]
    return [summary.get(meetingId)?.state, ...counted.map(([, state]) => state)]
  }
  assert.deepEqual(await states(), ['ok', 'here', 'ok'])
  await write(HELD_BACK_LAST_ERROR)
  assert.deepEqual(await states(), ['waiting', 'here', 'waiting'])
  await write('http_500', 1)
  assert.deepEqual(await states(), ['retrying', 'here', 'retrying'])
})

test('a node with a late heartbeat claims no lane, and none that it already owns', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one')
  await seedLane(db, 'one')
  assert.equal((await claimDueLanes(db, 'one', SEED_TIME, [])).length, 1)
  assert.deepEqual(await claimDueLanes(db, 'one', SEED_TIME, []), [])
  await db
    .updateTable('node')
    .set({ beat_at: sql<Date>`now() - interval '20 seconds'` })
    .execute()
  await seedLane(db, 'one')
  assert.deepEqual(await claimDueLanes(db, 'one', SEED_TIME, []), [])
})

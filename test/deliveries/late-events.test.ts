import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { claimDueLanes, insertLane } from '../../src/deliveries/lane/lane-rows.ts'
import { createLaneStore } from '../../src/deliveries/lane/lane-store.ts'
import { appendLateEvents } from '../../src/meetings/record/meeting-store.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { seedMeeting, SEED_TIME } from '../support/meetings/seed-meeting.ts'

const RECAP_READY = {
  type: 'recap_ready' as const,
  payload: {
    version: 1,
    method: 'rules' as const,
    model: null,
    error: null,
    summary: [],
    decisionCount: 0,
    actionCount: 0,
    openQuestionCount: 0,
    timestamp: SEED_TIME.toISOString(),
  },
}

test('an event that is stored while a lane ends makes the lane due again', async () => {
  await using database = await openTestDatabase()
  const { db, pool } = database
  await insertLiveNodes(db, 'one')
  const meetingId = await seedMeeting(db, { status: 'ended', ended_at: SEED_TIME })
  const row = {
    meeting_id: meetingId,
    kind: 'meeting' as const,
    url: 'http://127.0.0.1:9/',
    token_id: null,
    events: ['recap_ready' as const],
  }
  await db.transaction().execute((tx) => insertLane(tx, row, SEED_TIME))
  const store = createLaneStore({ pool, secretsOf: async () => null })
  const claim = async () => (await claimDueLanes(db, 'one', new Date(), []))[0]
  /** Ends the lane in the same way as a node that has sent everything up to the sequence. */
  const end = async (deliveredThrough: number) => {
    const lane = await claim()
    assert.ok(lane)
    const { events } = await store.readEvents(lane, deliveredThrough, 10)
    const next = { ...lane, deliveredThrough, previousSequence: deliveredThrough, dueAt: null }
    return {
      lane,
      events,
      finish: () => store.writeChange({ lane, next, deadLetters: [], attempt: null }),
    }
  }
  const first = await end(0)
  assert.deepEqual(first.events, [])
  await db.transaction().execute((tx) => appendLateEvents(tx, meetingId, SEED_TIME, [RECAP_READY]))
  assert.equal(await first.finish(), true)

  const second = await end(1)
  assert.equal(second.lane.deliveredThrough, 0)
  await second.finish()
  assert.equal(await claim(), undefined)

  await db.transaction().execute((tx) => appendLateEvents(tx, meetingId, SEED_TIME, [RECAP_READY]))
  const third = await end(2)
  assert.deepEqual([third.lane.deliveredThrough, third.lane.fence], [1, 3])
})

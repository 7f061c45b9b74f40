import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRecaps } from '../../src/recap/recaps.ts'
import { createRulesRecap } from '../../src/recap/rules-recap.ts'
import {
  claimDueRecaps,
  insertMissingRecaps,
  releaseRecap,
  type RecapLease,
} from '../../src/recap/store/recap-claims.ts'
import { RECAP_STEPS } from '../../src/recap/store/recap-row.ts'
import { findStoredRecap, requestRecap, saveRecap } from '../../src/recap/store/stored-recap.ts'
import { connectToDatabase, type Db } from '../../src/db/database.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { createLog } from '../../src/log.ts'
import { startRecapRunner } from '../../src/recap/running/recap-runner.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { seedMeeting, SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { eventually } from '../support/time/eventually.ts'

const NOW = SEED_TIME
const seedEnded = (db: Db, more: Parameters<typeof seedMeeting>[1] = {}) =>
  seedMeeting(db, { status: 'ended', ended_at: NOW, segment_count: 2, ...more })
const RECAP = createRulesRecap({
  startedAt: NOW,
  timeZone: null,
  languageHint: null,
  participants: ['Ada', 'Ben'],
  segments: [
    { number: 1, speaker: 'Ada', text: 'Ben will fix the page today.', startMs: 0, endMs: 1 },
  ],
})
const save = (db: Db, lease: RecapLease) =>
  saveRecap(db, lease, RECAP, {
    model: null,
    droppedStatements: 0,
    nextStep: 'document',
    at: NOW,
  })

test('only recently ended meetings with words get a recap by themselves', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one')
  const ended = await seedEnded(db)
  const failed = await seedEnded(db, { status: 'error' })
  await seedEnded(db, { segment_count: 0 })
  await seedEnded(db, { ended_at: new Date(NOW.getTime() - 8 * DAY_MS) })
  await seedMeeting(db, { segment_count: 2 })
  await insertMissingRecaps(db, NOW)
  await insertMissingRecaps(db, NOW)
  const claimed = await claimDueRecaps(db, 'one', NOW, 10, RECAP_STEPS)
  assert.deepEqual(claimed.map(({ meetingId }) => meetingId).toSorted(), [ended, failed].toSorted())
})

test('a meeting that ended long ago does not claim that its recap is being made', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const recaps = createRecaps({
    db,
    clock: { now: () => NOW },
    isAutomatic: true,
    publicUrl: 'http://hansard.test',
    wake() {},
    publishEvents() {},
    onItemsChanged() {},
  })
  const recent = await seedEnded(db)
  const old = await seedEnded(db, { ended_at: new Date(NOW.getTime() - 8 * DAY_MS) })
  // No hint, because a request would make it start again.
  await assert.rejects(recaps.get(recent), { message: /is being made/, hint: undefined })
  await assert.rejects(recaps.get(old), /made only on request/)
})

test('two nodes that look for work at the same time share it, and no recap has two owners', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one', 'two')
  for (let i = 0; i < 12; i += 1) await seedEnded(db)
  const work = async (nodeId: string) => {
    await insertMissingRecaps(db, NOW)
    const claimed = [
      ...(await claimDueRecaps(db, nodeId, NOW, 4, RECAP_STEPS)),
      ...(await claimDueRecaps(db, nodeId, NOW, 8, RECAP_STEPS)),
    ]
    for (const lease of claimed) await save(db, lease)
    return claimed.map(({ meetingId }) => meetingId)
  }
  const ids = (await Promise.all([work('one'), work('two')])).flat()
  assert.deepEqual([ids.length, new Set(ids).size], [12, 12])
  const actions = await db.selectFrom('action_item').select('meeting_id').execute()
  assert.equal(actions.length, 12)
})

test('another node continues the recap of a node that died, whose late write is refused', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one', 'two')
  const meetingId = await seedEnded(db)
  await insertMissingRecaps(db, NOW)
  const [lost] = await claimDueRecaps(db, 'one', NOW, 1, RECAP_STEPS)
  assert.ok(lost)
  assert.deepEqual(await claimDueRecaps(db, 'two', NOW, 1, RECAP_STEPS), [])
  await db.deleteFrom('node').where('id', '=', 'one').execute()
  const [taken] = await claimDueRecaps(db, 'two', NOW, 1, RECAP_STEPS)
  assert.ok(taken)
  await assert.rejects(save(db, lost), { name: 'RecapLeaseLost' })
  await releaseRecap(db, lost)
  await save(db, taken)
  assert.partialDeepStrictEqual(await findStoredRecap(db, meetingId), {
    version: 1,
    step: 'document',
  })
})

test('a request for a new recap and a removed meeting take the lease away', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await insertLiveNodes(db, 'one')
  const meetingId = await seedEnded(db)
  await requestRecap(db, meetingId, NOW)
  const [first] = await claimDueRecaps(db, 'one', NOW, 1, RECAP_STEPS)
  assert.ok(first)
  await requestRecap(db, meetingId, NOW)
  await assert.rejects(save(db, first), { name: 'RecapLeaseLost' })
  const [second] = await claimDueRecaps(db, 'one', NOW, 1, RECAP_STEPS)
  assert.ok(second)
  // The same node has the recap again, so only the fence rejects the earlier work.
  await assert.rejects(save(db, first), { name: 'RecapLeaseLost' })
  await db.deleteFrom('meeting').where('id', '=', meetingId).execute()
  await assert.rejects(save(db, second), { name: 'RecapLeaseLost' })
  await assert.rejects(requestRecap(db, meetingId, NOW), { code: 'meeting_not_found' })
})

test('a recap that is requested again while the runner looks for work is worked on once, and stopping waits for all', async () => {
  await using database = await openTestDatabase()
  // One connection, so that statements run in the order in which they are sent.
  const log = createLog('silent')
  const { db, close } = await connectToDatabase({ connectionString: database.url }, { max: 1, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  await insertLiveNodes(db, 'one')
  const meetingId = await seedEnded(db)
  await requestRecap(db, meetingId, NOW)
  const works: AbortSignal[] = []
  const testEnd = new AbortController()
  let ended = 0
  let isRequestedAgain = false
  const runner = startRecapRunner({
    db,
    clock: { now: () => NOW },
    log,
    membership: {
      nodeId: 'one',
      onNodeLost: () => undefined,
      // Called after the runner has compared its work with the database, and before it claims more.
      hasFreshHeartbeat() {
        if (works.length === 1 && !isRequestedAgain) {
          isRequestedAgain = true
          void requestRecap(db, meetingId, NOW)
        }
        return true
      },
    },
    isAutomatic: true,
    async run(_claimed, signal) {
      works.push(signal)
      const anyEnd = AbortSignal.any([signal, testEnd.signal])
      if (!anyEnd.aborted) await once(anyEnd, 'abort')
      await nextTurn()
      ended += 1
    },
  })
  stack.defer(async () => {
    testEnd.abort()
    await runner[Symbol.asyncDispose]()
  })
  await eventually(() => works.length === 1 || null)
  runner.wake()
  await eventually(() => works.length === 2 || null)
  await nextTurn()
  assert.deepEqual(
    works.map(({ aborted }) => aborted),
    [true, false],
  )
  await runner[Symbol.asyncDispose]()
  assert.equal(ended, 2)
})

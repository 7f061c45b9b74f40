import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase, DATABASE_TIME_LIMIT_PRESETS, type Db } from '../../src/db/database.ts'
import { NODE_DEAD_AFTER_SECONDS } from '../../src/db/nodes/node-conditions.ts'
import { openNodeMembership, type NodeMembership } from '../../src/db/nodes/node-membership.ts'
import { createLog } from '../../src/log.ts'
import {
  startMeetingRunner,
  type MeetingJob,
} from '../../src/meetings/attending/claiming/meeting-runner.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../support/database/database-proxy.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import { MEETING_OPTIONS, seedMeeting, createTestWriter } from '../support/meetings/seed-meeting.ts'

const log = createLog('silent')
const LONG_AGO = sql.raw(`interval '${NODE_DEAD_AFTER_SECONDS + 5} seconds'`)
/** A heartbeat at this time stays fresh for the whole test. */
const FAR_AHEAD = sql<Date>`now() + interval '1 hour'`

/** Runs meetings with bots that stay until their meeting is released. */
function runMeetings(db: Db, membership: NodeMembership, limit: number) {
  const jobs: MeetingJob[] = []
  let claims = 0
  const runner = startMeetingRunner({
    db,
    clock: {
      now() {
        claims += 1
        return new Date()
      },
    },
    log,
    membership,
    capacityGroups: [{ platforms: ['practice'], limit }],
    queueTimeoutMs: 3_600_000,
    onClaimed: () => undefined,
    async run(job) {
      jobs.push(job)
      if (job.release.aborted) return
      await new Promise<void>((resolve) => {
        job.release.addEventListener('abort', () => resolve(), { once: true })
      })
    },
  })
  const has = (id: string) => jobs.some(({ lease }) => lease.meetingId === id)
  return {
    jobs,
    waitUntilClaimed: (id: string) => eventually(() => has(id) || null),
    /** Waits until the runner has reconciled and tried to claim. It reads the time at the start of each claim. */
    async waitForRound() {
      const before = claims
      await eventually(() => {
        runner.wake()
        return claims >= before + 2 ? true : null
      })
    },
    fencesOf: (id: string) =>
      jobs.filter(({ lease }) => lease.meetingId === id).map(({ lease }) => lease.fence),
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  }
}

const queueMeeting = (db: Db) =>
  seedMeeting(db, { status: 'joining', fence: 0, started_at: new Date() })

/** A node that runs meetings and reaches the database only through the proxy. */
async function openNode(line: DatabaseProxy, limit: number) {
  await using stack = new AsyncDisposableStack()
  const { db, pool, close } = await connectToDatabase(
    { connectionString: line.url },
    { max: 4, log, timeLimits: DATABASE_TIME_LIMIT_PRESETS.service },
  )
  stack.defer(close)
  const capacity = { bots: 0, practiceBots: limit }
  const parts = { db, pool, log, capacity, ownsDatabase: false }
  const membership = stack.use(await openNodeMembership(parts))
  const meetings = stack.use(runMeetings(db, membership, limit))
  const opened = stack.move()
  return {
    ...meetings,
    nodeId: membership.nodeId,
    // A node needs its database to shut down.
    [Symbol.asyncDispose]() {
      line.restore()
      return opened.disposeAsync()
    },
  }
}

/** Inserts a node whose heartbeat the test controls. */
async function insertNode(db: Db): Promise<NodeMembership> {
  const row = { id: 'node_me', lock_number: 5, bots: 0, practice_bots: 9 }
  await db
    .insertInto('node')
    .values({ ...row, beat_at: FAR_AHEAD })
    .execute()
  return {
    nodeId: row.id,
    hasRole: () => true,
    hasMasterKey: true,
    isOnlyNode: () => true,
    hasFreshHeartbeat: () => true,
    requireFreshHeartbeat: async () => undefined,
    heartbeatAgeMs: () => 0,
    announceDocuments: async () => {},
    broadcast: () => undefined,
    send: () => undefined,
    onMessage: () => undefined,
    onNodeLost: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const expireHeartbeats = (db: Db) =>
  db
    .updateTable('node')
    .set({ beat_at: sql<Date>`least(beat_at, now()) - ${LONG_AGO}` })
    .execute()

const renewHeartbeats = (db: Db) => db.updateTable('node').set({ beat_at: FAR_AHEAD }).execute()

test('a node with a late heartbeat keeps its meetings and claims nothing until its next heartbeat', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const membership = await insertNode(db)
  await using node = runMeetings(db, membership, 9)
  const first = await queueMeeting(db)
  await node.waitUntilClaimed(first)
  const mine = node.jobs[0]
  await expireHeartbeats(db)
  const second = await queueMeeting(db)
  await node.waitForRound()
  assert.deepEqual(node.fencesOf(second), [])
  await renewHeartbeats(db)
  await node.waitUntilClaimed(second)
  assert.deepEqual(node.fencesOf(first), [1])
  assert.equal(mine?.release.aborted, false)
})

test('a node attends again a meeting that it owns without a running bot', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const membership = await insertNode(db)
  const lost = await seedMeeting(db, { owner: membership.nodeId, fence: 3 })
  await using node = runMeetings(db, membership, 9)
  await node.waitUntilClaimed(lost)
  assert.deepEqual(node.fencesOf(lost), [4])
})

test('bots of a node with a late heartbeat still count towards the limit of their account', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const account = {
    name: 'scribe',
    platform: 'practice',
    bot_limit: 1,
    added_at: new Date(),
  } as const
  await db
    .insertInto('bot_account')
    .values({ ...account, state: Buffer.alloc(0) })
    .execute()
  const options = JSON.stringify({ ...MEETING_OPTIONS, account: account.name })
  const row = { status: 'joining', fence: 0, started_at: new Date(), options } as const
  await seedMeeting(db, { ...row, fence: 1, owner: 'node_late' })
  const late = { id: 'node_late', lock_number: 6, bots: 0, practice_bots: 9 }
  await db
    .insertInto('node')
    .values({ ...late, beat_at: FAR_AHEAD })
    .execute()
  await expireHeartbeats(db)
  const membership = await insertNode(db)
  // This node has reconnected after an outage, and gives others time to do the same.
  await db.updateTable('node').set({ back_since: FAR_AHEAD }).where('id', '=', 'node_me').execute()
  await using node = runMeetings(db, membership, 9)
  const next = await seedMeeting(db, row)
  await node.waitUntilClaimed(await queueMeeting(db))
  assert.deepEqual(node.fencesOf(next), [])
})

test('after a long database outage no live node loses its meetings, and a dead node still does', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await using lineOne = await openDatabaseProxy(database.url)
  await using lineTwo = await openDatabaseProxy(database.url)
  await using one = await openNode(lineOne, 1)
  const first = await queueMeeting(db)
  await one.waitUntilClaimed(first)
  await using two = await openNode(lineTwo, 9)
  const second = await queueMeeting(db)
  await two.waitUntilClaimed(second)
  const beatOf = async (nodeId: string) => {
    const query = db.selectFrom('node').select(['beat_at', 'back_since']).where('id', '=', nodeId)
    return query.executeTakeFirstOrThrow()
  }

  lineOne.cut()
  lineTwo.cut()
  await expireHeartbeats(db)
  lineTwo.restore()
  // The first node is late, and its lock stays free longer than it takes to declare a node dead.
  await eventually(async () => {
    const { beat_at, back_since } = await beatOf(two.nodeId)
    return back_since !== null && beat_at.getTime() > back_since.getTime() + 2_500 ? true : null
  })
  await two.waitUntilClaimed(await queueMeeting(db))
  lineOne.restore()
  await eventually(async () => ((await beatOf(one.nodeId)).back_since === null ? null : true))
  await two.waitUntilClaimed(await queueMeeting(db))
  assert.deepEqual([one.fencesOf(first), two.fencesOf(first)], [[1], []])
  assert.deepEqual([one.fencesOf(second), two.fencesOf(second)], [[], [1]])
  const segment = { captionId: 'c', speaker: 'Ana', text: 'Kept.', startedAt: 0 }
  await (await createTestWriter(database, first, 1)).writeSegments([segment], new Date())

  // The grace period after the outage has passed. This time only the first node loses its connection.
  await db
    .updateTable('node')
    .set({ back_since: sql<Date>`back_since - ${LONG_AGO}` })
    .execute()
  lineOne.cut()
  await two.waitUntilClaimed(first)
  assert.deepEqual(two.fencesOf(first), [2])
})

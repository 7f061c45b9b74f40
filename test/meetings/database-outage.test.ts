import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase, type Db } from '../../src/db/database.ts'
import {
  openNodeMembership,
  DEAD_AFTER_SECONDS,
  type NodeMembership,
} from '../../src/db/nodes/node-membership.ts'
import { createLog } from '../../src/log.ts'
import { startMeetingRunner, type MeetingJob } from '../../src/meetings/attending/meeting-runner.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../support/database/database-proxy.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import { MEETING_OPTIONS, seedMeeting, createTestWriter } from '../support/meetings/seed-meeting.ts'

const log = createLog('silent')
const LONG_AGO = sql.raw(`interval '${DEAD_AFTER_SECONDS + 5} seconds'`)

/** Gives meetings to bots that stay until they are told to go. */
function runMeetings(db: Db, presence: NodeMembership, limit: number) {
  const jobs: MeetingJob[] = []
  const runner = startMeetingRunner({
    db,
    clock: { now: () => new Date() },
    log,
    presence,
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
    taken: (id: string) => eventually(() => has(id) || null),
    fencesOf: (id: string) =>
      jobs.filter(({ lease }) => lease.meetingId === id).map(({ lease }) => lease.fence),
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  }
}

const waiting = (db: Db) => seedMeeting(db, { status: 'joining', fence: 0, started_at: new Date() })

/** A node as far as meetings need one, whose only way to the database is the line. */
async function openNode(line: DatabaseProxy, limit: number) {
  await using stack = new AsyncDisposableStack()
  const { db, pool, close } = await openDatabase({ connectionString: line.url }, { max: 4, log })
  stack.defer(close)
  const capacity = { bots: 0, practiceBots: limit }
  const parts = { db, pool, log, capacity, ownsDatabase: false }
  const presence = stack.use(await openNodeMembership(parts))
  const meetings = stack.use(runMeetings(db, presence, limit))
  const opened = stack.move()
  return {
    ...meetings,
    nodeId: presence.nodeId,
    // A node that is to end in order has to reach its database.
    [Symbol.asyncDispose]() {
      line.restore()
      return opened.disposeAsync()
    },
  }
}

/** A node of which the test says when it beats. */
async function seatNode(db: Db): Promise<NodeMembership> {
  const row = { id: 'node_me', lock_number: 5, bots: 0, practice_bots: 9 }
  await db
    .insertInto('node')
    .values({ ...row, beat_at: sql<Date>`now()` })
    .execute()
  return {
    nodeId: row.id,
    isOnlyNode: () => true,
    broadcast: () => undefined,
    onMessage: () => undefined,
    onNodeLost: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const growOld = (db: Db) =>
  db
    .updateTable('node')
    .set({ beat_at: sql<Date>`beat_at - ${LONG_AGO}` })
    .execute()

test('a node whose beat is late keeps its meetings, and takes those that nobody has', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const presence = await seatNode(db)
  await using node = runMeetings(db, presence, 9)
  const first = await waiting(db)
  await node.taken(first)
  const mine = node.jobs[0]
  await growOld(db)

  // A whole round lies between.
  await node.taken(await waiting(db))
  await node.taken(await waiting(db))
  assert.deepEqual(node.fencesOf(first), [1])
  assert.equal(mine?.release.aborted, false)
})

test('a meeting that a node holds and has no bot for is attended again', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const presence = await seatNode(db)
  const lost = await seedMeeting(db, { owner: presence.nodeId, fence: 3 })
  await growOld(db)
  await using node = runMeetings(db, presence, 9)
  await node.taken(lost)
  assert.deepEqual(node.fencesOf(lost), [4])
})

test('a node whose beat is late does not forget what its bots use of an account', async () => {
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
  const presence = await seatNode(db)
  await using node = runMeetings(db, presence, 9)
  const row = { status: 'joining', fence: 0, started_at: new Date(), options } as const
  await node.taken(await seedMeeting(db, row))
  await growOld(db)
  const next = await seedMeeting(db, row)
  await node.taken(await waiting(db))
  assert.deepEqual(node.fencesOf(next), [])
})

test('when the database was away for longer than a silence, nobody loses a meeting; a dead node still does', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await using lineOne = await openDatabaseProxy(database.url)
  await using lineTwo = await openDatabaseProxy(database.url)
  await using one = await openNode(lineOne, 1)
  const first = await waiting(db)
  await one.taken(first)
  await using two = await openNode(lineTwo, 9)
  const second = await waiting(db)
  await two.taken(second)
  const beatOf = async (nodeId: string) => {
    const query = db.selectFrom('node').select(['beat_at', 'back_since']).where('id', '=', nodeId)
    return query.executeTakeFirstOrThrow()
  }

  lineOne.cut()
  lineTwo.cut()
  await growOld(db)
  lineTwo.restore()
  // The other one is late, and its lock is free for longer than it takes to be given up.
  await eventually(async () => {
    const { beat_at, back_since } = await beatOf(two.nodeId)
    return back_since !== null && beat_at.getTime() > back_since.getTime() + 2_500 ? true : null
  })
  await two.taken(await waiting(db))
  lineOne.restore()
  await eventually(async () => ((await beatOf(one.nodeId)).back_since === null ? null : true))
  await two.taken(await waiting(db))
  assert.deepEqual([one.fencesOf(first), two.fencesOf(first)], [[1], []])
  assert.deepEqual([one.fencesOf(second), two.fencesOf(second)], [[], [1]])
  const segment = { captionId: 'c', speaker: 'Ana', text: 'Kept.', startedAt: 0 }
  await (await createTestWriter(database, first, 1)).writeSegments([segment], new Date())

  // The time that the others have is over, and this time only one of them goes away.
  await db
    .updateTable('node')
    .set({ back_since: sql<Date>`back_since - ${LONG_AGO}` })
    .execute()
  lineOne.cut()
  await two.taken(first)
  assert.deepEqual(two.fencesOf(first), [2])
})

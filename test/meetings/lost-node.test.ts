import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { connectToDatabase } from '../../src/db/database.ts'
import type { HeartbeatTimes } from '../../src/db/nodes/heartbeats.ts'
import { openNodeMembership } from '../../src/db/nodes/node-membership.ts'
import { NODE_LOCK_CLASS } from '../../src/db/nodes/node-rows.ts'
import { createLog } from '../../src/log.ts'
import { claimMeetings } from '../../src/meetings/attending/claiming/meeting-claims.ts'
import { LeaseLost } from '../../src/meetings/record/meeting-store.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { createTestWriter, seedMeeting } from '../support/meetings/seed-meeting.ts'
import { eventually } from '../support/time/eventually.ts'

const log = createLog('silent')
/** Longer than any test. */
const NEVER_MS = 3_600_000

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>
type NodeOptions = { url: string; times?: Partial<HeartbeatTimes>; wrapPool?: (pool: Pool) => Pool }

async function openNode({ url, times = {}, wrapPool = (pool) => pool }: NodeOptions) {
  await using stack = new AsyncDisposableStack()
  const { db, pool, close } = await connectToDatabase({ connectionString: url }, { max: 4, log })
  stack.defer(close)
  const membership = stack.use(
    await openNodeMembership({
      db,
      pool: wrapPool(pool),
      log,
      capacity: { bots: 0, practiceBots: 9 },
      ownsDatabase: false,
      heartbeatTimes: times,
    }),
  )
  const opened = stack.move()
  return { db, membership, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const claimAll = ({ db }: TestDatabase, nodeId: string) =>
  claimMeetings(db, { nodeId, running: [] }, new Date(), sql`true`, 9)

/** A node whose heartbeat is never late and whose lock nobody holds. */
async function insertUnlockedNode({ db }: TestDatabase): Promise<void> {
  const row = { id: 'node_unlocked', lock_number: 7, bots: 0, practice_bots: 0 }
  const beat_at = sql<Date>`now() + interval '1 hour'`
  await db
    .insertInto('node')
    .values({ ...row, beat_at })
    .execute()
}

const listNodeIds = async ({ db }: TestDatabase) =>
  (await db.selectFrom('node').select('id').execute()).map(({ id }) => id)

test('the meetings of a node whose session has ended are claimed although its last heartbeat is fresh', async () => {
  await using database = await openTestDatabase()
  await using line = await openDatabaseProxy(database.url)
  await using crashed = await openNode({ url: line.url })
  await using other = await openNode({ url: database.url })
  const meetingId = await seedMeeting(database.db, { status: 'joining', fence: 0 })
  const [claimed] = await claimAll(database, crashed.membership.nodeId)
  assert.equal(claimed?.fence, 1)
  const lost = Promise.withResolvers<void>()
  other.membership.onNodeLost(() => lost.resolve())

  line.cut()
  // The server has closed the session. Nothing can move the heartbeat back, so only the free lock can decide.
  await database.db
    .updateTable('node')
    .set({ beat_at: sql<Date>`now() + interval '1 hour'` })
    .where('id', '=', crashed.membership.nodeId)
    .execute()
  await lost.promise
  const [again] = await claimAll(database, other.membership.nodeId)
  assert.deepEqual([again?.id, again?.fence], [meetingId, 2])
  const segment = { captionId: 'c', speaker: 'Ana', text: 'Late.', startedAt: 0 }
  const former = await createTestWriter(database, meetingId, 1)
  await assert.rejects(former.writeSegments([segment], new Date()), LeaseLost)
  line.restore()
})

test('a node whose session the server ended takes another lock at once, not with its next heartbeat', async () => {
  await using database = await openTestDatabase()
  const times = { watchMs: NEVER_MS, beatMs: NEVER_MS }
  await using node = await openNode({ url: database.url, times })
  const readRow = () =>
    database.db
      .selectFrom('node')
      .select(['lock_number', 'back_since'])
      .where('id', '=', node.membership.nodeId)
      .executeTakeFirstOrThrow()
  const { lock_number: before } = await readRow()
  await sql`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and classid = ${NODE_LOCK_CLASS} and objid = ${before}::bigint::oid`.execute(
    database.db,
  )
  const { back_since } = await eventually(async () => {
    const row = await readRow()
    return row.lock_number === before ? null : row
  })
  // The sessions of all nodes may have ended, so it declares no other node dead for a while.
  assert.notEqual(back_since, null)
})

test('a node declares another one dead by its lock, but not behind a pooler that shares sessions', async () => {
  await using database = await openTestDatabase()
  const times = { watchMs: NEVER_MS, suspectForMs: 0 }
  await insertUnlockedNode(database)
  {
    await using pooled = await openNode({ url: database.url, times, wrapPool: shareSessions })
    assert.deepEqual(
      (await listNodeIds(database)).toSorted(),
      [pooled.membership.nodeId, 'node_unlocked'].toSorted(),
    )
  }
  await using direct = await openNode({ url: database.url, times })
  assert.deepEqual(await listNodeIds(database), [direct.membership.nodeId])
})

/** Runs a connection's statements in two sessions in turn, as a pooler in transaction mode may do. */
function shareSessions(pool: Pool): Pool {
  const connect = async () => {
    const [first, second] = [await pool.connect(), await pool.connect()]
    let statements = 0
    return {
      on: first.on.bind(first),
      query(...given: Parameters<typeof first.query>) {
        statements += 1
        return (statements % 2 === 0 ? second : first).query(...given)
      },
      release(isBroken: boolean) {
        first.release(isBroken)
        second.release(isBroken)
      },
    }
  }
  return { connect, options: pool.options, query: pool.query.bind(pool) } as unknown as Pool
}

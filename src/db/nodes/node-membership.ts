import { randomInt } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Log } from '../../log.ts'
import { newId } from '../../lib/crypto/random.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Db } from '../database.ts'

/** First number of our advisory locks; the second is the node's own. */
const LOCK_CLASS = 4743
const HEARTBEAT_INTERVAL_MS = 500
/** A node whose lock is free and which has not beaten for so long is gone. */
const SUSPECT_FOR_MS = 1_000
/** A node that has not beaten for so long is gone, whatever its lock says: it is paused or cut off. */
export const DEAD_AFTER_SECONDS = 15
const CHANNEL = 'hansard'
/** The server takes 8,000 bytes. */
const MAX_BROADCAST_BYTES = 7_900

/** Tells the nodes of an instance which of them are alive, and lets them call to each other. */
export interface NodeMembership extends AsyncDisposable {
  readonly nodeId: string
  /** Whether nobody else was there when it was last looked. */
  isOnlyNode(): boolean
  /** To every other node, now or never: whoever must not miss it looks into the database. */
  broadcast(notice: string): void
  onBroadcast(listener: (notice: string) => void): void
  /** A node went away: what it held is free. */
  onNodeLost(listener: () => void): void
}

type Parts = {
  db: Db
  pool: Pool
  log: Log
  capacity: { bots: number; practiceBots: number }
  /** The database is this node's own: whoever else is listed is a process that is gone. */
  ownsDatabase: boolean
}

/** A node that has not beaten for so long itself cannot tell who is gone: perhaps nobody could beat. */
const HEARTBEAT_GAP_SECONDS = DEAD_AFTER_SECONDS / 2

/** For the WHERE of a count: owners that are alive. */
export const liveNodeIds = sql<string>`(
  select id from node where beat_at > now() - make_interval(secs => ${DEAD_AFTER_SECONDS})
)`

/** For the WHERE of a claim: the node that the column names is gone, it is another one, and this one can tell. */
export function isOwnerDead(column: string, nodeId: string): RawBuilder<boolean> {
  const owner = sql.ref(column)
  return sql`(${owner} <> ${nodeId} and ${owner} not in ${liveNodeIds} and ${canDeclareDead(nodeId)})`
}

/** A database that was away was away for the others too: whoever is back gives them the time to come back. */
function canDeclareDead(nodeId: string): RawBuilder<boolean> {
  return sql`exists (
    select from node me where me.id = ${nodeId}
      and me.beat_at > now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})
      and (me.back_since is null or me.back_since <= now() - make_interval(secs => ${DEAD_AFTER_SECONDS}))
  )`
}

export async function openNodeMembership(parts: Parts): Promise<NodeMembership> {
  const { db, pool, log, capacity, ownsDatabase } = parts
  const nodeId = newId('node')
  const lockNumber = randomInt(1, 2 ** 31)
  const callListeners: Array<(notice: string) => void> = []
  const goneListeners: Array<() => void> = []
  const suspects = new Map<string, { beatAt: number; since: number }>()
  const wakeUp = createWakeUp()
  let others = 0
  const closing = new AbortController()
  let line: PoolClient | null = null
  /** What the next beat has to tell of the time before it. */
  let before: PreviousHeartbeat = 'nothing'

  const hear = ({ payload = '' }: { payload?: string | undefined }) => {
    const [from, notice] = parseBroadcast(payload)
    if (from !== nodeId) for (const listener of callListeners) listener(notice)
  }
  /** The lock belongs to a connection of its own; with it go the calls. */
  const hold = async () => {
    const client = await pool.connect()
    const drop = () => {
      if (line !== client) return
      line = null
      before = 'a gap'
      client.release(true)
    }
    client.on('error', drop)
    client.on('end', drop)
    try {
      await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lockNumber])
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      client.release(true)
      throw error
    }
    client.on('notification', hear)
    line = client
  }
  const look = async () => {
    if (line === null) await hold()
    await writeHeartbeat(db, { id: nodeId, lock_number: lockNumber, ...toRow(capacity) }, before)
    // It may have been lost again in the meantime.
    if (line !== null) before = 'a beat'
    const unlocked = await findUnlockedNodes(db)
    const rows = await db.selectFrom('node').select('id').where('id', '<>', nodeId).execute()
    others = rows.length
    const now = performance.now()
    for (const id of suspects.keys())
      if (!unlocked.some((row) => row.id === id)) suspects.delete(id)
    for (const { id, beat_at } of unlocked) {
      const known = suspects.get(id)
      if (known?.beatAt !== beat_at.getTime()) {
        suspects.set(id, { beatAt: beat_at.getTime(), since: now })
      } else if (
        now - known.since >= SUSPECT_FOR_MS &&
        (await deleteDeadNode(db, nodeId, id, beat_at))
      ) {
        suspects.delete(id)
        log.warn({ node: id }, 'a node is gone')
        for (const listener of goneListeners) listener()
      }
    }
  }
  const watch = async () => {
    while (!closing.signal.aborted) {
      try {
        await look()
      } catch (error) {
        if (!closing.signal.aborted) log.error({ err: error }, 'nodes not watched')
      }
      await wakeUp.sleep(HEARTBEAT_INTERVAL_MS)
    }
  }

  if (ownsDatabase) await db.deleteFrom('node').execute()
  await look()
  const watching = watch()

  return {
    nodeId,
    isOnlyNode: () => others === 0,
    broadcast(notice) {
      const text = `${nodeId} ${notice}`
      if (others === 0 || Buffer.byteLength(text) > MAX_BROADCAST_BYTES) return
      pool.query('select pg_notify($1, $2)', [CHANNEL, text]).catch((error: unknown) => {
        log.warn({ err: error }, 'other nodes not called')
      })
    },
    onBroadcast: (listener) => void callListeners.push(listener),
    onNodeLost: (listener) => void goneListeners.push(listener),
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await watching
      const client = line
      line = null
      client?.release(true)
      await db.deleteFrom('node').where('id', '=', nodeId).execute()
    },
  }
}

function parseBroadcast(payload: string): [from: string, notice: string] {
  const end = payload.indexOf(' ')
  return [payload.slice(0, end), payload.slice(end + 1)]
}

function toRow({ bots, practiceBots }: Parts['capacity']) {
  return { bots, practice_bots: practiceBots }
}

type HeartbeatRow = { id: string; lock_number: number; bots: number; practice_bots: number }

/** `a gap`: the connection was lost since the last beat. */
type PreviousHeartbeat = 'nothing' | 'a beat' | 'a gap'

/** Written anew when somebody has given this node up. */
async function writeHeartbeat(db: Db, row: HeartbeatRow, before: PreviousHeartbeat): Promise<void> {
  const now = sql<Date>`now()`
  const isLate = sql`node.beat_at <= now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})`
  const backSince = sql<Date>`case when ${before === 'a gap'} or ${isLate} then now() else node.back_since end`
  await db
    .insertInto('node')
    .values({ ...row, beat_at: now, back_since: before === 'nothing' ? null : now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ beat_at: now, back_since: backSince }),
    )
    .execute()
}

/** Nodes whose lock nobody holds: their connection is gone. */
function findUnlockedNodes(db: Db) {
  return db
    .selectFrom('node')
    .select(['id', 'beat_at'])
    .where(
      sql<boolean>`not exists (
        select from pg_locks
        where locktype = 'advisory' and classid = ${LOCK_CLASS} and objid = node.lock_number::bigint::oid
          and database = (select oid from pg_database where datname = current_database()) and granted
      )`,
    )
    .execute()
}

async function deleteDeadNode(db: Db, nodeId: string, id: string, beatAt: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('node')
    .where('id', '=', id)
    .where(sql<boolean>`date_trunc('milliseconds', beat_at) = ${beatAt}`)
    .where(canDeclareDead(nodeId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

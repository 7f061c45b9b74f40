import { randomInt } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Log } from '../../log.ts'
import { newId } from '../../lib/crypto/random.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Db } from '../database.ts'
import {
  decodeNodeMessage,
  encodeNodeMessage,
  type NodeMessageData,
  type NodeMessageKind,
} from './node-messages.ts'

/** First key of the advisory lock that each node holds; the second key is the node's lock number. */
const LOCK_CLASS = 4743
const HEARTBEAT_INTERVAL_MS = 500
/** A node is dead when its advisory lock has been free, without a heartbeat, for this long. */
const SUSPECT_FOR_MS = 1_000
/** A node without a heartbeat for this long is dead even if its lock is held: it is paused or disconnected. */
export const NODE_DEAD_AFTER_SECONDS = 15
/** How long the last heartbeat of a dead node is stored. Its meetings are claimed within seconds. */
const DEAD_NODE_DAYS = 7
const CHANNEL = 'hansard'
/** PostgreSQL limits a notification to 8,000 bytes. */
const MAX_BROADCAST_BYTES = 7_900

/** Knows which nodes of the instance are alive, and sends messages between them. */
export interface NodeMembership extends AsyncDisposable {
  readonly nodeId: string
  /** Whether no other node was listed at the last heartbeat. */
  isOnlyNode(): boolean
  /** Sends a message to every other node, at most once and without a guarantee. */
  broadcast<Kind extends NodeMessageKind>(kind: Kind, data: NodeMessageData<Kind>): void
  onMessage<Kind extends NodeMessageKind>(
    kind: Kind,
    listener: (data: NodeMessageData<Kind>) => void,
  ): void
  /** Called when another node died and its leases can be claimed. */
  onNodeLost(listener: () => void): void
}

type Parts = {
  db: Db
  pool: Pool
  log: Log
  capacity: { bots: number; practiceBots: number }
  /** True for an embedded database, which only one process can use: every listed node is a dead one. */
  ownsDatabase: boolean
}

/** A node whose own heartbeat is older than this must not declare others dead: the database may have been down for all. */
const HEARTBEAT_GAP_SECONDS = NODE_DEAD_AFTER_SECONDS / 2

/** SQL: the ids of live nodes. */
export const liveNodeIdsSubquery = sql<string>`(
  select id from node where beat_at > now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS})
)`

/** SQL condition: the column names another node, that node is dead, and this node may declare it dead. */
export function buildOwnerDeadCondition(column: string, thisNodeId: string): RawBuilder<boolean> {
  const owner = sql.ref(column)
  return sql`(${owner} <> ${thisNodeId} and ${owner} not in ${liveNodeIdsSubquery} and ${canDeclareDead(thisNodeId)})`
}

/** SQL: the last heartbeat of the node that the column names, also when it is dead; null when it is not known. */
export function buildLastHeartbeatSubquery(column: string): RawBuilder<Date | null> {
  const id = sql.ref(column)
  return sql`coalesce(
    (select beat_at from node where node.id = ${id}),
    (select beat_at from dead_node where dead_node.id = ${id})
  )`
}

/** SQL condition: this node has had steady heartbeats for long enough. After a database outage it gives the other nodes time to reconnect. */
function canDeclareDead(nodeId: string): RawBuilder<boolean> {
  return sql`exists (
    select from node me where me.id = ${nodeId}
      and me.beat_at > now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})
      and (me.back_since is null or me.back_since <= now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS}))
  )`
}

export async function openNodeMembership(parts: Parts): Promise<NodeMembership> {
  const { db, pool, log, capacity, ownsDatabase } = parts
  const nodeId = newId('node')
  const lockNumber = randomInt(1, 2 ** 31)
  const messageListeners = new Map<NodeMessageKind, Array<(data: never) => void>>()
  const nodeLostListeners: Array<() => void> = []
  const suspects = new Map<string, { beatAt: number; since: number }>()
  const wakeUp = createWakeableSleep()
  let others = 0
  const closing = new AbortController()
  /** Database connection that holds the advisory lock of this node and receives the messages of other nodes. */
  let connection: PoolClient | null = null
  let previous: PreviousHeartbeat = 'none'

  const onNotification = ({ payload = '' }: { payload?: string | undefined }) => {
    const message = decodeNodeMessage(payload)
    if (message === null) return log.warn('ignored an unknown message from another node')
    if (message.from === nodeId) return
    for (const listener of messageListeners.get(message.kind) ?? []) listener(message.data)
  }
  const connect = async () => {
    const client = await pool.connect()
    const drop = () => {
      if (connection !== client) return
      connection = null
      previous = 'before a lost connection'
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
    client.on('notification', onNotification)
    connection = client
  }
  const checkNodes = async () => {
    if (connection === null) await connect()
    await writeHeartbeat(db, { id: nodeId, lock_number: lockNumber, ...toRow(capacity) }, previous)
    // The connection may have been lost again while the heartbeat was written.
    if (connection !== null) previous = 'on this connection'
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
        log.warn({ nodeId: id }, 'another node died')
        for (const listener of nodeLostListeners) listener()
      }
    }
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await checkNodes()
      } catch (error) {
        if (!closing.signal.aborted)
          log.error({ err: error }, 'failed to write the heartbeat or read those of other nodes')
      }
      await wakeUp.sleep(HEARTBEAT_INTERVAL_MS)
    }
  }

  await deleteOldDeadNodes(db)
  if (ownsDatabase) await moveToDeadNodes(db, sql`true`)
  await checkNodes()
  const looping = loop()

  return {
    nodeId,
    isOnlyNode: () => others === 0,
    broadcast(kind, data) {
      if (others === 0) return
      const text = encodeNodeMessage(nodeId, kind, data)
      // A message that is too long is dropped: every receiver also reads the database.
      if (Buffer.byteLength(text) > MAX_BROADCAST_BYTES) return
      pool.query('select pg_notify($1, $2)', [CHANNEL, text]).catch((error: unknown) => {
        log.warn({ err: error, kind }, 'failed to send a message to other nodes')
      })
    },
    onMessage(kind, listener) {
      messageListeners.set(kind, [...(messageListeners.get(kind) ?? []), listener])
    },
    onNodeLost: (listener) => void nodeLostListeners.push(listener),
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
      const client = connection
      connection = null
      client?.release(true)
      await db.deleteFrom('node').where('id', '=', nodeId).execute()
    },
  }
}

function toRow({ bots, practiceBots }: Parts['capacity']) {
  return { bots, practice_bots: practiceBots }
}

type HeartbeatRow = { id: string; lock_number: number; bots: number; practice_bots: number }

/** When this node wrote its last heartbeat. */
type PreviousHeartbeat = 'none' | 'on this connection' | 'before a lost connection'

/** Writes the heartbeat of this node. Inserts its row again when another node declared it dead and deleted the row. */
async function writeHeartbeat(
  db: Db,
  row: HeartbeatRow,
  previous: PreviousHeartbeat,
): Promise<void> {
  const now = sql<Date>`now()`
  const isLate = sql`node.beat_at <= now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})`
  const backSince = sql<Date>`case when ${previous === 'before a lost connection'} or ${isLate} then now() else node.back_since end`
  await db
    .insertInto('node')
    .values({ ...row, beat_at: now, back_since: previous === 'none' ? null : now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ beat_at: now, back_since: backSince }),
    )
    .execute()
}

/** Nodes whose advisory lock is free, because their connection ended. */
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
  const condition = sql<boolean>`id = ${id} and date_trunc('milliseconds', beat_at) = ${beatAt} and ${canDeclareDead(nodeId)}`
  return (await moveToDeadNodes(db, condition)) > 0
}

async function deleteOldDeadNodes(db: Db): Promise<void> {
  await sql`delete from dead_node where died_at < now() - make_interval(days => ${DEAD_NODE_DAYS})`.execute(
    db,
  )
}

/** Deletes nodes and stores their last heartbeats in one statement. Returns the number of nodes. */
async function moveToDeadNodes(db: Db, condition: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql`
    with dead as (delete from node where ${condition} returning id, beat_at)
    insert into dead_node (id, beat_at) select id, beat_at from dead
    on conflict (id) do update set beat_at = excluded.beat_at, died_at = now()
    returning id`.execute(db)
  return rows.length
}

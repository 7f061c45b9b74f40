import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../database.ts'
import {
  buildCanDeclareDeadCondition,
  HEARTBEAT_GAP_SECONDS,
  NODE_DEAD_AFTER_SECONDS,
  liveNodeIdsSubquery,
  liveNodeIdsWithRoleSubquery,
} from './node-conditions.ts'
import type { NodeRole } from './node-roles.ts'

/** First key of the advisory lock that each node holds. The second key is the lock number in the node's row. */
export const NODE_LOCK_CLASS = 4743
/** How long a dead node's last heartbeat is stored. Its meetings are claimed within seconds. */
const DEAD_NODE_DAYS = 7

type HeartbeatRow = {
  id: string
  lock_number: number
  bots: number
  practice_bots: number
  roles: NodeRole[]
  has_master_key: boolean
  documents: string | null
}

/** The connection on which this node wrote its last heartbeat. */
export type PreviousHeartbeat = 'none' | 'on this connection' | 'before a lost connection'

/** A process of this instance, as the database knows it. */
export type NodeStatus = {
  id: string
  /** False if the node has sent no heartbeat for a while. Other nodes may then claim its meetings. */
  isAlive: boolean
  beatAt: Date
  /** How many bots with a browser the node can run. */
  bots: number
  /** What the node does. */
  roles: NodeRole[]
}

type TotalNodeCapacity = { nodes: number; bots: number; practiceBots: number }

/** Writes this node's heartbeat. Inserts the row again if another node declared it dead and deleted the row. */
export async function upsertHeartbeatRow(
  db: Db,
  row: HeartbeatRow,
  previous: PreviousHeartbeat,
): Promise<void> {
  const now = sql<Date>`now()`
  const isLate = sql`node.beat_at <= now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})`
  const backSince = sql<Date>`case when ${previous === 'before a lost connection'} or ${isLate} then now() else node.back_since end`
  const { lock_number } = row
  await db
    .insertInto('node')
    .values({ ...row, beat_at: now, back_since: previous === 'none' ? null : now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ beat_at: now, back_since: backSince, lock_number }),
    )
    .execute()
}

/** SQL condition: the node's connection is open, so it holds its advisory lock. Other nodes try it in another mode. */
const holdsLock = sql<boolean>`exists (
  select from pg_locks
  where locktype = 'advisory' and classid = ${NODE_LOCK_CLASS} and objid = node.lock_number::bigint::oid
    and database = (select oid from pg_database where datname = current_database())
    and mode = 'ExclusiveLock' and granted
)`

/** True if another live node has announced where it keeps its documents. */
export async function hasOtherStartedNodes(db: Db, nodeId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('node')
    .select('id')
    .where('id', '<>', nodeId)
    .where('documents', 'is not', null)
    .where(sql<boolean>`beat_at > now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS})`)
    .where(holdsLock)
    .limit(1)
    .execute()
  return rows.length > 0
}

export async function hasLiveNodes(db: Db): Promise<boolean> {
  const rows = await db.selectFrom('node').select('id').where(holdsLock).limit(1).execute()
  return rows.length > 0
}

export async function setDocumentsOfNode(tx: Tx, id: string, documents: string): Promise<void> {
  await tx.updateTable('node').set({ documents }).where('id', '=', id).execute()
}

/** Another node, as its row and PostgreSQL's lock table show it. */
export type OtherNode = {
  id: string
  beatAt: Date
  /** False if the session that held the node's lock has ended. */
  isLocked: boolean
}

/**
 * Runs several times a second, so each lock is tried by its number. That costs the same no matter how many locks the
 * server holds. The tried lock is shared and ends with the statement, so that nodes that read at the same time don't
 * mistake each other for the owner.
 */
export async function readOtherNodes(
  db: Db,
  nodeId: string,
): Promise<{ nodes: OtherNode[]; sessionId: number }> {
  const { rows } = await sql<{ sessionId: number } & (OtherNode | { id: null })>`
    select pg_backend_pid() as "sessionId", id, beat_at as "beatAt",
      not pg_try_advisory_xact_lock_shared(${sql.lit(NODE_LOCK_CLASS)}, lock_number) as "isLocked"
    from (select) as always left join node on id <> ${nodeId}`.execute(db)
  const nodes = rows.filter((row) => row.id !== null)
  return { nodes, sessionId: rows[0]?.sessionId ?? 0 }
}

/** Deletes a dead node's row if its heartbeat has not changed. False if this node may not declare it dead. */
export async function deleteDeadNode(
  db: Db,
  nodeId: string,
  id: string,
  beatAt: Date,
): Promise<boolean> {
  const condition = sql<boolean>`id = ${id} and date_trunc('milliseconds', beat_at) = ${beatAt} and ${buildCanDeclareDeadCondition(nodeId)}`
  return (await moveToDeadNodes(db, condition)) > 0
}

export async function deleteOldDeadNodes(db: Db): Promise<void> {
  await sql`delete from dead_node where died_at < now() - make_interval(days => ${DEAD_NODE_DAYS})`.execute(
    db,
  )
}

/** Deletes nodes and stores their last heartbeats in one statement. Returns the number of nodes. */
export async function moveToDeadNodes(db: Db, condition: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql`
    with dead as (delete from node where ${condition} returning id, beat_at)
    insert into dead_node (id, beat_at) select id, beat_at from dead
    on conflict (id) do update set beat_at = excluded.beat_at, died_at = now()
    returning id`.execute(db)
  return rows.length
}

export async function listNodes(db: Db): Promise<NodeStatus[]> {
  const { rows } = await sql<NodeStatus>`
    select id, beat_at as "beatAt", bots, roles,
      beat_at > now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS}) as "isAlive"
    from node order by id`.execute(db)
  return rows
}

/** The live node with this role whose id comes first. Null if there is none. */
export async function findFirstNodeWithRole(db: Db, role: NodeRole): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from ${liveNodeIdsWithRoleSubquery(role)} as live`.execute(db)
  return rows[0]?.id ?? null
}

export async function readTotalNodeCapacity(db: Db): Promise<TotalNodeCapacity> {
  const { rows } = await sql<TotalNodeCapacity>`
    select count(*)::int as nodes, coalesce(sum(bots), 0)::int as bots,
      coalesce(sum(practice_bots), 0)::int as "practiceBots"
    from node where id in ${liveNodeIdsSubquery}`.execute(db)
  return rows[0] ?? { nodes: 0, bots: 0, practiceBots: 0 }
}

import { sql, type RawBuilder } from 'kysely'
import type { NodeRole } from './node-roles.ts'

/** A node without a heartbeat for this long is dead even if its lock is held, because it is paused or disconnected. */
export const NODE_DEAD_AFTER_SECONDS = 15

/**
 * A node whose own heartbeat is older than this must not declare others dead, because the database may have been down
 * for all nodes. It must not claim anything either, because others may soon declare it dead.
 */
export const HEARTBEAT_GAP_SECONDS = NODE_DEAD_AFTER_SECONDS / 2

export const liveNodeIdsSubquery = sql<string>`(
  select id from node where beat_at > now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS})
)`

export function liveNodeIdsWithRoleSubquery(role: NodeRole): RawBuilder<string> {
  return sql`(select id from node where id in ${liveNodeIdsSubquery} and ${role} = any(roles))`
}

/** SQL condition: the column names another node, which is dead, and this node may declare it dead. */
export function buildOwnerDeadCondition(
  column: string,
  declaringNodeId: string,
): RawBuilder<boolean> {
  const owner = sql.ref(column)
  return sql`(${owner} <> ${declaringNodeId} and ${owner} not in ${liveNodeIdsSubquery} and ${buildCanDeclareDeadCondition(declaringNodeId)})`
}

/**
 * SQL condition: this node may claim, because no other node has declared it dead or will soon. A node without a
 * heartbeat would lose its claims at once.
 */
export function buildMayClaimCondition(nodeId: string): RawBuilder<boolean> {
  return sql`exists (
    select from node me where me.id = ${nodeId}
      and me.beat_at > now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})
  )`
}

/** SQL: the last heartbeat of the node that the column names, even of a dead node. Null if it is not known. */
export function buildLastHeartbeatSubquery(column: string): RawBuilder<Date | null> {
  const id = sql.ref(column)
  return sql`coalesce(
    (select beat_at from node where node.id = ${id}),
    (select beat_at from dead_node where dead_node.id = ${id})
  )`
}

/** SQL condition: this node's heartbeats were steady for a while, so others could reconnect after a database outage. */
export function buildCanDeclareDeadCondition(nodeId: string): RawBuilder<boolean> {
  return sql`exists (
    select from node me where me.id = ${nodeId}
      and me.beat_at > now() - make_interval(secs => ${HEARTBEAT_GAP_SECONDS})
      and (me.back_since is null or me.back_since <= now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS}))
  )`
}

import { sql } from 'kysely'
import type { Db } from '../database.ts'
import {
  buildMayClaimCondition,
  NODE_DEAD_AFTER_SECONDS,
  liveNodeIdsSubquery,
} from './node-conditions.ts'
import type { NodeRole } from './node-roles.ts'

/** A process of this instance, as the database knows it. */
export type NodeStatus = {
  id: string
  /** False when the node has sent no heartbeat for a while; other nodes may then claim its meetings. */
  isAlive: boolean
  beatAt: Date
  /** How many bots with a browser the node can run. */
  bots: number
  /** What the node does. */
  roles: NodeRole[]
}

export async function listNodes(db: Db): Promise<NodeStatus[]> {
  const { rows } = await sql<NodeStatus>`
    select id, beat_at as "beatAt", bots, roles,
      beat_at > now() - make_interval(secs => ${NODE_DEAD_AFTER_SECONDS}) as "isAlive"
    from node order by id`.execute(db)
  return rows
}

/** Whether this node may claim work now, because its heartbeat in the database is fresh. */
export async function mayNodeClaim(db: Db, nodeId: string): Promise<boolean> {
  const { rows } = await sql<{ mayClaim: boolean }>`
    select ${buildMayClaimCondition(nodeId)} as "mayClaim"`.execute(db)
  return rows[0]?.mayClaim ?? false
}

/** The capacity of all live nodes together. */
export type TotalNodeCapacity = { nodes: number; bots: number; practiceBots: number }

export async function readTotalNodeCapacity(db: Db): Promise<TotalNodeCapacity> {
  const { rows } = await sql<TotalNodeCapacity>`
    select count(*)::int as nodes, coalesce(sum(bots), 0)::int as bots,
      coalesce(sum(practice_bots), 0)::int as "practiceBots"
    from node where id in ${liveNodeIdsSubquery}`.execute(db)
  return rows[0] ?? { nodes: 0, bots: 0, practiceBots: 0 }
}

import type { Generated } from 'kysely'
import type { NodeRole } from '../nodes/node-roles.ts'
import type { Immutable } from './column.ts'

/** A running node. A node that stops its heartbeat or loses its advisory lock is dead, and its row is deleted. */
export interface NodeTableColumns {
  id: Immutable<string>
  /** Number of the advisory lock that the node holds while it is alive; another one after it has reconnected. */
  lock_number: number
  /** Capacity of the node: bots with a browser, and practice bots without one. */
  bots: number
  practice_bots: number
  /** What the node does. */
  roles: Generated<NodeRole[]>
  /** Whether it can decrypt stored secrets. A node that only attends meetings may lack the key. */
  has_master_key: Generated<boolean>
  beat_at: Date
  /** When the node's heartbeat resumed after an interruption; null when there was none. */
  back_since: Date | null
  /** Where the node has documents: `database`, or `folder` with the id of the folder. Null until it has started. */
  documents: string | null
}

/** The last heartbeat of a node that died. Its meetings were recorded until about then. */
export interface DeadNodeTableColumns {
  id: Immutable<string>
  beat_at: Immutable<Date>
  died_at: Generated<Date>
}

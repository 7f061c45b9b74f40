import type { ColumnType, Generated } from 'kysely'
import type { NodeRole } from './nodes/node-roles.ts'

/**
 * The tables, as types for queries. The migrations create them. Each folder declares in its `tables.ts` the tables that
 * only it writes; these are the tables of this folder.
 */
export interface Database {
  /** A running node. If it stops its heartbeat or loses its advisory lock, it is dead and its row is deleted. */
  node: {
    id: Immutable<string>
    /** Number of the advisory lock that the node holds while it is alive. It changes when the node reconnects. */
    lock_number: number
    /** Capacity of the node: bots with a browser, and practice bots without one. */
    bots: number
    practice_bots: number
    roles: Generated<NodeRole[]>
    /** True if it can decrypt stored secrets. A node that only attends meetings may lack the key. */
    has_master_key: Generated<boolean>
    beat_at: Date
    /** When the node's heartbeat resumed after an interruption. Null if there was none. */
    back_since: Date | null
    /** Where the node keeps its documents: `database`, or `folder` with the folder's id. Null until it has started. */
    documents: string | null
  }
  /** The last heartbeat of a node that died. Its meetings were recorded until about then. */
  dead_node: {
    id: Immutable<string>
    beat_at: Immutable<Date>
    died_at: Generated<Date>
  }
}

/** A column that is set at insert and never updated. */
export type Immutable<T> = ColumnType<T, T, never>

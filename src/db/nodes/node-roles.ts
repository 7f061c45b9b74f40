import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { liveNodeIdsSubquery } from './node-conditions.ts'

/** What a node does. A node has every role unless HANSARD_ROLES names some. */
export const NODE_ROLES = ['api', 'bots', 'tasks'] as const
export type NodeRole = (typeof NODE_ROLES)[number]

/** What does not happen while no running node has the role. */
const MISSING_ROLE_TEXTS: Readonly<Record<NodeRole, string>> = {
  api: 'no one reaches the console and the API',
  bots: 'no bot joins a meeting',
  tasks: 'callbacks, tasks, recaps, calendars and scheduled meetings wait',
}

/** Says which roles no running node has, and what waits for them. Null if every role has a running node. */
export async function describeMissingRoles(db: Db): Promise<string | null> {
  const { rows } = await sql<{ role: NodeRole }>`
    select distinct unnest(roles) as role from node where id in ${liveNodeIdsSubquery}`.execute(db)
  const missing = NODE_ROLES.filter((name) => !rows.some(({ role }) => role === name))
  if (missing.length === 0) return null
  return missing
    .map((name) => `no running node has the role ${name}: ${MISSING_ROLE_TEXTS[name]}`)
    .join('; ')
}

/** True if bots run, but on no node that can decrypt the bot accounts. */
export async function lackBotsMasterKey(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean | null }>`
    select bool_or(has_master_key) as has from node
    where id in ${liveNodeIdsSubquery} and 'bots' = any(roles)`.execute(db)
  return rows[0]?.has === false
}

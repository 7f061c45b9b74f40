import type { Pool, PoolClient } from 'pg'

/** The open connections of a pool, in use and idle, which the pool does not show. To be called before the pool connects. */
export function trackOpenClients(pool: Pool): ReadonlySet<PoolClient> {
  const open = new Set<PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  return open
}

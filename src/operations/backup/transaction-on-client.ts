import type { PoolClient } from 'pg'
import { createDbOnClient } from '../../db/connections/db-on-connections.ts'
import type { Tx } from '../../db/database.ts'

/**
 * Runs `work` in one transaction that both the query builder and the driver use: the driver for COPY, the query builder
 * for migrations. Every unqualified name is one of the schema `public`.
 */
export async function runInTransaction<T>(
  client: PoolClient,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return createDbOnClient(client)
    .transaction()
    .execute(async (tx) => {
      await client.query('set local search_path to public')
      return work(tx)
    })
}

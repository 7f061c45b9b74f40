import { Kysely, PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import type { Tx } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'

/**
 * Runs `work` in one transaction that both the query builder and the driver use: the driver for COPY, the query builder
 * for migrations. Every unqualified name is one of the schema `public`.
 */
export async function runInTransaction<T>(
  client: PoolClient,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return db.transaction().execute(async (tx) => {
    await client.query('set local search_path to public')
    return work(tx)
  })
}

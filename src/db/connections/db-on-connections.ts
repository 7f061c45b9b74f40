import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type { ClientBase } from 'pg'
import type { Database } from '../schema.ts'

/** A query builder on connections that it does not own: it never closes them. */
export function createDbOnConnections(
  connect: PostgresPool['connect'],
  options: PostgresPool['options'] = {},
): Kysely<Database> {
  const pool = { connect, end: async () => undefined, options }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/** A query builder on one connection, which its owner releases. */
export function createDbOnClient(
  client: ClientBase,
  options?: PostgresPool['options'],
): Kysely<Database> {
  const connection = { query: client.query.bind(client), release: () => undefined }
  return createDbOnConnections(async () => connection, options)
}

import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { OperatorError } from '../errors.ts'
import type { Database } from './schema.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as meetings from './migrations/0002-meetings.ts'
import * as deliveries from './migrations/0003-deliveries.ts'
import * as bots from './migrations/0004-bots.ts'
import { messageOf } from '../lib/error-code.ts'

/** In order, forward only. A name once released never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-meetings': meetings,
  '0003-deliveries': deliveries,
  '0004-bots': bots,
}

/** Brings the database to this version. Nodes that start together take turns (an advisory lock inside). */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const migrator = createMigrator(db)
  if (await hasMigrations(db)) await refuseNewerDatabase(db)
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) {
    throw new OperatorError(
      `The database could not be migrated: ${messageOf(error)}`,
      undefined,
      error,
    )
  }
  return results.map((result) => result.migrationName)
}

export async function pendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const all = await createMigrator(db).getMigrations()
  return all.filter((migration) => migration.executedAt === undefined).map(({ name }) => name)
}

function createMigrator(db: Kysely<Database>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
}

async function hasMigrations(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there
  `.execute(db)
  return rows[0]?.there ?? false
}

/** A database that a newer version has migrated may hold what this one would damage. */
async function refuseNewerDatabase(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name <> all(${Object.keys(MIGRATIONS)})
  `.execute(db)
  if (rows.length === 0) return
  throw new OperatorError(
    `The database was migrated by a newer version of Hansard (${rows.map(({ name }) => name).join(', ')})`,
    'Start that version, or restore a backup made by this one',
  )
}

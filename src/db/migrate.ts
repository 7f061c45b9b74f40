import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { OperatorError } from '../errors.ts'
import type { Database } from './schema.ts'
import * as accounts from './migrations/0001-accounts.ts'
import { messageOf } from '../lib/error-code.ts'

/** In order, forward only. A name once released never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-accounts': accounts,
}

/** Brings the database to this version. Nodes that start together take turns (an advisory lock inside). */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const migrator = createMigrator(db)
  await refuseNewerDatabase(migrator)
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

/** A database that a newer version has migrated may hold what this one would damage. */
async function refuseNewerDatabase(migrator: Migrator): Promise<void> {
  try {
    await migrator.getMigrations()
  } catch (error) {
    throw new OperatorError(
      'The database was migrated by a newer version of Hansard',
      'Start that version, or restore a backup made by this one',
      error,
    )
  }
}

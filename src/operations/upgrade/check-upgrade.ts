import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { findPostgresCopiesFolder } from '../../config/load-config.ts'
import type { Tx } from '../../db/database.ts'
import { listClusterMajorVersions } from '../../db/embedded/cluster.ts'
import { requirePostgresForDataFolder } from '../../db/embedded/embedded-database.ts'
import {
  findMigration,
  listMissingMigrations,
  readAppliedMigrations,
  refuseNewerDatabase,
  findTouchedTables,
} from '../../db/migrate.ts'
import type { Log } from '../../log.ts'
import { openUnmigratedStorage } from '../../storage/open-storage.ts'

/** A table with data that a migration changes. `rows` is PostgreSQL's estimate. Null before the first ANALYZE. */
export type TouchedTable = { name: string; rows: number | null; bytes: number }

export type PendingMigration = { name: string; tables: TouchedTable[] }

export type UpgradeCheck = {
  /** `empty`: there is no database to upgrade yet. */
  state: 'empty' | 'current' | 'pending'
  /** The database, for people. */
  database: string
  /** The newest migration of the database. Null if it has none. */
  newestApplied: string | null
  pending: PendingMigration[]
}

/**
 * Says what the first start of this version would migrate, without changing the database. Works while a service of an
 * older version runs. Throws an OperatorError if this version would refuse the database.
 */
export async function checkUpgrade(config: Config, log: Log): Promise<UpgradeCheck> {
  if (config.databaseUrl === undefined) {
    if (listClusterMajorVersions(config.data).length === 0)
      return describeEmpty(`none yet in ${config.data}`)
    // A running service of an older version may have another PostgreSQL than this version.
    requirePostgresForDataFolder({ ...config, postgresCopies: findPostgresCopiesFolder(config) })
  }
  await using storage = await openUnmigratedStorage(config, log, 'join')
  const { description, database } = storage
  return await database.db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => readUpgrade(tx, description))
}

async function readUpgrade(tx: Tx, database: string): Promise<UpgradeCheck> {
  const applied = await readAppliedMigrations(tx)
  refuseNewerDatabase(applied)
  if (applied.length === 0) return describeEmpty(database)
  const pending: PendingMigration[] = []
  for (const name of listMissingMigrations(applied)) {
    const tables = await findTouchedTables(findMigration(name))
    pending.push({ name, tables: await measureTables(tx, tables) })
  }
  const state = pending.length > 0 ? 'pending' : 'current'
  return { state, database, newestApplied: applied.at(-1) ?? null, pending }
}

function describeEmpty(database: string): UpgradeCheck {
  return { state: 'empty', database, newestApplied: null, pending: [] }
}

/** Only tables that exist. A migration creates the others, which are empty then. */
async function measureTables(tx: Tx, names: readonly string[]): Promise<TouchedTable[]> {
  const { rows } = await sql<{ name: string; rows: string | null; bytes: string }>`
    select relname as name,
      case when reltuples < 0 then null else reltuples::bigint end as rows,
      pg_total_relation_size(oid) as bytes
    from pg_class
    where oid in (select to_regclass(name) from unnest(${names}::text[]) as name)
    order by bytes desc`.execute(tx)
  return rows.map(({ name, rows: count, bytes }) => ({
    name,
    rows: count === null ? null : Number(count),
    bytes: Number(bytes),
  }))
}

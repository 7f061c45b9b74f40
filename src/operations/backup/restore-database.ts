import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PoolClient, ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Tx } from '../../db/database.ts'
import { createDbOnClient } from '../../db/lost-connections.ts'
import {
  isKnownMigration,
  listTablesCreatedByMigrations,
  MIGRATOR_TABLES,
} from '../../db/migrate.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { createOwnedFoldersSync } from '../../lib/files/folders.ts'
import { damagedError, printableName, type ArchiveEntry } from './archive.ts'
import { listBackupTables, quoteIdentifier, type BackupTable } from './backup-tables.ts'
import { readBackup, type BackupContents, type VerifiedBackup } from './verify-backup.ts'

/** Error codes of names that this file system does not support, or does not distinguish. */
const UNSUPPORTED_NAME_CODES = new Set([
  'EEXIST',
  'EISDIR',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EINVAL',
  'EILSEQ',
])

/** The objects in a database, divided into Hansard's objects and those of other programs. */
export type DatabaseObjectsByOwner = {
  /** Hansard's tables that exist. */
  tables: string[]
  /** Descriptions of other programs' objects, such as `table public.invoice`. */
  foreign: string[]
  /** Description of another program's object with a name that Hansard needs. Null if there is none. */
  nameConflict: string | null
}

type DatabaseObject = { kind: string; schema: string; name: string }

/** Loads a backup's rows in the caller's transaction, where tables are new and empty, and its files into `fresh`. */
export async function loadBackup(
  client: PoolClient,
  { file, maxExpandedBytes }: VerifiedBackup,
  fresh: string,
): Promise<BackupContents> {
  return readBackup(file, maxExpandedBytes, {
    onManifest: ({ tables }) => checkColumns(client, file, tables),
    onRows: (table, entry) => copyRows(client, table, entry),
    onFile: (path, entry) => writeEntryFile(file, join(fresh, path), entry),
  })
}

/** Refuses columns that a backup never contains, such as transaction ids of another server. */
async function checkColumns(
  client: PoolClient,
  file: string,
  tables: readonly BackupTable[],
): Promise<void> {
  const names = tables.map(({ name }) => name)
  const known = new Map<string, string[]>()
  for (const { name, columns } of await listBackupTables(client, names)) known.set(name, columns)
  for (const { name, columns } of tables) {
    const unknown = columns.find((column) => known.get(name)?.includes(column) !== true)
    if (unknown !== undefined || columns.length === 0)
      throw damagedError(file, `unexpected column ${name}.${printableName(unknown ?? '')}`)
  }
}

async function copyRows(
  client: PoolClient,
  { name, columns }: BackupTable,
  { body }: ArchiveEntry,
): Promise<number> {
  const list = columns.map(quoteIdentifier).join(', ')
  const into = client.query(copyFrom(`copy public.${quoteIdentifier(name)} (${list}) from stdin`))
  await pipeline(body, into)
  return into.rowCount
}

async function writeEntryFile(
  file: string,
  path: string,
  { name, mtime, body }: ArchiveEntry,
): Promise<void> {
  try {
    createOwnedFoldersSync(dirname(path), 0o755)
    await using handle = await open(path, 'wx', 0o644)
    inheritOwnerSync(path, handle)
    for await (const chunk of body) await handle.appendFile(chunk)
    if (mtime !== undefined && !Number.isNaN(mtime.getTime())) await handle.utimes(mtime, mtime)
    await handle.sync()
  } catch (error) {
    if (!UNSUPPORTED_NAME_CODES.has(errorCode(error))) throw error
    throw new OperatorError(
      `${file} cannot be restored here: ${printableName(name)}: ${errorMessageOf(error)}`,
      'Restore into a data folder on another file system',
      error,
    )
  }
}

/**
 * Runs `work` in one transaction that both the query builder and the driver use: the driver for COPY, the query builder
 * for migrations. Every unqualified name is in the schema `public`.
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

/** Decides by the applied migrations which objects are Hansard's, because a name alone proves nothing. */
export async function classifyDatabaseObjects(client: ClientBase): Promise<DatabaseObjectsByOwner> {
  const objects = await listDatabaseObjects(client)
  const migrations = await listOwnMigrations(client, objects)
  const inPublic = new Set(objects.filter(isInPublicSchema).map(({ name }) => name))
  const expected =
    migrations === null
      ? []
      : [...MIGRATOR_TABLES, ...(await listTablesCreatedByMigrations(migrations))]
  const tables = expected.filter((name) => inPublic.has(name))
  const foreign = objects.filter(
    (object) => !(isInPublicSchema(object) && tables.includes(object.name)),
  )
  const needed = new Set([...MIGRATOR_TABLES, ...(await listTablesCreatedByMigrations())])
  const nameConflict = foreign.find((object) => isInPublicSchema(object) && needed.has(object.name))
  return {
    tables,
    foreign: foreign.map(describeObject),
    nameConflict: nameConflict === undefined ? null : describeObject(nameConflict),
  }
}

/** Drops Hansard's objects in the caller's transaction and leaves all other objects unchanged. */
export async function dropHansardObjects(
  client: ClientBase,
  { tables }: DatabaseObjectsByOwner,
): Promise<void> {
  try {
    // One statement for all tables, because they reference each other. No `cascade`, so that it fails if an object of
    // another program depends on one of them.
    if (tables.length > 0) {
      await client.query(
        `drop table ${tables.map((name) => `public.${quoteIdentifier(name)}`).join(', ')}`,
      )
    }
  } catch (error) {
    if (errorCode(error) !== '2BP01') throw error
    const { detail = '' } = error as { detail?: string }
    throw new OperatorError(
      `Another program's object depends on Hansard's tables: ${detail.split('\n')[0]}`,
      'Remove that object first, or restore into a separate database',
      error,
    )
  }
}

/** Lists user-created objects in all schemas, without parts of extensions and sequences of tables. */
async function listDatabaseObjects(client: ClientBase): Promise<DatabaseObject[]> {
  const { rows } = await client.query<DatabaseObject>(
    `with item as (
      select 'pg_class'::regclass as class, oid, relnamespace as place, relname::text as name,
        case relkind when 'v' then 'view' when 'm' then 'view' when 'S' then 'sequence'
          when 'c' then 'type' else 'table' end as kind
      from pg_class where relkind in ('r', 'p', 'f', 'v', 'm', 'S', 'c') and not relispartition
      union all
      select 'pg_proc'::regclass, oid, pronamespace, proname::text, 'function' from pg_proc
      union all
      select 'pg_type'::regclass, oid, typnamespace, typname::text, 'type' from pg_type
      where typtype in ('e', 'd', 'r')
    )
    select kind, nspname::text as schema, name from item join pg_namespace n on n.oid = place
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select from pg_depend d where d.classid = class and d.objid = item.oid
        and (d.deptype = 'e' or (kind = 'sequence' and d.deptype in ('a', 'i'))))
    order by nspname, kind, name`,
  )
  return rows
}

/** Hansard's applied migrations. Null if the database has none. Empty if the first migration was interrupted. */
async function listOwnMigrations(
  client: ClientBase,
  objects: DatabaseObject[],
): Promise<string[] | null> {
  const hasMigrationTable = objects.some(
    (object) => isInPublicSchema(object) && object.name === MIGRATOR_TABLES[0],
  )
  if (!hasMigrationTable) return null
  const { rows } = await client.query<{ name: string }>('select name from public.kysely_migration')
  const names = rows.map(({ name }) => name)
  const unknown = names.filter((name) => !isKnownMigration(name))
  // If all names are unknown, another program uses the same migrator.
  if (unknown.length > 0 && unknown.length === names.length) return null
  if (unknown.length === 0) return names
  throw new OperatorError(
    `The database was migrated by a newer version of Hansard (${unknown.join(', ')})`,
    'Restore into an empty database, because this version does not know all tables of the newer one',
  )
}

/** True if the object's name can conflict with a table name. Functions have a separate namespace. */
function isInPublicSchema({ kind, schema }: DatabaseObject): boolean {
  return schema === 'public' && kind !== 'function'
}

function describeObject({ kind, schema, name }: DatabaseObject): string {
  return `${kind} ${schema}.${name}`
}

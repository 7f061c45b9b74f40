import type { ClientBase } from 'pg'
import { isKnownMigration } from '../../db/migrate.ts'
import {
  JOB_DATABASE_SCHEMA,
  MIGRATOR_TABLES,
  listTablesCreatedByMigrations,
  JOB_QUEUE_NAMES,
} from '../../db/own-tables.ts'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { quoteIdentifier } from './tables.ts'

/** The objects in a database, divided into Hansard's and those of other programs. */
export type DatabaseObjectsByOwner = {
  /** Hansard's tables that exist. */
  tables: string[]
  /** Whether the schema of the job engine exists and belongs to Hansard. */
  hasJobs: boolean
  /** Descriptions of all objects of other programs, such as `table public.invoice`. */
  foreign: string[]
  /** Description of an object of another program that has a name Hansard needs; null when there is none. */
  nameConflict: string | null
}

type DatabaseObject = { kind: string; schema: string; name: string }

/** Finds out which objects belong to Hansard by the applied migrations, because a name alone proves nothing. */
export async function classifyDatabaseObjects(client: ClientBase): Promise<DatabaseObjectsByOwner> {
  const objects = await listDatabaseObjects(client)
  const migrations = await listOwnMigrations(client, objects)
  const inPublic = new Set(objects.filter(isInPublicSchema).map(({ name }) => name))
  const expected =
    migrations === null ? [] : [...MIGRATOR_TABLES, ...listTablesCreatedByMigrations(migrations)]
  const tables = expected.filter((name) => inPublic.has(name))
  const hasJobs = await ownsJobSchema(client, objects, tables.length > 0)
  const isOwned = (object: DatabaseObject) =>
    object.schema === JOB_DATABASE_SCHEMA
      ? hasJobs
      : isInPublicSchema(object) && tables.includes(object.name)
  const foreign = objects.filter((object) => !isOwned(object))
  const needed = new Set([...MIGRATOR_TABLES, ...listTablesCreatedByMigrations()])
  const nameConflict = foreign.find(
    (object) =>
      object.schema === JOB_DATABASE_SCHEMA ||
      (isInPublicSchema(object) && needed.has(object.name)),
  )
  return {
    tables,
    hasJobs,
    foreign: foreign.map(describeObject),
    nameConflict: nameConflict === undefined ? null : describeObject(nameConflict),
  }
}

/** Drops Hansard's objects in the caller's transaction and leaves all other objects unchanged. */
export async function dropHansardObjects(
  client: ClientBase,
  { tables, hasJobs }: DatabaseObjectsByOwner,
): Promise<void> {
  try {
    // One statement for all tables, because they reference each other, and without `cascade`, so that it fails when an
    // object of another program depends on one of them.
    if (tables.length > 0) {
      await client.query(
        `drop table ${tables.map((name) => `public.${quoteIdentifier(name)}`).join(', ')}`,
      )
    }
    if (hasJobs) await client.query(`drop schema ${JOB_DATABASE_SCHEMA} cascade`)
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

/** Lists user-created objects in all schemas, without the parts of extensions and the sequences of tables. */
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

/** Hansard's applied migrations; null when the database has none. The list is empty when the first migration was interrupted. */
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
  // All names are unknown: another program uses the same migrator.
  if (unknown.length > 0 && unknown.length === names.length) return null
  if (unknown.length === 0) return names
  throw new OperatorError(
    `The database was migrated by a newer version of Hansard (${unknown.join(', ')})`,
    'Restore into an empty database, because this version does not know all tables of the newer one',
  )
}

async function ownsJobSchema(
  client: ClientBase,
  objects: DatabaseObject[],
  hasTables: boolean,
): Promise<boolean> {
  const hasQueues = objects.some(
    ({ schema, name }) => schema === JOB_DATABASE_SCHEMA && name === 'queue',
  )
  if (!hasQueues) return false
  const { rows } = await client.query<{ name: string }>(
    `select name from ${JOB_DATABASE_SCHEMA}.queue`,
  )
  return (hasTables || rows.length > 0) && rows.every(({ name }) => JOB_QUEUE_NAMES.includes(name))
}

/** Whether the object's name can conflict with a table name; functions have a separate namespace. */
function isInPublicSchema({ kind, schema }: DatabaseObject): boolean {
  return schema === 'public' && kind !== 'function'
}

function describeObject({ kind, schema, name }: DatabaseObject): string {
  return `${kind} ${schema}.${name}`
}

import type { ClientBase } from 'pg'
import { isKnownMigration } from '../../db/migrate.ts'
import { JOB_SCHEMA, MIGRATION_TABLES, ownTables, JOB_QUEUES } from '../../db/own-tables.ts'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { quoteIdentifier } from './tables.ts'

/** What lies in a database, and whose it is. */
export type OwnedObjects = {
  /** Our tables that are there. */
  tables: string[]
  /** Whether the job engine's schema is there and ours. */
  hasJobs: boolean
  /** For a person: everything that is not ours, such as `table public.invoice`. */
  foreign: string[]
  /** Something foreign under a name that we need. */
  nameConflict: string | null
}

type DatabaseObject = { kind: string; schema: string; name: string }

/** Tells what is ours from what is not: by the migrations that were applied, never by a name alone. */
export async function findOwnedObjects(client: ClientBase): Promise<OwnedObjects> {
  const things = await listDatabaseObjects(client)
  const migrations = await listOwnMigrations(client, things)
  const inPublic = new Set(things.filter(isInPublicSchema).map(({ name }) => name))
  const made = migrations === null ? [] : [...MIGRATION_TABLES, ...ownTables(migrations)]
  const tables = made.filter((name) => inPublic.has(name))
  const hasJobs = await ownsJobSchema(client, things, tables.length > 0)
  const isOurs = (thing: DatabaseObject) =>
    thing.schema === JOB_SCHEMA ? hasJobs : isInPublicSchema(thing) && tables.includes(thing.name)
  const foreign = things.filter((thing) => !isOurs(thing))
  const needed = new Set([...MIGRATION_TABLES, ...ownTables()])
  const nameConflict = foreign.find(
    (thing) => thing.schema === JOB_SCHEMA || (isInPublicSchema(thing) && needed.has(thing.name)),
  )
  return {
    tables,
    hasJobs,
    foreign: foreign.map(describeObject),
    nameConflict: nameConflict === undefined ? null : describeObject(nameConflict),
  }
}

/** Takes away what is ours, inside a transaction of the caller's. What is not ours stays as it is. */
export async function dropOwnedObjects(
  client: ClientBase,
  { tables, hasJobs }: OwnedObjects,
): Promise<void> {
  try {
    // In one statement and without `cascade`: what others hang on our tables is not ours to drop.
    if (tables.length > 0) {
      await client.query(
        `drop table ${tables.map((name) => `public.${quoteIdentifier(name)}`).join(', ')}`,
      )
    }
    if (hasJobs) await client.query(`drop schema ${JOB_SCHEMA} cascade`)
  } catch (error) {
    if (errorCode(error) !== '2BP01') throw error
    const { detail = '' } = error as { detail?: string }
    throw new OperatorError(
      `Something that is not Hansard's depends on its tables: ${detail.split('\n')[0]}`,
      'Remove that first, or restore into a database of its own',
      error,
    )
  }
}

/** Everything that somebody made, in whatever schema; parts of other things and of extensions are not named. */
async function listDatabaseObjects(client: ClientBase): Promise<DatabaseObject[]> {
  const { rows } = await client.query<DatabaseObject>(
    `with thing as (
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
    select kind, nspname::text as schema, name from thing join pg_namespace n on n.oid = place
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select from pg_depend d where d.classid = class and d.objid = thing.oid
        and (d.deptype = 'e' or (kind = 'sequence' and d.deptype in ('a', 'i'))))
    order by nspname, kind, name`,
  )
  return rows
}

/** Ours that were applied; null when there are none. An empty list is one that was begun. */
async function listOwnMigrations(
  client: ClientBase,
  things: DatabaseObject[],
): Promise<string[] | null> {
  const isThere = things.some(
    (thing) => isInPublicSchema(thing) && thing.name === MIGRATION_TABLES[0],
  )
  if (!isThere) return null
  const { rows } = await client.query<{ name: string }>('select name from public.kysely_migration')
  const names = rows.map(({ name }) => name)
  const unknown = names.filter((name) => !isKnownMigration(name))
  // Another program may have the same migrator.
  if (unknown.length > 0 && unknown.length === names.length) return null
  if (unknown.length === 0) return names
  throw new OperatorError(
    `The database was migrated by a newer version of Hansard (${unknown.join(', ')})`,
    'Restore into an empty place: what that version has made is not known to this one',
  )
}

async function ownsJobSchema(
  client: ClientBase,
  things: DatabaseObject[],
  hasTables: boolean,
): Promise<boolean> {
  const hasQueues = things.some(({ schema, name }) => schema === JOB_SCHEMA && name === 'queue')
  if (!hasQueues) return false
  const { rows } = await client.query<{ name: string }>(`select name from ${JOB_SCHEMA}.queue`)
  return (hasTables || rows.length > 0) && rows.every(({ name }) => JOB_QUEUES.includes(name))
}

/** Tables, views and types have their names in common; functions have theirs apart. */
function isInPublicSchema({ kind, schema }: DatabaseObject): boolean {
  return schema === 'public' && kind !== 'function'
}

function describeObject({ kind, schema, name }: DatabaseObject): string {
  return `${kind} ${schema}.${name}`
}

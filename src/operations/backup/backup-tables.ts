import type { ClientBase } from 'pg'
import { MIGRATOR_TABLES, listTablesCreatedByMigrations } from '../../db/migrate.ts'

export type BackupTable = { name: string; columns: string[] }

/** Tables for documents and prompts in the database. Backups and exports have these as plain files. */
export const FILE_TABLES: readonly string[] = ['stored_file', 'stored_file_chunk', 'document_place']

/** Recordings with their sound, of which nothing is kept. */
const RECORDING_TABLES = ['recording', 'recording_chunk', 'recording_line']

/** Not backed up as rows: files, running nodes, recordings, and the migrator's tables, which a restore recreates. */
const EXCLUDED_TABLES = new Set([
  'node',
  'dead_node',
  ...RECORDING_TABLES,
  ...FILE_TABLES,
  ...MIGRATOR_TABLES,
])

/** The tables that a backup made after these migrations may contain. */
export async function listPossibleBackupTables(
  migrations: readonly string[],
): Promise<ReadonlySet<string>> {
  const created = await listTablesCreatedByMigrations(migrations)
  return new Set(created).difference(EXCLUDED_TABLES)
}

/**
 * The named tables with their columns to back up, in an order in which each table references only earlier tables.
 * Generated columns are left out, and transaction ids (xid8), which have no meaning on another server.
 */
export async function listBackupTables(
  client: ClientBase,
  names: readonly string[],
): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refersTo: string[] }>(
    `select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
        order by a.attnum) as columns,
      array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as "refersTo"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname = any($1)
    order by c.relname`,
    [names.filter((name) => !EXCLUDED_TABLES.has(name))],
  )
  return sortByReferences(rows).map(({ name, columns }) => ({ name, columns }))
}

function sortByReferences<T extends { name: string; refersTo: string[] }>(
  tables: readonly T[],
): T[] {
  const done = new Set<string>()
  const known = new Set(tables.map(({ name }) => name))
  const ordered: T[] = []
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, refersTo }) =>
        !done.has(name) && refersTo.every((other) => done.has(other) || !known.has(other)),
    )
    if (next.length === 0) throw new Error('tables reference each other in a circle')
    for (const table of next) done.add(table.name)
    ordered.push(...next)
  }
  return ordered
}

/** Makes the sequences of restored tables continue after the highest restored number. */
export async function advanceSequences(
  client: ClientBase,
  names: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `with counted as materialized (
      select c.relname as name, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname = any($1) and a.attnum > 0 and not a.attisdropped and (a.attidentity <> '' or a.atthasdef))
    select format('select setval(%L, coalesce(max(%I), 0) + 1, false) from %I',
        pg_get_serial_sequence(quote_ident(name), "column"), "column", name) as statement
    from counted where pg_get_serial_sequence(quote_ident(name), "column") is not null`,
    [names],
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Tables that get rows when the service starts. Such rows do not mean that the instance has user data. */
const FILLED_AT_STARTUP = new Set([
  'instance',
  'invitation',
  'audit',
  'request_count',
  'sign_in_failure',
  'sign_in_challenge',
])

/** The first table that contains user data. Null if there is none. */
export async function findTableWithUserData(
  client: ClientBase,
  names: readonly string[],
): Promise<string | null> {
  for (const { name } of await listBackupTables(client, names)) {
    if (FILLED_AT_STARTUP.has(name)) continue
    const { rowCount } = await client.query(`select from ${quoteIdentifier(name)} limit 1`)
    if (rowCount !== 0) return name
  }
  return null
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

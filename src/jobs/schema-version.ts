import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The version of the job tables (pg-boss) in the database, and the version that the next start migrates them to. */
export type JobTablesVersion = { current: number; wanted: number }

type Query = (text: string) => Promise<{ rows: unknown[] }>

/** Null if the database has no job tables yet. */
export async function readJobTablesVersion(query: Query): Promise<JobTablesVersion | null> {
  const found = await query(`select to_regclass('pgboss.version') is not null as exists`)
  if (!(found.rows[0] as { exists: boolean }).exists) return null
  const { rows } = await query('select max(version)::integer as version from pgboss.version')
  const { version: current } = rows[0] as { version: number | null }
  return current === null ? null : { current, wanted: readWantedVersion() }
}

function readWantedVersion(): number {
  const path = createRequire(import.meta.url).resolve('pg-boss/package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { pgboss: { schema: number } }).pgboss.schema
}

import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The time of the database server, which is the same clock for all nodes. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database returned no time')
  return row.now
}

import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The database's own time: the one clock that all nodes share. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database did not tell the time')
  return row.now
}

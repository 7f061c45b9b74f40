import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'

/** Inserts nodes whose heartbeat stays fresh for the whole test. */
export async function insertLiveNodes(db: Db, ...ids: string[]): Promise<void> {
  const rows = ids.map((id) => ({
    id,
    lock_number: 1,
    bots: 1,
    practice_bots: 1,
    beat_at: sql<Date>`now() + interval '1 hour'`,
  }))
  await db.insertInto('node').values(rows).execute()
}

import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { eventually } from '../time/eventually.ts'

/** Resolves when exactly `wanted` connections to this database wait for a lock of this kind. */
export function waitForLockWaiters(
  db: Db,
  kind: 'advisory' | 'transactionid' | 'any',
  wanted: number,
): Promise<true> {
  return eventually(async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and ${kind} in (wait_event, 'any')`.execute(db)
    return rows[0]?.count === wanted ? true : null
  })
}

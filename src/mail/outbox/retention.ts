import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { DELETE_BATCH_SIZE, repeatDeleteBatchUntilDone } from '../../db/query-helpers.ts'
import { DAY_MS } from '../../lib/time/durations.ts'

/**
 * The records of mail are kept at least this long, because the record of a mail prevents that the same thing is mailed
 * again.
 */
const MIN_DAYS = 14

/** Deletes the records of mail that was finished more than `days` ago. */
export async function deleteOldMail(db: Db, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - Math.max(days, MIN_DAYS) * DAY_MS)
  await repeatDeleteBatchUntilDone(() =>
    sql`delete from mail where id in
      (select id from mail where finished_at < ${before} limit ${DELETE_BATCH_SIZE})`.execute(db),
  )
}

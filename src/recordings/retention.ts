import type { Db } from '../db/database.ts'
import { DAY_MS } from '../lib/time/durations.ts'

/** Nobody sends the missing parts of an upload after this time. */
const UPLOAD_MS = DAY_MS
/** How long people can read what became of a recording. Its sound is gone by then. */
const OVER_MS = 30 * DAY_MS

/** Deletes recordings that are over, and uploads that were abandoned with their sound. */
export async function deleteOldRecordings(db: Db, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db
    .deleteFrom('recording')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'uploading'), eb('changed_at', '<', before(UPLOAD_MS))]),
        eb.and([eb('state', 'in', ['imported', 'failed']), eb('changed_at', '<', before(OVER_MS))]),
      ]),
    )
    .execute()
}

import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { DELETE_BATCH_SIZE, repeatDeleteBatchUntilDone } from '../../db/delete-in-batches.ts'
import {
  abandonExpiredListenerLanes,
  deleteExpiredAttempts,
  deleteOrphanedDeadLettersAndFinishedReplayLanes,
  eventAwaitsDeliveryCondition,
} from '../../deliveries/retention.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Log } from '../../log.ts'
import { removeMeeting, type MeetingRemovalDependencies, type RemovedCounts } from './removal.ts'

/** Number of expired meetings that one query reads; they are then removed one by one. */
const MEETING_BATCH_SIZE = 100

/**
 * Deletes events of meetings that ended more than `days` ago, with their delivery attempts. Segments and counts stay, and
 * so do events that a lane has still to deliver.
 */
export async function deleteExpiredEventsAndDeliveries(
  db: Db,
  now: Date,
  days: number,
): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  await deleteExpiredAttempts(db, before)
  await abandonExpiredListenerLanes(db, before)
  await repeatDeleteBatchUntilDone(() =>
    sql`delete from event where (meeting_id, sequence) in
      (select e.meeting_id, e.sequence from event e join meeting m on m.id = e.meeting_id
       where e.at < ${before} and coalesce(m.imported_at, m.ended_at) < ${before} and not ${eventAwaitsDeliveryCondition}
       limit ${DELETE_BATCH_SIZE})`.execute(db),
  )
  await deleteOrphanedDeadLettersAndFinishedReplayLanes(db, before)
}

/** Removes meetings that ended, or were imported, more than `days` ago, with everything stored for them. */
export async function deleteExpiredMeetings(
  parts: MeetingRemovalDependencies & { log: Log },
  now: Date,
  days: number,
): Promise<number> {
  const { db, log } = parts
  const before = new Date(now.getTime() - days * DAY_MS)
  const totals = new Map<string, number>()
  let removed = 0
  for (;;) {
    const rows = await db
      .selectFrom('meeting')
      .select('id')
      .where('ended_at', '<', before)
      .where((eb) => eb.or([eb('imported_at', 'is', null), eb('imported_at', '<', before)]))
      .orderBy('ended_at')
      .limit(MEETING_BATCH_SIZE)
      .execute()
    for (const { id } of rows) {
      const counts = await removeExpiredMeeting(parts, id, now)
      if (counts === null) continue
      for (const [name, count] of Object.entries(counts)) {
        totals.set(name, (totals.get(name) ?? 0) + count)
      }
      removed += 1
    }
    if (rows.length < MEETING_BATCH_SIZE) break
  }
  if (removed > 0) {
    log.info({ meetings: removed, days, ...Object.fromEntries(totals) }, 'removed expired meetings')
  }
  return removed
}

/** Null when the meeting was removed meanwhile. */
async function removeExpiredMeeting(
  parts: MeetingRemovalDependencies,
  id: string,
  at: Date,
): Promise<RemovedCounts | null> {
  const removal = { viewer: INSTANCE_VIEWER, removedBy: 'retention', at }
  try {
    return (await removeMeeting(parts, id, removal)).counts
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'meeting_not_found') return null
    throw error
  }
}

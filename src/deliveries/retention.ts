import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { liveNodeIdsSubquery } from '../db/nodes/node-conditions.ts'
import { DELETE_BATCH_SIZE, repeatDeleteBatchUntilDone } from '../db/query-helpers.ts'

/** SQL condition: an open lane has not delivered the event `e` yet. */
export const eventAwaitsDeliveryCondition: RawBuilder<boolean> = sql`exists
  (select from lane l where l.meeting_id = e.meeting_id and l.state = 'open' and l.due_at is not null
   and e.sequence > l.delivered_through and (l.ends_at is null or e.sequence <= l.ends_at))`

export async function deleteExpiredAttempts(db: Db, before: Date): Promise<void> {
  await repeatDeleteBatchUntilDone(() =>
    sql`delete from delivery_attempt where ctid = any(array
      (select ctid from delivery_attempt where started_at < ${before} limit ${DELETE_BATCH_SIZE}))`.execute(
      db,
    ),
  )
}

/** Deletes the records of failed events that no longer exist, and finished replay lanes. */
export async function deleteOrphanedDeadLettersAndFinishedReplayLanes(
  db: Db,
  before: Date,
): Promise<void> {
  await sql`delete from dead_letter d where not exists
    (select from event e where e.meeting_id = d.meeting_id and e.sequence = d.sequence)`.execute(db)
  await sql`delete from lane where kind = 'replay' and due_at is null and created_at < ${before}`.execute(
    db,
  )
}

/** Marks the undelivered events of old listener lanes as failed. Otherwise they would wait forever for a listener. */
export async function abandonExpiredListenerLanes(db: Db, before: Date): Promise<void> {
  await sql`with unheard as (
    select l.id, count(e.sequence)::int as events,
      coalesce(max(e.sequence), l.delivered_through) as through
    from lane l join meeting m on m.id = l.meeting_id
    left join event e on e.meeting_id = l.meeting_id and e.sequence > l.delivered_through
      and (l.ends_at is null or e.sequence <= l.ends_at)
      and (l.events is null or e.type = any(l.events))
    where l.url like 'listen:%' and l.state = 'open' and l.due_at is not null
      and l.created_at < ${before} and m.ended_at < ${before}
      and (l.owner is null or l.owner not in ${liveNodeIdsSubquery})
    group by l.id
  )
  update lane set delivered_through = through, previous_sequence = through,
    dead_count = dead_count + unheard.events, due_at = null, owner = null, fence = fence + 1
  from unheard where lane.id = unheard.id`.execute(db)
}

/** Deletes messages that were sent, given up, or kept for a paused notification, and are older than `before`. */
export async function deleteExpiredMessages(db: Db, before: Date): Promise<void> {
  await repeatDeleteBatchUntilDone(() =>
    sql`delete from notification_message where ctid = any(array
      (select ctid from notification_message where at < ${before} limit ${DELETE_BATCH_SIZE}))`.execute(
      db,
    ),
  )
}

/** Deletes the lanes of a meeting. Waits for a node that is writing one of them. */
export async function deleteLanesOfMeeting(tx: Db, meetingId: string): Promise<void> {
  await tx.deleteFrom('lane').where('meeting_id', '=', meetingId).execute()
}

/** Returns the number of deleted attempts. The caller deletes the lanes first, so no new attempt can be stored. */
export async function deleteAttemptsOfMeeting(tx: Db, meetingId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_attempt')
    .where('meeting_id', '=', meetingId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

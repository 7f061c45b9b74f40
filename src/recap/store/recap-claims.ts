import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { buildClaimableCondition } from '../../db/nodes/leased-rows.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { RecapStep } from './recap-row.ts'

/**
 * A node's right to work on the recap of a meeting. The fence increases with every claim and with every request for a
 * new recap, so later writes for an earlier one are rejected.
 */
export type RecapLease = { meetingId: string; nodeId: string; fence: number }

/** Another node works on the recap, a new one was requested, or the meeting was removed. */
export class RecapLeaseLost extends Error {
  override readonly name = 'RecapLeaseLost'

  constructor(meetingId: string) {
    super(`the recap of meeting ${meetingId} has another owner`)
  }
}

/** Meetings that ended longer ago get no automatic recap. Otherwise an update would process all of them. */
export const RECAP_LOOK_BACK_DAYS = 7

/** Adds a row for each recently ended meeting that has segments and no row yet. Nodes may do this concurrently. */
export async function insertMissingRecaps(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - RECAP_LOOK_BACK_DAYS * DAY_MS)
  await sql`insert into recap (meeting_id, step, due_at, created_at)
    select m.id, 'rules', ${now}, ${now} from meeting m
    where (m.ended_at >= ${since} or m.imported_at >= ${since}) and m.segment_count > 0
      and not exists (select from recap r where r.meeting_id = m.id)
    order by m.id -- nodes that insert the same rows in different orders could wait for each other
    on conflict (meeting_id) do nothing`.execute(db)
}

export type ClaimedRecap = RecapLease & {
  step: RecapStep
  attempts: number
  /** The step of a trace that began the meeting. */
  traceParent: string | null
}

/** Claims recaps without a live owner for which one of these steps is due. The longest waiting come first. */
export async function claimDueRecaps(
  db: Db,
  nodeId: string,
  now: Date,
  limit: number,
  steps: readonly RecapStep[],
): Promise<ClaimedRecap[]> {
  const { rows } = await sql<Omit<ClaimedRecap, 'nodeId'>>`
    update recap set owner = ${nodeId}, fence = recap.fence + 1
    from (
      select r.meeting_id from recap r
      where r.due_at <= ${now} and r.step = any(${steps}) and ${buildClaimableCondition('r', nodeId)}
        -- The document of an import is written after its commit, and would replace one with a recap.
        and not exists (select from meeting m
          where m.id = r.meeting_id and m.platform = 'imported'
            and m.document_path is not null and m.document_size = 0)
      order by r.due_at limit ${limit} for update of r skip locked
    ) as due
    where recap.meeting_id = due.meeting_id
    returning recap.meeting_id as "meetingId", recap.fence, recap.step, recap.attempts,
      (select m.trace_parent from meeting m where m.id = recap.meeting_id) as "traceParent"`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, nodeId }))
}

export function listOwnedRecaps(
  db: Db,
  nodeId: string,
): Promise<Array<{ id: string; fence: number }>> {
  return db
    .selectFrom('recap')
    .select(['meeting_id as id', 'fence'])
    .where('owner', '=', nodeId)
    .where('due_at', 'is not', null)
    .execute()
}

/** Releases a recap, so that any node may continue it. With `dueAt`, not before that time. */
export async function releaseRecap(
  db: Db,
  { meetingId, nodeId, fence }: RecapLease,
  { dueAt, isFailure = false }: { dueAt?: Date; isFailure?: boolean } = {},
): Promise<void> {
  await db
    .updateTable('recap')
    .set({
      owner: null,
      ...(dueAt !== undefined && { due_at: dueAt }),
      ...(isFailure && { attempts: sql<number>`attempts + 1` }),
    })
    .where('meeting_id', '=', meetingId)
    .where('owner', '=', nodeId)
    .where('fence', '=', fence)
    .execute()
}

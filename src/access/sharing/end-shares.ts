import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { ShareEndReason } from './share-states.ts'

export type { Actor }

/** How long an ended or expired link stays in the lists. */
const ENDED_LINK_DAYS = 30

type Ended = { meetingId: string } | { project: string; path?: string }

/** Ends the active links of a meeting, document or project, in the transaction of the cause. Returns their number. */
async function endShares(
  db: Db,
  ended: Ended,
  reason: Exclude<ShareEndReason, 'revoked'>,
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('share_link')
    .set({ ended_at: now, end_reason: reason })
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where((eb) => {
      if ('meetingId' in ended) return eb('meeting_id', '=', ended.meetingId)
      const inProject = eb('project', '=', ended.project)
      return ended.path === undefined ? inProject : inProject.and('path', '=', ended.path)
    })
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The same with an audit log row, for changes that a person or token made. */
export async function endSharesAudited(
  db: Db,
  ended: Ended,
  reason: Exclude<ShareEndReason, 'revoked'>,
  { actor, now }: { actor: Actor; now: Date },
): Promise<number> {
  const count = await endShares(db, ended, reason, now)
  const name = 'meetingId' in ended ? ended.meetingId : ended.project
  if (count > 0) await appendAudit(db, now, actor, 'share links ended', name, `${reason} ${count}`)
  return count
}

export async function deleteOldShareLinks(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ENDED_LINK_DAYS * DAY_MS)
  await db
    .deleteFrom('share_link')
    .where((eb) => eb.or([eb('ended_at', '<', before), eb('expires_at', '<', before)]))
    .execute()
}

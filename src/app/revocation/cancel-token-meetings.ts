import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import { cancelScheduledMeetingsOfToken } from '../../meetings/scheduling/scheduled-rows.ts'

/** Stops the meetings that are scheduled with a revoked token, because they could not begin. Returns how many. */
export async function cancelMeetingsOfToken(
  db: Db,
  tokenId: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const count = await cancelScheduledMeetingsOfToken(tx, tokenId, now)
    if (count > 0)
      await appendAudit(tx, now, actor, 'scheduled meetings of token stopped', tokenId, `${count}`)
    return count
  })
}

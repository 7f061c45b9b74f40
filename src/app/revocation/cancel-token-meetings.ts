import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { AfterTokensRevoked } from '../../accounts/tokens/token-creators.ts'
import type { Db } from '../../db/database.ts'
import { cancelScheduledMeetingsOfToken } from '../../meetings/scheduling/scheduled-meetings.ts'

/** Cancels the meetings that are scheduled with a revoked token, because they could not begin. Returns their number. */
export async function cancelMeetingsOfToken(
  db: Db,
  tokenId: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<number> {
  return db.transaction().execute((tx) => cancelAndAudit(tx, tokenId, { actor, now }))
}

/** The same for tokens that are revoked because of a change of their creator. */
export const afterTokensRevoked: AfterTokensRevoked = async (tx, { tokenIds, actor, now }) => {
  for (const tokenId of tokenIds) await cancelAndAudit(tx, tokenId, { actor, now })
}

async function cancelAndAudit(
  tx: Db,
  tokenId: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<number> {
  const count = await cancelScheduledMeetingsOfToken(tx, tokenId, now)
  if (count > 0)
    await appendAudit(tx, now, actor, 'scheduled meetings of token stopped', tokenId, `${count}`)
  return count
}

import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * How long a refresh can be repeated, as long as nobody has used the new refresh token. The tokens of the lost response
 * end with it, so if somebody has them, their next use reveals that two parties have the same connection.
 */
const REPEAT_MS = 60_000

/** `repeated`: the response was lost, and its tokens have ended. `reused`: somebody else may have the token. */
export type RefreshTokenUse = 'first' | 'repeated' | 'reused'

/** Marks the refresh token as used, in a transaction that issues what follows it. */
export async function useRefreshToken(
  tx: Db,
  { hash, tokenId }: { hash: Buffer; tokenId: string },
  now: Date,
): Promise<RefreshTokenUse> {
  // Requests with the same token wait for each other, so that each sees what the one before has issued.
  await sql`select 1 from oauth_grant where token_id = ${tokenId} for update`.execute(tx)
  if (await markUsed(tx, { hash }, now)) return 'first'
  const recent = await tx
    .selectFrom('oauth_secret')
    .select('hash')
    .where('hash', '=', hash)
    .where('used_at', '>', new Date(now.getTime() - REPEAT_MS))
    .executeTakeFirst()
  if (recent === undefined || !(await markUsed(tx, { replaces: hash }, now))) return 'reused'
  await tx
    .deleteFrom('oauth_secret')
    .where('replaces', '=', hash)
    .where('kind', '=', 'access')
    .execute()
  return 'repeated'
}

/** False if no unused refresh token has this hash, or was issued for the one with this hash. */
async function markUsed(
  tx: Db,
  which: { hash: Buffer } | { replaces: Buffer },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_secret')
    .set({ used_at: now })
    .where('kind', '=', 'refresh')
    .where((eb) =>
      'hash' in which ? eb('hash', '=', which.hash) : eb('replaces', '=', which.replaces),
    )
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

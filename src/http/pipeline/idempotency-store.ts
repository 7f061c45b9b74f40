import { sql } from 'kysely'
import { addSecondsToDate } from '../../lib/time/clock.ts'
import type { Db } from '../../db/database.ts'

/** Proof that a running request owns its Idempotency-Key. A request that takes the key over raises the fence. */
export type IdempotencyClaim = { tokenId: string; key: string; fence: number }

export type IdempotencyClaimOutcome =
  | { kind: 'claimed'; claim: IdempotencyClaim }
  | { kind: 'in_progress' }
  | { kind: 'fingerprint_mismatch' }
  | { kind: 'completed'; status: number; body: string }

/** After this time another request may take the key over: the node that ran the first one has probably died. */
const CLAIM_SECONDS = 60
const RETENTION_SECONDS = 24 * 3_600

export async function claimIdempotencyKey(
  db: Db,
  now: Date,
  tokenId: string,
  key: string,
  fingerprint: Buffer,
): Promise<IdempotencyClaimOutcome> {
  const claimed_until = addSecondsToDate(now, CLAIM_SECONDS)
  const claimed = await db
    .insertInto('idempotent_request')
    .values({ token_id: tokenId, key, fingerprint, fence: 1, claimed_until, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['token_id', 'key'])
        .doUpdateSet({ fence: sql`idempotent_request.fence + 1`, claimed_until })
        .where('idempotent_request.status', 'is', null)
        .where('idempotent_request.claimed_until', '<', now)
        .where('idempotent_request.fingerprint', '=', fingerprint),
    )
    .returning('fence')
    .executeTakeFirst()
  if (claimed !== undefined) {
    return { kind: 'claimed', claim: { tokenId, key, fence: claimed.fence } }
  }

  const row = await db
    .selectFrom('idempotent_request')
    .select(['fingerprint', 'status', 'body'])
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row !== undefined && !row.fingerprint.equals(fingerprint))
    return { kind: 'fingerprint_mismatch' }
  if (row?.status == null || row.body === null) return { kind: 'in_progress' }
  return { kind: 'completed', status: row.status, body: row.body }
}

/** Keeps the key of a request that takes long. Has no effect once another request has taken it over. */
export async function renewIdempotencyClaim(
  db: Db,
  now: Date,
  { tokenId, key, fence }: IdempotencyClaim,
): Promise<void> {
  await db
    .updateTable('idempotent_request')
    .set({ claimed_until: addSecondsToDate(now, CLAIM_SECONDS) })
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .where('fence', '=', fence)
    .where('status', 'is', null)
    .execute()
}

/** Returns false when another request has taken the Idempotency-Key over: the caller must roll its effect back. */
export async function saveIdempotentResponse(
  db: Db,
  claim: IdempotencyClaim,
  status: number,
  body: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotent_request')
    .set({ status, body })
    .where('token_id', '=', claim.tokenId)
    .where('key', '=', claim.key)
    .where('fence', '=', claim.fence)
    .where('status', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function releaseIdempotencyKey(db: Db, claim: IdempotencyClaim): Promise<void> {
  await db
    .deleteFrom('idempotent_request')
    .where('token_id', '=', claim.tokenId)
    .where('key', '=', claim.key)
    .where('fence', '=', claim.fence)
    .where('status', 'is', null)
    .execute()
}

export async function deleteExpiredIdempotentRequests(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotent_request')
    .where('created_at', '<', addSecondsToDate(now, -RETENTION_SECONDS))
    .execute()
}

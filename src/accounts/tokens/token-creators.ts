import { appendAudit, type Actor } from '../audit.ts'
import type { ExpressionBuilder } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import type { ApiTokenKind, Role } from '../roles.ts'

/** Work of other areas in the transaction that revokes tokens because of a change of their creator. */
export type AfterTokensRevoked = (
  tx: Db,
  revoked: { tokenIds: readonly string[]; actor: Actor; now: Date },
) => Promise<void>

type TokenRevocation = {
  userId: string
  kinds: readonly ApiTokenKind[]
  actor: Actor
  now: Date
}

/**
 * The user who creates a token. Locks the user's row until the transaction ends, so that the user can't be renamed,
 * demoted or removed while the token is created.
 */
export async function lockCreator(tx: Db, userId: string): Promise<{ name: string; role: Role }> {
  const creator = await tx
    .selectFrom('app_user')
    .select(['name', 'role'])
    .where('id', '=', userId)
    .where('deactivated_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (creator === undefined) throw new ServiceError('not_signed_in')
  return creator
}

export async function updateCreatorNameOnTokens(
  tx: Db,
  userId: string,
  name: string,
): Promise<void> {
  await tx
    .updateTable('api_token')
    .set({ created_by_name: name })
    .where('created_by', '=', userId)
    .execute()
}

/** Number of active tokens, optionally of one kind, by creator's user id. Users without tokens are missing. */
export async function countUsableTokensByCreator(
  db: Db,
  now: Date,
  kind?: ApiTokenKind,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('api_token')
    .select((eb) => ['created_by', eb.fn.countAll<string>().as('count')])
    .where('created_by', 'is not', null)
    .where(isActive(now))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'service'))
    .groupBy('created_by')
    .execute()
  return new Map(rows.map(({ created_by: id, count }) => [id ?? '', Number(count)]))
}

/** Revokes a token. False if it was revoked before. */
export async function revokeToken(
  tx: Db,
  { tokenId, actor, now }: { tokenId: string; actor: Actor; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_token')
    .set({ revoked_at: now })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await appendAudit(tx, now, actor, 'token revoked', tokenId)
  return numUpdatedRows > 0n
}

/** Revokes a user's active tokens of these kinds. Returns their number. */
export async function revokeTokensCreatedBy(
  tx: Db,
  { userId, kinds, actor, now }: TokenRevocation,
  afterTokensRevoked: AfterTokensRevoked | undefined,
): Promise<number> {
  const rows = await tx
    .updateTable('api_token')
    .set({ revoked_at: now })
    .where('created_by', '=', userId)
    .where('kind', 'in', kinds)
    .where(isActive(now))
    .returning('id')
    .execute()
  const tokenIds = rows.map(({ id }) => id)
  for (const id of tokenIds) await appendAudit(tx, now, actor, 'token revoked', id)
  await afterTokensRevoked?.(tx, { tokenIds, actor, now })
  return tokenIds.length
}

function isActive(now: Date) {
  return (eb: ExpressionBuilder<Database, 'api_token'>) =>
    eb.and([
      eb('revoked_at', 'is', null),
      eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    ])
}

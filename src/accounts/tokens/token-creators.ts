import type { ExpressionBuilder } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'

/**
 * The name of the user who creates a token. Locks the user's row until the transaction ends, so that the user cannot be
 * renamed or removed while the token is created.
 */
export async function lockCreatorAndReadName(tx: Db, userId: string): Promise<string> {
  const creator = await tx
    .selectFrom('app_user')
    .select('name')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (creator === undefined) throw new ServiceError('not_signed_in')
  return creator.name
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

/** The number of active tokens each user created, by user id. Users without any are missing from the map. */
export async function countUsableTokensByCreator(
  db: Db,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('api_token')
    .select((eb) => ['created_by', eb.fn.countAll<string>().as('count')])
    .where('created_by', 'is not', null)
    .where(isActive(now))
    .groupBy('created_by')
    .execute()
  return new Map(rows.map(({ created_by: id, count }) => [id ?? '', Number(count)]))
}

/** Revokes all active tokens a user created and returns their ids. */
export async function revokeTokensCreatedBy(tx: Db, userId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('api_token')
    .set({ revoked_at: now })
    .where('created_by', '=', userId)
    .where(isActive(now))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

function isActive(now: Date) {
  return (eb: ExpressionBuilder<Database, 'api_token'>) =>
    eb.and([
      eb('revoked_at', 'is', null),
      eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    ])
}

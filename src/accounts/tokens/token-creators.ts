import type { ExpressionBuilder } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'

/**
 * The name that a token keeps of who makes it. Held to the end of the transaction: nobody is renamed or removed
 * while they make one.
 */
export async function lockCreatorName(tx: Db, userId: string): Promise<string> {
  const maker = await tx
    .selectFrom('app_user')
    .select('name')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (maker === undefined) throw new ServiceError('not_signed_in')
  return maker.name
}

export async function renameTokenCreator(tx: Db, userId: string, name: string): Promise<void> {
  await tx
    .updateTable('api_token')
    .set({ created_by_name: name })
    .where('created_by', '=', userId)
    .execute()
}

/** How many tokens that still work each person made; who made none is missing. */
export async function countActiveTokens(db: Db, now: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('api_token')
    .select((eb) => ['created_by', eb.fn.countAll<string>().as('count')])
    .where('created_by', 'is not', null)
    .where(isActive(now))
    .groupBy('created_by')
    .execute()
  return new Map(rows.map(({ created_by: id, count }) => [id ?? '', Number(count)]))
}

/** Answers the ids of those that it revoked. */
export async function revokeTokensOf(tx: Db, userId: string, now: Date): Promise<string[]> {
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

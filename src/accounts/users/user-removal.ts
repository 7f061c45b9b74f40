import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Db, Tx } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { API_TOKEN_KINDS } from '../roles.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { isLastAdmin } from './user-changes.ts'
import { acquireUserListLock, describeUser, type User } from './users.ts'

/**
 * Personal tokens end with the user. `revokesTokens`: the service tokens that the user created are revoked too.
 * `newOwnerId`: who owns the private projects that otherwise nobody would own.
 */
export type UserRemovalOptions = { revokesTokens: boolean; newOwnerId?: string | undefined }

/** Removes a user and returns how many of their tokens were revoked. */
export type RemoveUser = (
  userId: string,
  removal: UserRemovalOptions,
  actor: Actor,
) => Promise<{ revokedTokens: number }>

/** What other areas do in the transaction that removes a user. */
export type BeforeUserRemoval = (
  tx: Tx,
  removed: { userId: string; newOwnerId: string | null; actor: Actor; now: Date },
) => Promise<void>

type Parts = {
  db: Db
  clock: Clock
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
  beforeUserRemoval?: BeforeUserRemoval | undefined
}

export function createUserRemoval(parts: Parts): RemoveUser {
  const { db, clock, tokens, beforeUserRemoval, afterTokensRevoked } = parts
  return async (userId, { revokesTokens, newOwnerId = null }, actor) => {
    const revokedTokens = await db.transaction().execute(async (tx) => {
      await acquireUserListLock(tx)
      const user = await lockRemovableUser(tx, userId)
      const now = clock.now()
      await beforeUserRemoval?.(tx, { userId, newOwnerId, actor, now })
      const kinds = revokesTokens ? API_TOKEN_KINDS : (['personal'] as const)
      const revocation = { userId, kinds, actor, now }
      const count = await revokeTokensCreatedBy(tx, revocation, afterTokensRevoked)
      await tx.deleteFrom('app_user').where('id', '=', userId).execute()
      await appendAudit(tx, now, actor, 'user removed', userId, describeUser(user))
      return count
    })
    tokens.invalidateCreatedBy(userId)
    return { revokedTokens }
  }
}

async function lockRemovableUser(
  tx: Db,
  userId: string,
): Promise<Pick<User, 'name' | 'email' | 'role'>> {
  // Locks the row against concurrent token creation (lockCreator): the token either exists and is revoked, or is not created.
  const target = await tx
    .selectFrom('app_user')
    .select(['name', 'email', 'role'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (target === undefined) throw new ServiceError('user_not_found')
  if (await isLastAdmin(tx, target)) throw new ServiceError('last_admin')
  return target
}

import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { revokeTokensCreatedBy } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { acquireUserListLock } from './users.ts'

/** Whether the active API tokens that the removed user created are revoked. */
export type UserRemovalOptions = { revokesTokens: boolean }

/** Removes a user and returns how many of their tokens were revoked. */
export type RemoveUser = (
  userId: string,
  removal: UserRemovalOptions,
  actor: Actor,
) => Promise<{ revokedTokens: number }>

type Parts = { db: Db; clock: Clock; tokens: Pick<ApiTokens, 'invalidate'> }

export function createUserRemoval({ db, clock, tokens }: Parts): RemoveUser {
  return async (userId, { revokesTokens }, actor) => {
    const revoked = await db.transaction().execute(async (tx) => {
      await acquireUserListLock(tx)
      await refuseUnremovableUser(tx, userId)
      const now = clock.now()
      const ids = revokesTokens ? await revokeTokensCreatedBy(tx, userId, now) : []
      for (const id of ids) await appendAudit(tx, now, actor, 'token revoked', id)
      await tx.deleteFrom('app_user').where('id', '=', userId).execute()
      await appendAudit(tx, now, actor, 'user removed', userId)
      return ids
    })
    tokens.invalidate(revoked)
    return { revokedTokens: revoked.length }
  }
}

async function refuseUnremovableUser(tx: Db, userId: string): Promise<void> {
  // Locks the row against concurrent token creation (lockCreatorAndReadName): the token either exists and is revoked, or is not created.
  const target = await tx
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (target === undefined) throw new ServiceError('user_not_found')
  const admins = await tx.selectFrom('app_user').select('id').where('role', '=', 'admin').execute()
  if (target.role === 'admin' && admins.length === 1) throw new ServiceError('last_admin')
}

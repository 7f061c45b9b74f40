import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { revokeTokensOf } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { lockUsers } from './users.ts'

/** What happens to the API tokens that the person made and that still work. */
export type UserRemovalOptions = { revokesTokens: boolean }

/** Answers how many tokens were revoked. */
export type RemoveUser = (
  userId: string,
  removal: UserRemovalOptions,
  actor: Actor,
) => Promise<{ revokedTokens: number }>

type Parts = { db: Db; clock: Clock; tokens: Pick<ApiTokens, 'invalidate'> }

export function createUserRemoval({ db, clock, tokens }: Parts): RemoveUser {
  return async (userId, { revokesTokens }, actor) => {
    const revoked = await db.transaction().execute(async (tx) => {
      await lockUsers(tx)
      await refuseUnremovableUser(tx, userId)
      const now = clock.now()
      const ids = revokesTokens ? await revokeTokensOf(tx, userId, now) : []
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
  // Held against a token that is being made: it is there to be revoked, or it is not made.
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

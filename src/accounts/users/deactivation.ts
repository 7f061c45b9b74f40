import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { API_TOKEN_KINDS } from '../roles.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import { withdrawLinksCreatedBy } from './invitations.ts'
import { deletePasswordResetOf } from './password-resets.ts'
import { describeUser, type User } from './users.ts'

/** Work of other areas in the transaction that deactivates a user, for example to stop bots. */
export type BeforeUserDeactivation = (
  tx: Tx,
  deactivated: { userId: string; now: Date },
) => Promise<void>

type DeactivationParts = {
  beforeUserDeactivation?: BeforeUserDeactivation | undefined
  afterTokensRevoked?: AfterTokensRevoked | undefined
}

/**
 * Ends everything that acts for a user: sessions, tokens, connected assistants, open links and what other areas add. The
 * caller has locked the user, and has checked that this is not the last admin. Returns how many tokens were revoked.
 */
export async function deactivateUser(
  tx: Tx,
  { beforeUserDeactivation, afterTokensRevoked }: DeactivationParts,
  user: User,
  { revokesTokens, actor, now }: { revokesTokens: boolean; actor: Actor; now: Date },
): Promise<number> {
  const { id: userId } = user
  await tx.updateTable('app_user').set({ deactivated_at: now }).where('id', '=', userId).execute()
  await tx.deleteFrom('session').where('user_id', '=', userId).execute()
  await tx.deleteFrom('sign_in_challenge').where('user_id', '=', userId).execute()
  await deletePasswordResetOf(tx, userId)
  await withdrawLinksCreatedBy(tx, userId, { at: now, actor })
  const kinds = revokesTokens ? API_TOKEN_KINDS : (['personal'] as const)
  const revoked = await revokeTokensCreatedBy(tx, { userId, kinds, actor, now }, afterTokensRevoked)
  await beforeUserDeactivation?.(tx, { userId, now })
  await appendAudit(tx, now, actor, 'user deactivated', userId, describeUser(user))
  return revoked
}

/** The user can sign in again. What ended stays ended. */
export async function reactivateUser(
  tx: Db,
  user: User,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  await tx.updateTable('app_user').set({ deactivated_at: null }).where('id', '=', user.id).execute()
  await appendAudit(tx, now, actor, 'user reactivated', user.id, describeUser(user))
}

/**
 * Every sign-in calls it. Locks the user until the transaction ends: either the new session exists when the user is
 * deactivated, and ends too, or it is not stored.
 */
export async function requireActiveUser(tx: Db, userId: string): Promise<void> {
  const user = await tx
    .selectFrom('app_user')
    .select('deactivated_at')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (user === undefined) throw new ServiceError('not_signed_in')
  if (user.deactivated_at !== null) throw new ServiceError('account_deactivated')
}

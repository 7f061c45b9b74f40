import type { AreaContext } from '../../db/context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { type Role, API_TOKEN_KINDS } from '../roles.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { withdrawLinksCreatedBy } from './invitations.ts'
import { acquireUserListLock, toUser, userColumns, type User, describeUser } from './users.ts'

/** PostgreSQL's code for a unique value that already exists. */
const UNIQUE_VIOLATION = '23505'

/** `revokesTokens`: also revokes the service tokens that the user created. They do not depend on the role. */
export type UserChanges = {
  role?: Role | undefined
  email?: string | undefined
  revokesTokens?: boolean | undefined
}

/** Changes a user's role or email address. The last admin stays an admin. */
export type ChangeUser = (
  userId: string,
  changes: UserChanges,
  actor: Actor,
) => Promise<{ user: User; revokedTokens: number }>

type Parts = AreaContext & {
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
}

/**
 * Personal tokens end with the user. `revokesTokens`: also revokes the service tokens that the user created.
 * `newOwnerId`: the owner of private projects that would otherwise have no owner.
 */
type UserRemovalOptions = { revokesTokens: boolean; newOwnerId?: string | undefined }

/** Removes a user. Returns how many of their tokens were revoked. */
export type RemoveUser = (
  userId: string,
  removal: UserRemovalOptions,
  actor: Actor,
) => Promise<{ revokedTokens: number }>

/** Work of other areas in the transaction that removes a user. */
export type BeforeUserRemoval = (
  tx: Tx,
  removed: { userId: string; newOwnerId: string | null; actor: Actor; now: Date },
) => Promise<void>

type UserRemovalParts = AreaContext & {
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
  beforeUserRemoval?: BeforeUserRemoval | undefined
}

export function createUserChanges({ db, clock, tokens, afterTokensRevoked }: Parts): ChangeUser {
  return async (userId, { role, email, revokesTokens = false }, actor) => {
    try {
      const changed = await db.transaction().execute(async (tx) => {
        await acquireUserListLock(tx)
        const user = await findUserForUpdate(tx, userId)
        if (role !== undefined && role !== user.role) {
          if (await isLastAdmin(tx, user)) throw new ServiceError('last_admin')
          await setRole(tx, user, role, { at: clock.now(), actor })
        }
        if (email !== undefined && email !== user.email) {
          await tx.updateTable('app_user').set({ email }).where('id', '=', userId).execute()
          const detail = `${user.email} → ${email}`
          await appendAudit(tx, clock.now(), actor, 'email changed', userId, detail)
        }
        const revocation = { userId, kinds: ['service'] as const, actor, now: clock.now() }
        const revokedTokens = revokesTokens
          ? await revokeTokensCreatedBy(tx, revocation, afterTokensRevoked)
          : 0
        const next = { ...user, role: role ?? user.role, email: email ?? user.email }
        return { user: next, revokedTokens }
      })
      tokens.invalidateCreatedBy(userId)
      return changed
    } catch (error) {
      if (errorCode(error) === UNIQUE_VIOLATION) throw new ServiceError('email_taken')
      throw error
    }
  }
}

/**
 * The caller holds the lock of the user list and has checked that this is not the last admin. A demoted admin's links
 * end, because the user could still add an admin or take over an account with them.
 */
export async function setRole(
  tx: Db,
  user: Pick<User, 'id' | 'role'>,
  role: Role,
  { at, actor }: { at: Date; actor: Actor },
): Promise<void> {
  await tx.updateTable('app_user').set({ role }).where('id', '=', user.id).execute()
  await appendAudit(tx, at, actor, 'role changed', user.id, `${user.role} → ${role}`)
  if (role !== 'admin') await withdrawLinksCreatedBy(tx, user.id, { at, actor })
}

/** The caller holds the lock of the user list, so no other admin is removed or demoted meanwhile. */
export async function isLastAdmin(tx: Db, { role }: Pick<User, 'role'>): Promise<boolean> {
  if (role !== 'admin') return false
  const admins = await tx.selectFrom('app_user').select('id').where('role', '=', 'admin').execute()
  return admins.length === 1
}

async function findUserForUpdate(tx: Db, userId: string): Promise<User> {
  const row = await tx
    .selectFrom('app_user')
    .select(userColumns)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('user_not_found')
  return toUser(row)
}

export function createUserRemoval(parts: UserRemovalParts): RemoveUser {
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
  // Locks the row against concurrent token creation (lockCreator): a token is either revoked here or not created.
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

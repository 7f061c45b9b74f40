import type { AreaContext } from '../../db/context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { type Role, API_TOKEN_KINDS } from '../roles.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { deactivateUser, reactivateUser, type BeforeUserDeactivation } from './deactivation.ts'
import { withdrawLinksCreatedBy } from './invitations.ts'
import { acquireUserListLock, toUser, userColumns, type User, describeUser } from './users.ts'

/** `revokesTokens`: also revokes the service tokens that the user created. They do not depend on the role. */
export type UserChanges = {
  role?: Role | undefined
  email?: string | undefined
  isActive?: boolean | undefined
  revokesTokens?: boolean | undefined
}

/** Changes a user's role or email address, deactivates or reactivates the user. The last active admin stays one. */
export type ChangeUser = (
  userId: string,
  changes: UserChanges,
  actor: Actor,
) => Promise<{ user: User; revokedTokens: number }>

type Parts = AreaContext & {
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
  beforeUserDeactivation?: BeforeUserDeactivation | undefined
  /** Called after the commit of a deactivation, so that bots leave at once. */
  onUserDeactivated?: (() => void) | undefined
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

/** Changes users in a transaction of another area. */
export interface UserChangesInTransaction {
  /** The caller holds the lock of the user list. */
  apply(
    tx: Tx,
    change: UserChanges & { userId: string; actor: Actor },
  ): Promise<{ user: User; revokedTokens: number }>
  /** Called after the commit. */
  committed(userId: string, changes: Pick<UserChanges, 'isActive'>): void
}

export function createUserChanges(parts: Parts): UserChangesInTransaction & { change: ChangeUser } {
  const apply: UserChangesInTransaction['apply'] = (tx, change) =>
    applyUserChanges(tx, parts, change)
  const committed: UserChangesInTransaction['committed'] = (userId, { isActive }) => {
    parts.tokens.invalidateCreatedBy(userId)
    if (isActive === false) parts.onUserDeactivated?.()
  }
  return {
    apply,
    committed,
    async change(userId, changes, actor) {
      const changed = await parts.db.transaction().execute(async (tx) => {
        await acquireUserListLock(tx)
        return apply(tx, { userId, actor, ...changes })
      })
      committed(userId, changes)
      return changed
    },
  }
}

async function applyUserChanges(
  tx: Tx,
  parts: Parts,
  change: UserChanges & { userId: string; actor: Actor },
): Promise<{ user: User; revokedTokens: number }> {
  const { userId, actor, role, email, isActive, revokesTokens = false } = change
  const now = parts.clock.now()
  const user = await findUserForUpdate(tx, userId)
  const isDeactivated = isActive === false && user.deactivatedAt === null
  if (role !== undefined && role !== user.role) {
    if (await isLastAdmin(tx, user)) throw new ServiceError('last_admin')
    await setRole(tx, user, role, { at: now, actor })
  }
  if (email !== undefined && email !== user.email) await setEmail(tx, user, email, { now, actor })
  let revokedTokens = 0
  if (isDeactivated) {
    if (await isLastAdmin(tx, user)) throw new ServiceError('last_admin')
    revokedTokens = await deactivateUser(tx, parts, user, { revokesTokens, actor, now })
  } else if (revokesTokens) {
    const revocation = { userId, kinds: ['service'] as const, actor, now }
    revokedTokens = await revokeTokensCreatedBy(tx, revocation, parts.afterTokensRevoked)
  }
  if (isActive === true && user.deactivatedAt !== null)
    await reactivateUser(tx, user, { actor, now })
  return { user: await findUserForUpdate(tx, userId), revokedTokens }
}

async function setEmail(
  tx: Db,
  user: User,
  email: string,
  { now, actor }: { now: Date; actor: Actor },
): Promise<void> {
  const owner = await tx
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (owner !== undefined) throw new ServiceError('email_taken')
  await tx.updateTable('app_user').set({ email }).where('id', '=', user.id).execute()
  await appendAudit(tx, now, actor, 'email changed', user.id, `${user.email} → ${email}`)
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
export async function isLastAdmin(
  tx: Db,
  { id, role }: Pick<User, 'id' | 'role'>,
): Promise<boolean> {
  if (role !== 'admin') return false
  const admins = await tx
    .selectFrom('app_user')
    .select('id')
    .where('role', '=', 'admin')
    .where('deactivated_at', 'is', null)
    .execute()
  return admins.length === 1 && admins[0]?.id === id
}

export async function findUserForUpdate(tx: Db, userId: string): Promise<User> {
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
): Promise<Pick<User, 'id' | 'name' | 'email' | 'role'>> {
  // Locks the row against concurrent token creation (lockCreator): a token is either revoked here or not created.
  const target = await tx
    .selectFrom('app_user')
    .select(['id', 'name', 'email', 'role'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (target === undefined) throw new ServiceError('user_not_found')
  if (await isLastAdmin(tx, target)) throw new ServiceError('last_admin')
  return target
}

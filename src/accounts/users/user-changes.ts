import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { Role } from '../roles.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { withdrawLinksCreatedBy } from './links-of-admins.ts'
import { acquireUserListLock, toUser, userColumns, type User } from './users.ts'

/** PostgreSQL's code for a value that must be unique and is not. */
const UNIQUE_VIOLATION = '23505'

/** `revokesTokens`: the service tokens that the user created are revoked. They do not depend on the role. */
export type UserChanges = {
  role?: Role | undefined
  email?: string | undefined
  revokesTokens?: boolean | undefined
}

/** Changes the role or the email address of a user. The last admin stays an admin. */
export type ChangeUser = (
  userId: string,
  changes: UserChanges,
  actor: Actor,
) => Promise<{ user: User; revokedTokens: number }>

type Parts = {
  db: Db
  clock: Clock
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
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
 * The caller holds the lock of the user list and has checked that this is not the last admin. The links of a demoted admin
 * end, because with them the user could still add an admin or take over an account.
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

/** The caller holds the lock of the user list, so that no other admin is removed or demoted at the same time. */
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

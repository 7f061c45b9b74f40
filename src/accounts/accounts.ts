import type { AreaContext } from '../db/context.ts'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { appendAudit, type Actor } from './audit.ts'
import type { PasswordHasher } from './sign-in/passwords.ts'
import type {
  KnownDevices,
  Sessions,
  AuthenticatedSession,
  SignInClient,
  StartedSession,
  StartSession,
} from './sign-in/sessions.ts'
import {
  ipToRateLimitKey,
  type ThrottleScope,
  type SignInThrottle,
} from './sign-in/sign-in-throttle.ts'
import type { AfterTokensRevoked } from './tokens/token-creators.ts'
import type { ApiTokens } from './tokens/tokens.ts'
import type { Invitations } from './users/invitations.ts'
import { changeStoredPassword, revokePersonalTokens } from './users/password-resets.ts'
import {
  acquireUserListLock,
  refuseWeakPassword,
  toUser,
  userColumns,
  type NewUser,
  type User,
  type Users,
} from './users/users.ts'

export type Credentials = { email: string; password: string }
export type SignUpDetails = Credentials & { name: string }

type Parts = AreaContext & {
  users: Users
  sessions: Sessions
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
  invitations: Invitations
  passwords: PasswordHasher
  throttle: SignInThrottle
  knownDevices: KnownDevices
  startSession: StartSession
  /** Throws if people sign in only with a provider. The set-up link works even then. */
  requireLocalSignIn(): void
}

/** Signing up, signing in and changing the password. */
export function createAccounts(parts: Parts) {
  const { db, clock, users, invitations, passwords, throttle, knownDevices, startSession } = parts
  const { requireLocalSignIn } = parts

  /** Redeems a one-time link, creates the user and starts a session, in one transaction. */
  const redeemLink = async (
    kind: 'setup' | 'invite',
    code: string,
    person: SignUpDetails,
    client: SignInClient,
  ) => {
    const scopes: ThrottleScope[] = [{ rule: 'address', key: ipToRateLimitKey(client.ip) }]
    await throttle.recordAttempt(scopes)
    const prepared = await users.prepare({ ...person, role: 'member' })
    const started = await db.transaction().execute(async (tx) => {
      await acquireUserListLock(tx)
      if (kind === 'setup' && (await users.count(tx)) > 0) throw new ServiceError('setup_closed')
      const { role, email } = await invitations.redeem(tx, kind, code)
      if (email !== null && email !== prepared.email) {
        throw new ServiceError('invalid_request', {
          details: [{ path: 'email', message: 'The invitation is for another email address' }],
        })
      }
      const actor = { name: 'nobody', ip: client.ip }
      const user = await users.insert(tx, { ...prepared, role }, actor)
      const method = kind === 'setup' ? 'setup link' : 'invitation'
      return startSession(tx, user, client, { method })
    })
    await throttle.recordSuccess(scopes)
    return started
  }

  return {
    redeemSetupLink: (code: string, person: SignUpDetails, client: SignInClient) =>
      redeemLink('setup', code, person, client),
    async acceptInvitation(code: string, person: SignUpDetails, client: SignInClient) {
      requireLocalSignIn()
      return redeemLink('invite', code, person, client)
    },

    async signIn({ email, password }: Credentials, client: SignInClient): Promise<StartedSession> {
      requireLocalSignIn()
      const found = await findUserForSignIn(db, email)
      const deviceKey = knownDevices.findKey(client.knownDeviceToken, found?.id ?? '')
      const scopes = throttleScopesOf(email, ipToRateLimitKey(client.ip), deviceKey)
      await throttle.recordAttempt(scopes)
      const hash = found?.password_hash ?? undefined
      if (!(await passwords.verify(password, hash)) || found === undefined) {
        await appendAudit(
          db,
          clock.now(),
          { name: 'nobody', ip: client.ip },
          'sign-in failed',
          found?.id,
        )
        throw new ServiceError('wrong_credentials')
      }
      await throttle.recordSuccess(scopes)
      return db.transaction().execute(async (tx) => {
        if (!(await lockUnchangedPassword(tx, found))) throw new ServiceError('wrong_credentials')
        return startSession(tx, toUser(found), client, { method: 'password' })
      })
    },

    /** Sets a password without the current one. Ends the user's sessions and personal tokens. For the command line. */
    async resetPassword(userId: string, next: string, actor: Actor) {
      await refuseWeakPassword(next, 'password')
      const passwordHash = await passwords.hash(next)
      const reset = await db.transaction().execute(async (tx) => {
        const change = { userId, passwordHash, actor }
        const endedSessions = await changeStoredPassword(tx, parts, change)
        return { endedSessions, revokedTokens: await revokePersonalTokens(tx, parts, change) }
      })
      parts.tokens.invalidateCreatedBy(userId)
      return reset
    },

    async changePassword(
      { user }: AuthenticatedSession,
      current: string,
      next: string,
      client: SignInClient,
    ) {
      const scopes: ThrottleScope[] = [{ rule: 'password', key: user.id }]
      await throttle.recordAttempt(scopes)
      const stored = await findUserForSignIn(db, user.email)
      const isCurrent = await passwords.verify(current, stored?.password_hash ?? undefined)
      if (!isCurrent || stored === undefined) throw wrongCurrentPasswordError()
      await throttle.recordSuccess(scopes)
      await refuseWeakPassword(next, 'newPassword')
      const passwordHash = await passwords.hash(next)
      return db.transaction().execute(async (tx) => {
        // A reset during the check must win, because its purpose may be to lock this caller out.
        if (!(await lockUnchangedPassword(tx, stored))) throw wrongCurrentPasswordError()
        const actor = { name: `user:${user.id}`, ip: client.ip }
        await changeStoredPassword(tx, parts, { userId: user.id, passwordHash, actor })
        return startSession(tx, user, client, { method: 'new password' })
      })
    },

    /** Creates a user without an invitation link. Used by the command line. */
    async createUser(user: NewUser, actor: Actor): Promise<User> {
      const prepared = await users.prepare(user)
      return db.transaction().execute(async (tx) => {
        await acquireUserListLock(tx)
        return users.insert(tx, prepared, actor)
      })
    },

    /** Creates the first user that the settings name. Does nothing if any user exists. */
    createFirstUser: (user: NewUser, actor: Actor) => createFirstUser(parts, user, actor),
  }
}

export type Accounts = ReturnType<typeof createAccounts>

async function createFirstUser({ db, users }: Parts, user: NewUser, actor: Actor): Promise<void> {
  const prepared = await users.prepare(user)
  try {
    await db.transaction().execute(async (tx) => {
      await acquireUserListLock(tx)
      if ((await users.count(tx)) === 0) await users.insert(tx, prepared, actor)
    })
  } catch (error) {
    // The user already exists, because another process created it without taking the lock.
    if (!(error instanceof ServiceError) || error.code !== 'email_taken') throw error
  }
}

function throttleScopesOf(
  email: string,
  addressKey: string,
  deviceKey: string | null,
): ThrottleScope[] {
  if (deviceKey !== null) return [{ rule: 'device', key: deviceKey }]
  return [
    { rule: 'address', key: addressKey },
    { rule: 'account', key: email },
  ]
}

/**
 * False if the password was replaced after it was checked. Locks the user until the transaction ends, so that a new
 * password also ends the session that it starts. The lock is an update lock, so two changes wait for each other.
 */
async function lockUnchangedPassword(
  tx: Db,
  { id, password_hash }: { id: string; password_hash: string | null },
): Promise<boolean> {
  const unchanged = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return unchanged !== undefined
}

function wrongCurrentPasswordError(): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'currentPassword', message: 'That is not your current password' }],
  })
}

function findUserForSignIn(db: Db, email: string) {
  return db
    .selectFrom('app_user')
    .select([...userColumns, 'app_user.password_hash'])
    .where('email', '=', email)
    .executeTakeFirst()
}

import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Db } from '../db/database.ts'
import { appendAudit, type Actor } from './audit.ts'
import { ipToRateLimitKey } from './sign-in/rate-limit-key.ts'
import type { Invitations } from './users/invitations.ts'
import type { KnownDevices } from './sign-in/known-device.ts'
import type { PasswordHasher } from './sign-in/passwords.ts'
import type { Sessions, AuthenticatedSession, ClientInfo } from './sign-in/sessions.ts'
import type { ThrottleScope, SignInThrottle } from './sign-in/sign-in-throttle.ts'
import {
  acquireUserListLock,
  refuseWeakPassword,
  toUser,
  userColumns,
  type NewUser,
  type User,
  type Users,
} from './users/users.ts'

/** A user who has just signed in. The secret is the value of the session cookie. */
export type StartedSession = {
  user: User
  secret: string
  csrfToken: string
  /** What the browser keeps to be recognised at the next sign-in. */
  knownDeviceToken: string
}

export type Credentials = { email: string; password: string }
export type SignUpDetails = Credentials & { name: string }

/** `knownDeviceToken` is what the browser kept from an earlier sign-in. */
export type SignInClient = ClientInfo & { knownDeviceToken: string | null }

/** Signing up, signing in and changing the password. */
export interface Accounts {
  redeemSetupLink(
    code: string,
    person: SignUpDetails,
    client: SignInClient,
  ): Promise<StartedSession>
  acceptInvitation(
    code: string,
    person: SignUpDetails,
    client: SignInClient,
  ): Promise<StartedSession>
  signIn(credentials: Credentials, client: SignInClient): Promise<StartedSession>
  changePassword(
    signedIn: AuthenticatedSession,
    current: string,
    next: string,
    client: SignInClient,
  ): Promise<StartedSession>
  /**
   * Sets a new password without the current one, and ends all sessions of the user; used by the command line. Returns the
   * number of ended sessions.
   */
  resetPassword(userId: string, next: string, actor: Actor): Promise<number>
  /** Creates a user without an invitation link; used by the command line. */
  createUser(user: NewUser, actor: Actor): Promise<User>
  /** Creates the first user that the settings name; does nothing when any user exists. */
  createFirstUser(user: NewUser, actor: Actor): Promise<void>
}

type Parts = {
  db: Db
  clock: Clock
  users: Users
  sessions: Sessions
  invitations: Invitations
  passwords: PasswordHasher
  throttle: SignInThrottle
  knownDevices: KnownDevices
}

export function createAccounts(parts: Parts): Accounts {
  const { db, clock, users, sessions, invitations, passwords, throttle, knownDevices } = parts

  const startSession = async (tx: Db, user: User, client: ClientInfo): Promise<StartedSession> => ({
    user,
    ...(await sessions.start(tx, user.id, client)),
    knownDeviceToken: knownDevices.remember(user.id),
  })

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
      return startSession(tx, user, client)
    })
    await throttle.recordSuccess(scopes)
    return started
  }

  const replacePassword = async (tx: Db, userId: string, hash: string, actor: Actor) => {
    await users.setPassword(tx, userId, hash)
    const endedSessions = await sessions.endAll(tx, userId)
    await appendAudit(tx, clock.now(), actor, 'password changed', userId)
    return endedSessions
  }

  return {
    redeemSetupLink: (code, person, client) => redeemLink('setup', code, person, client),
    acceptInvitation: (code, person, client) => redeemLink('invite', code, person, client),

    async signIn({ email, password }, client) {
      const found = await findUserForSignIn(db, email)
      const deviceKey = knownDevices.findKey(client.knownDeviceToken, found?.id ?? '')
      const scopes = throttleScopesOf(email, ipToRateLimitKey(client.ip), deviceKey)
      await throttle.recordAttempt(scopes)
      if (!(await passwords.verify(password, found?.password_hash)) || found === undefined) {
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
        await refuseReplacedPassword(tx, found)
        await appendAudit(tx, clock.now(), { name: `user:${found.id}`, ip: client.ip }, 'signed in')
        return startSession(tx, toUser(found), client)
      })
    },

    async resetPassword(userId, next, actor) {
      await refuseWeakPassword(next, 'password')
      const passwordHash = await passwords.hash(next)
      return db.transaction().execute((tx) => replacePassword(tx, userId, passwordHash, actor))
    },

    async changePassword({ user }, current, next, client) {
      const scopes: ThrottleScope[] = [{ rule: 'password', key: user.id }]
      await throttle.recordAttempt(scopes)
      const stored = await findUserForSignIn(db, user.email)
      if (!(await passwords.verify(current, stored?.password_hash))) {
        throw new ServiceError('invalid_request', {
          details: [{ path: 'currentPassword', message: 'That is not your current password' }],
        })
      }
      await throttle.recordSuccess(scopes)
      await refuseWeakPassword(next, 'newPassword')
      const passwordHash = await passwords.hash(next)
      return db.transaction().execute(async (tx) => {
        const actor = { name: `user:${user.id}`, ip: client.ip }
        await replacePassword(tx, user.id, passwordHash, actor)
        return startSession(tx, user, client)
      })
    },

    async createUser(user, actor) {
      const prepared = await users.prepare(user)
      return db.transaction().execute(async (tx) => {
        await acquireUserListLock(tx)
        return users.insert(tx, prepared, actor)
      })
    },

    async createFirstUser(user, actor) {
      const prepared = await users.prepare(user)
      try {
        await db.transaction().execute(async (tx) => {
          await acquireUserListLock(tx)
          if ((await users.count(tx)) === 0) await users.insert(tx, prepared, actor)
        })
      } catch (error) {
        // The user already exists: another process created it without taking the lock.
        if (!(error instanceof ServiceError) || error.code !== 'email_taken') throw error
      }
    },
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
 * Refuses to start a session for a password that was replaced after it was checked. Locks the user until the session is
 * stored, so that a new password also ends this session.
 */
async function refuseReplacedPassword(
  tx: Db,
  { id, password_hash }: { id: string; password_hash: string },
): Promise<void> {
  const unchanged = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forShare()
    .executeTakeFirst()
  if (unchanged === undefined) throw new ServiceError('wrong_credentials')
}

function findUserForSignIn(db: Db, email: string) {
  return db
    .selectFrom('app_user')
    .select([...userColumns, 'app_user.password_hash'])
    .where('email', '=', email)
    .executeTakeFirst()
}

import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Db } from '../db/database.ts'
import { appendAudit, type Actor } from './audit.ts'
import { rateLimitKey } from './sign-in/rate-limit-key.ts'
import type { Invitations } from './users/invitations.ts'
import type { Passwords } from './sign-in/passwords.ts'
import type { Sessions, AuthenticatedSession, ClientInfo } from './sign-in/sessions.ts'
import type { ThrottleScope, SignInThrottle } from './sign-in/sign-in-throttle.ts'
import {
  lockUsers,
  refuseWeakPassword,
  toUser,
  userColumns,
  type NewUser,
  type User,
  type Users,
} from './users/users.ts'

/** A person who has just come in: the secret goes into the cookie. */
export type StartedSession = { user: User; secret: string; csrfToken: string }

export type Credentials = { email: string; password: string }
export type SignUpDetails = Credentials & { name: string }

/** How people get into the instance. */
export interface Accounts {
  redeemSetupLink(code: string, person: SignUpDetails, visitor: ClientInfo): Promise<StartedSession>
  acceptInvitation(
    code: string,
    person: SignUpDetails,
    visitor: ClientInfo,
  ): Promise<StartedSession>
  signIn(credentials: Credentials, visitor: ClientInfo): Promise<StartedSession>
  changePassword(
    signedIn: AuthenticatedSession,
    current: string,
    next: string,
    visitor: ClientInfo,
  ): Promise<StartedSession>
  /** Without a link: for the command line. */
  createUser(user: NewUser, actor: Actor): Promise<User>
  /** The same for the settings that name a first user; nothing when there is somebody, also from this moment on. */
  createFirstUser(user: NewUser, actor: Actor): Promise<void>
}

type Parts = {
  db: Db
  clock: Clock
  users: Users
  sessions: Sessions
  invitations: Invitations
  passwords: Passwords
  throttle: SignInThrottle
}

export function createAccounts(parts: Parts): Accounts {
  const { db, clock, users, sessions, invitations, passwords, throttle } = parts

  /** Uses a one-time link up and lets its holder in, all or nothing. */
  const enter = async (
    kind: 'setup' | 'invite',
    code: string,
    person: SignUpDetails,
    visitor: ClientInfo,
  ) => {
    const scopes: ThrottleScope[] = [{ rule: 'address', key: rateLimitKey(visitor.ip) }]
    await throttle.recordAttempt(scopes)
    const prepared = await users.prepare({ ...person, role: 'member' })
    const entrance = await db.transaction().execute(async (tx) => {
      await lockUsers(tx)
      if (kind === 'setup' && (await users.count(tx)) > 0) throw new ServiceError('setup_closed')
      const { role, email } = await invitations.redeem(tx, kind, code)
      if (email !== null && email !== prepared.email) {
        throw new ServiceError('invalid_request', {
          details: [{ path: 'email', message: 'The invitation is for another e-mail' }],
        })
      }
      const actor = { name: 'nobody', ip: visitor.ip }
      const user = await users.insert(tx, { ...prepared, role }, actor)
      return { user, ...(await sessions.start(tx, user.id, visitor)) }
    })
    await throttle.recordSuccess(scopes)
    return entrance
  }

  return {
    redeemSetupLink: (code, person, visitor) => enter('setup', code, person, visitor),
    acceptInvitation: (code, person, visitor) => enter('invite', code, person, visitor),

    async signIn({ email, password }, visitor) {
      const found = await findUserForSignIn(db, email)
      const isAtHome =
        found !== undefined && (await sessions.list(found.id)).some(({ ip }) => ip === visitor.ip)
      const scopes = throttleScopesOf(email, rateLimitKey(visitor.ip), isAtHome)
      await throttle.recordAttempt(scopes)
      if (!(await passwords.verify(password, found?.password_hash)) || found === undefined) {
        await appendAudit(
          db,
          clock.now(),
          { name: 'nobody', ip: visitor.ip },
          'sign-in failed',
          found?.id,
        )
        throw new ServiceError('wrong_credentials')
      }
      await throttle.recordSuccess(scopes)
      return db.transaction().execute(async (tx) => {
        await appendAudit(
          tx,
          clock.now(),
          { name: `user:${found.id}`, ip: visitor.ip },
          'signed in',
        )
        return { user: toUser(found), ...(await sessions.start(tx, found.id, visitor)) }
      })
    },

    async changePassword({ user }, current, next, visitor) {
      const scopes: ThrottleScope[] = [{ rule: 'account', key: user.email }]
      await throttle.recordAttempt(scopes)
      const stored = await findUserForSignIn(db, user.email)
      if (!(await passwords.verify(current, stored?.password_hash))) {
        throw new ServiceError('invalid_request', {
          details: [{ path: 'currentPassword', message: 'This is not your current password' }],
        })
      }
      await throttle.recordSuccess(scopes)
      await refuseWeakPassword(next, 'newPassword')
      const passwordHash = await passwords.hash(next)
      return db.transaction().execute(async (tx) => {
        await tx
          .updateTable('app_user')
          .set({ password_hash: passwordHash })
          .where('id', '=', user.id)
          .execute()
        await tx.deleteFrom('session').where('user_id', '=', user.id).execute()
        await appendAudit(
          tx,
          clock.now(),
          { name: `user:${user.id}`, ip: visitor.ip },
          'password changed',
          user.id,
        )
        return { user, ...(await sessions.start(tx, user.id, visitor)) }
      })
    },

    async createUser(user, actor) {
      const prepared = await users.prepare(user)
      return db.transaction().execute(async (tx) => {
        await lockUsers(tx)
        return users.insert(tx, prepared, actor)
      })
    },

    async createFirstUser(user, actor) {
      const prepared = await users.prepare(user)
      try {
        await db.transaction().execute(async (tx) => {
          await lockUsers(tx)
          if ((await users.count(tx)) === 0) await users.insert(tx, prepared, actor)
        })
      } catch (error) {
        // Somebody has just made this user without the lock: what was wanted is there.
        if (!(error instanceof ServiceError) || error.code !== 'email_taken') throw error
      }
    },
  }
}

function throttleScopesOf(email: string, household: string, isAtHome: boolean): ThrottleScope[] {
  if (isAtHome) return [{ rule: 'home', key: `${household} ${email}` }]
  return [
    { rule: 'address', key: household },
    { rule: 'account', key: email },
  ]
}

function findUserForSignIn(db: Db, email: string) {
  return db
    .selectFrom('app_user')
    .select([...userColumns, 'app_user.password_hash'])
    .where('email', '=', email)
    .executeTakeFirst()
}

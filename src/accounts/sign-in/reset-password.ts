import type { Clock } from '../../lib/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import {
  deletePasswordResetOf,
  type PasswordResets,
  type RedeemedReset,
} from '../users/password-resets.ts'
import { refuseWeakPassword, toUser, userColumns, type Users } from '../users/users.ts'
import { ipToRateLimitKey } from './rate-limit-key.ts'
import type { PasswordHasher } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import type { SignInThrottle, ThrottleScope } from './sign-in-throttle.ts'
import type { SignInClient, StartedSession, StartSession } from './start-session.ts'

/** Sets the password of the user of a reset link, ends their sessions and personal tokens, and signs them in. */
export type RedeemResetLink = (
  code: string,
  password: string,
  client: SignInClient,
) => Promise<StartedSession>

type Parts = {
  db: Db
  clock: Clock
  users: Users
  sessions: Sessions
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
  resets: PasswordResets
  passwords: PasswordHasher
  throttle: SignInThrottle
  startSession: StartSession
}

export function createResetLinkRedeemer(parts: Parts): RedeemResetLink {
  const { db, clock, tokens, resets, passwords, throttle, startSession } = parts
  return async (code, password, client) => {
    const scopes: ThrottleScope[] = [{ rule: 'address', key: ipToRateLimitKey(client.ip) }]
    await throttle.recordAttempt(scopes)
    // A wrong code is refused before the password is hashed, which is slow.
    await resets.check(code)
    await refuseWeakPassword(password, 'password')
    const passwordHash = await passwords.hash(password)
    const started = await db.transaction().execute(async (tx) => {
      const { userId, createdBy } = await resets.redeem(tx, code)
      // Who created the link could also have used it.
      const actor = { name: `user:${userId}`, ip: client.ip }
      await replacePassword(tx, parts, { userId, passwordHash })
      await revokePersonalTokens(tx, parts, { userId, actor })
      const detail = describeCreator(createdBy)
      await appendAudit(tx, clock.now(), actor, 'password reset', userId, detail)
      const row = await tx
        .selectFrom('app_user')
        .select(userColumns)
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      return startSession(tx, toUser(row), client, { method: 'reset link' })
    })
    tokens.invalidateCreatedBy(started.user.id)
    await throttle.recordSuccess(scopes)
    return started
  }
}

function describeCreator(creator: RedeemedReset['createdBy']): string {
  return creator === null
    ? 'link created on the command line'
    : `link created by ${creator.name} <${creator.email}>`
}

/** Stores the password, ends all sessions of the user and deletes their reset link. Returns how many sessions it ended. */
async function replacePassword(
  tx: Db,
  { users, sessions }: Pick<Parts, 'users' | 'sessions'>,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<number> {
  await users.setPassword(tx, userId, passwordHash)
  await deletePasswordResetOf(tx, userId)
  return sessions.endAll(tx, userId)
}

/** Whoever knew the old password, or used a session of the user, may have created a token. */
export async function revokePersonalTokens(
  tx: Db,
  { clock, afterTokensRevoked }: Pick<Parts, 'clock' | 'afterTokensRevoked'>,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<number> {
  const revocation = { userId, kinds: ['personal'] as const, actor, now: clock.now() }
  return revokeTokensCreatedBy(tx, revocation, afterTokensRevoked)
}

/** Replaces the password for the user themselves or for the command line. Returns how many sessions it ended. */
export async function changeStoredPassword(
  tx: Db,
  parts: Pick<Parts, 'users' | 'sessions' | 'clock'>,
  { actor, ...change }: { userId: string; passwordHash: string; actor: Actor },
): Promise<number> {
  const endedSessions = await replacePassword(tx, parts, change)
  await appendAudit(tx, parts.clock.now(), actor, 'password changed', change.userId)
  return endedSessions
}

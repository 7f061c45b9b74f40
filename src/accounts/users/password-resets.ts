import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { sha256, randomBase62 } from '../../lib/crypto.ts'
import { addSecondsToDate } from '../../lib/time/clock.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { PasswordHasher } from '../sign-in/passwords.ts'
import type { Sessions, SignInClient, StartedSession, StartSession } from '../sign-in/sessions.ts'
import {
  ipToRateLimitKey,
  type SignInThrottle,
  type ThrottleScope,
} from '../sign-in/sign-in-throttle.ts'
import { revokeTokensCreatedBy, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { lockAdminWhoCreatesLink, type LinkMailer } from './invitations.ts'
import { refuseWeakPassword, toUser, userColumns, type Users } from './users.ts'

const RESET_LINK_SECONDS = 24 * 3_600

export type ResetLink = { code: string; expiresAt: Date }

/** `creatorId` is the admin who creates the link. Null for the command line. */
export type NewReset = { userId: string; creatorId: string | null }

export type RedeemedReset = { userId: string; createdBy: { name: string; email: string } | null }

type Parts = AreaContext & {
  /** Absent if this instance sends no mail. */
  linkMailer?: LinkMailer | undefined
  /** Throws if people sign in only with a provider. */
  requireLocalSignIn(): void
}

/** Sets the password of a reset link's user, ends their sessions and personal tokens, and signs them in. */
export type RedeemResetLink = (
  code: string,
  password: string,
  client: SignInClient,
) => Promise<StartedSession>

type ResetPasswordParts = AreaContext & {
  users: Users
  sessions: Sessions
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
  resets: PasswordResets
  passwords: PasswordHasher
  throttle: SignInThrottle
  startSession: StartSession
}

/** One-time links to set a new password without the current one. */
export function createPasswordResets({ db, clock, linkMailer, requireLocalSignIn }: Parts) {
  return {
    /** The database stores only the hash of the returned code. The user's earlier link becomes invalid. */
    async create({ userId, creatorId }: NewReset, actor: Actor): Promise<ResetLink> {
      requireLocalSignIn()
      const code = randomBase62(43)
      const now = clock.now()
      const row = {
        code_hash: sha256(code),
        created_by: creatorId,
        created_at: now,
        expires_at: addSecondsToDate(now, RESET_LINK_SECONDS),
      }
      await db.transaction().execute(async (tx) => {
        await lockAdminWhoCreatesLink(tx, creatorId)
        const user = await tx
          .selectFrom('app_user')
          .select('deactivated_at')
          .where('id', '=', userId)
          .forShare()
          .executeTakeFirst()
        if (user === undefined) throw new ServiceError('user_not_found')
        if (user.deactivated_at !== null) throw new ServiceError('account_deactivated')
        await tx
          .insertInto('password_reset')
          .values({ user_id: userId, ...row })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute()
        await linkMailer?.passwordReset(tx, { userId, code })
        await appendAudit(tx, now, actor, 'reset link created', userId)
      })
      return { code, expiresAt: row.expires_at }
    },

    /** Returns whose password the link sets. Throws `invalid_code` if it is used or expired. */
    async check(code: string): Promise<{ name: string; email: string }> {
      requireLocalSignIn()
      const reset = await findOpenReset(db, code, clock.now())
      if (reset === null) throw invalidResetLinkError()
      const { name, email } = reset
      return { name, email }
    },

    /** Deletes the link, so that it works once. Its user's row stays locked until the transaction ends. */
    async redeem(tx: Db, code: string): Promise<RedeemedReset> {
      // The user is locked before the link, as when a link is created, so that the two can't deadlock.
      await tx
        .selectFrom('app_user')
        .select('id')
        .where('id', 'in', (eb) =>
          eb.selectFrom('password_reset').select('user_id').where('code_hash', '=', sha256(code)),
        )
        .forNoKeyUpdate()
        .execute()
      const row = await tx
        .deleteFrom('password_reset')
        .where('code_hash', '=', sha256(code))
        .where('expires_at', '>', clock.now())
        .returning(['user_id', 'created_by'])
        .executeTakeFirst()
      if (row === undefined) throw invalidResetLinkError()
      return { userId: row.user_id, createdBy: await findCreator(tx, row.created_by) }
    },
  }
}

export type PasswordResets = ReturnType<typeof createPasswordResets>

/** Whose password a link can set. Null if the link is used, replaced or expired. */
export async function findOpenReset(
  db: Db,
  code: string,
  now: Date,
): Promise<{ name: string; email: string; expiresAt: Date } | null> {
  const row = await db
    .selectFrom('password_reset')
    .innerJoin('app_user', 'app_user.id', 'password_reset.user_id')
    .select(['app_user.name', 'app_user.email', 'password_reset.expires_at as expiresAt'])
    .where('code_hash', '=', sha256(code))
    .where('password_reset.expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** An unused link must not replace a newer password. */
export async function deletePasswordResetOf(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
}

async function findCreator(tx: Db, id: string | null): Promise<RedeemedReset['createdBy']> {
  if (id === null) return null
  const row = await tx
    .selectFrom('app_user')
    .select(['name', 'email'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function deleteExpiredPasswordResets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('password_reset').where('expires_at', '<', now).execute()
}

function invalidResetLinkError(): ServiceError {
  return new ServiceError('invalid_code', {
    hint: 'Ask an admin for a new link. On the server, `hansard user reset` prints one',
  })
}

export function createResetLinkRedeemer(parts: ResetPasswordParts): RedeemResetLink {
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
      // The creator of the link could also have used it.
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

/** Stores the password, ends all sessions of the user and deletes their reset link. Returns the number of sessions. */
async function replacePassword(
  tx: Db,
  { users, sessions }: Pick<ResetPasswordParts, 'users' | 'sessions'>,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<number> {
  await users.setPassword(tx, userId, passwordHash)
  await deletePasswordResetOf(tx, userId)
  return sessions.endAll(tx, userId)
}

/** A person who knew the old password, or used a session of the user, may have created a token. */
export async function revokePersonalTokens(
  tx: Db,
  { clock, afterTokensRevoked }: Pick<ResetPasswordParts, 'clock' | 'afterTokensRevoked'>,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<number> {
  const revocation = { userId, kinds: ['personal'] as const, actor, now: clock.now() }
  return revokeTokensCreatedBy(tx, revocation, afterTokensRevoked)
}

/** Replaces the password for the user or the command line. Returns the number of ended sessions. */
export async function changeStoredPassword(
  tx: Db,
  parts: Pick<ResetPasswordParts, 'users' | 'sessions' | 'clock'>,
  { actor, ...change }: { userId: string; passwordHash: string; actor: Actor },
): Promise<number> {
  const endedSessions = await replacePassword(tx, parts, change)
  await appendAudit(tx, parts.clock.now(), actor, 'password changed', change.userId)
  return endedSessions
}

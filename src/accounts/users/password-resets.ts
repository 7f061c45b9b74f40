import { ServiceError } from '../../errors.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'
import { sha256 } from '../../lib/crypto/digest.ts'
import { randomBase62 } from '../../lib/crypto/random.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { lockAdminWhoCreatesLink } from './links-of-admins.ts'

const RESET_LINK_SECONDS = 24 * 3_600

export type ResetLink = { code: string; expiresAt: Date }

/** `creatorId` is the admin who creates the link; null for the command line. */
export type NewReset = { userId: string; creatorId: string | null }

export type RedeemedReset = { userId: string; createdBy: { name: string; email: string } | null }

/** One-time links with which a user sets a new password without the current one. */
export interface PasswordResets {
  /** The database stores only the hash of the returned code. A link that the user already has becomes invalid. */
  create(reset: NewReset, actor: Actor): Promise<ResetLink>
  /** Whose password the link sets. Throws `invalid_code` when it is used or expired. */
  check(code: string): Promise<{ name: string; email: string }>
  /** Deletes the link, so that it works once. The row of its user stays locked until the transaction ends. */
  redeem(tx: Db, code: string): Promise<RedeemedReset>
}

type Parts = {
  db: Db
  clock: Clock
  /** Throws when people sign in only with a provider. */
  requireLocalSignIn(): void
}

export function createPasswordResets({ db, clock, requireLocalSignIn }: Parts): PasswordResets {
  return {
    async create({ userId, creatorId }, actor) {
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
          .select('id')
          .where('id', '=', userId)
          .forShare()
          .executeTakeFirst()
        if (user === undefined) throw new ServiceError('user_not_found')
        await tx
          .insertInto('password_reset')
          .values({ user_id: userId, ...row })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute()
        await appendAudit(tx, now, actor, 'reset link created', userId)
      })
      return { code, expiresAt: row.expires_at }
    },

    async check(code) {
      requireLocalSignIn()
      const row = await db
        .selectFrom('password_reset')
        .innerJoin('app_user', 'app_user.id', 'password_reset.user_id')
        .select(['app_user.name', 'app_user.email'])
        .where('code_hash', '=', sha256(code))
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      if (row === undefined) throw invalidResetLinkError()
      return row
    },

    async redeem(tx, code) {
      // The user is locked before the link, as where a link is created, so that the two cannot wait for each other.
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

/** A link that was not used must not replace a newer password. */
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

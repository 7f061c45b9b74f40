import { sql } from 'kysely'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, MAINTENANCE, type Actor, type AuditAction } from '../audit.ts'
import { newSigningSecret } from './api-key-format.ts'
import { ROTATION_PERIOD_MS } from './signing-secrets.ts'
import { findToken, type ApiToken } from './token-store.ts'

/**
 * A token gets another signing secret in two steps, because one of the two signatures of a callback has
 * room for one secret only: receivers learn the next one before it signs. signing-secrets.ts reads what
 * is written here.
 */
export interface SecretRotation {
  /** The secret is answered here and never again. */
  createNext(tokenId: string, actor: Actor): Promise<{ token: ApiToken; signingSecret: string }>
  /** The next secret signs; the one before stays valid beside it for a while, in place of an older one. */
  activate(tokenId: string, actor: Actor): Promise<ApiToken>
  /** Forgets the next secret, as long as it does not sign yet. */
  cancelNext(tokenId: string, actor: Actor): Promise<ApiToken>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

/** One conditional UPDATE: whether it found the token in the state that it needs. */
type RotationStep = (tx: Db, now: Date) => Promise<{ numUpdatedRows: bigint }>

export function createSecretRotation({ db, clock, secretBox }: Parts): SecretRotation {
  const take = async (
    id: string,
    actor: Actor,
    step: RotationStep,
    action: AuditAction,
    or: ErrorCode,
  ) => {
    const now = clock.now()
    return db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await step(tx, now)
      const token = await findToken(tx, id)
      if (token === null) throw new ServiceError('token_not_found')
      if (numUpdatedRows === 0n) {
        throw new ServiceError(token.revokedAt === null ? or : 'token_revoked')
      }
      await appendAudit(tx, now, actor, action, id)
      return token
    })
  }

  return {
    async createNext(id, actor) {
      const signingSecret = newSigningSecret()
      const step: RotationStep = async (tx, now) => {
        await activateOverdueSecrets(tx, now, id)
        return updateActiveToken(tx, id)
          .set({ next_secret: secretBox.seal(signingSecret, id), next_secret_at: now })
          .where('next_secret', 'is', null)
          .executeTakeFirstOrThrow()
      }
      const token = await take(id, actor, step, 'next secret created', 'secret_pending')
      return { token, signingSecret }
    },

    async activate(id, actor) {
      const step: RotationStep = (tx, now) =>
        updateActiveToken(tx, id)
          .set(promoteNextSecret(now))
          .where('next_secret', 'is not', null)
          .executeTakeFirstOrThrow()
      return take(id, actor, step, 'next secret activated', 'no_secret_pending')
    },

    async cancelNext(id, actor) {
      const step: RotationStep = (tx, now) =>
        updateActiveToken(tx, id)
          .set({ next_secret: null, next_secret_at: null })
          .where('next_secret_at', '>', activationCutoff(now))
          .executeTakeFirstOrThrow()
      return take(id, actor, step, 'next secret cancelled', 'no_secret_pending')
    },
  }
}

/** Upkeep: writes down what signing-secrets.ts already acts upon, and forgets secrets that have had their time. */
export async function completeSecretRotations(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await activateOverdueSecrets(tx, now)
    await tx
      .updateTable('api_token')
      .set({ old_secret: null, old_secret_until: null })
      .where('old_secret_until', '<=', now)
      .execute()
  })
}

/** Revoked tokens too: their meetings go on, and receivers were told of the next secret. */
async function activateOverdueSecrets(tx: Db, now: Date, tokenId?: string): Promise<void> {
  const overdue = tx
    .updateTable('api_token')
    .set(promoteNextSecret(now))
    .where('next_secret_at', '<=', activationCutoff(now))
    .returning('id')
  const one = tokenId === undefined ? overdue : overdue.where('id', '=', tokenId)
  for (const { id } of await one.execute()) {
    await appendAudit(tx, now, MAINTENANCE, 'next secret activated', id)
  }
}

/** An overdue secret has signed since its time had come, so that the 24 hours of the old one began then. */
function promoteNextSecret(now: Date) {
  const rotation = sql`${ROTATION_PERIOD_MS} * interval '1 millisecond'`
  return {
    signing_secret: sql<Buffer>`next_secret`,
    next_secret: null,
    next_secret_at: null,
    old_secret: sql<Buffer>`signing_secret`,
    old_secret_until: sql<Date>`least(next_secret_at + ${rotation}, ${now}::timestamptz) + ${rotation}`,
  }
}

function updateActiveToken(tx: Db, id: string) {
  return tx.updateTable('api_token').where('id', '=', id).where('revoked_at', 'is', null)
}

/** A pending secret made at this time or before signs by now. */
function activationCutoff(now: Date): Date {
  return new Date(now.getTime() - ROTATION_PERIOD_MS)
}

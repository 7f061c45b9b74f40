import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { appendAudit, MAINTENANCE_ACTOR, type Actor, type AuditAction } from '../audit.ts'
import { newSigningSecret } from './api-keys.ts'
import { ROTATION_GRACE_PERIOD_MS, findToken, type ApiToken } from './token-store.ts'

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

/** One conditional UPDATE of a token. It updates no row if the token is not in the required state. */
type RotationStep = (tx: Db, now: Date) => Promise<{ numUpdatedRows: bigint }>

/**
 * Replaces a token's signing secret in two steps: create the next secret, then activate it. Receivers can install the
 * next secret before it signs. This matters because one of a callback's two signature headers carries a single
 * signature. token-store.ts reads the columns that are written here.
 */
export function createSecretRotation({ db, clock, secretBox }: Parts) {
  const runStep = async (
    id: string,
    actor: Actor,
    step: RotationStep,
    action: AuditAction,
    wrongStateCode: ErrorCode,
  ) => {
    const now = clock.now()
    return db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await step(tx, now)
      const token = await findToken(tx, id)
      if (token === null) throw new ServiceError('token_not_found')
      if (numUpdatedRows === 0n) {
        throw new ServiceError(token.revokedAt === null ? wrongStateCode : 'token_revoked')
      }
      await appendAudit(tx, now, actor, action, id)
      return token
    })
  }

  return {
    /** Creates the next signing secret of a token. The returned secret is never shown again. */
    async createNext(id: string, actor: Actor) {
      const signingSecret = newSigningSecret()
      const step: RotationStep = async (tx, now) => {
        await activateOverdueSecrets(tx, now, id)
        return updateActiveToken(tx, id)
          .set({ next_secret: secretBox.seal(signingSecret, id), next_secret_at: now })
          .where('next_secret', 'is', null)
          .executeTakeFirstOrThrow()
      }
      const token = await runStep(id, actor, step, 'next secret created', 'secret_pending')
      return { token, signingSecret }
    },

    /** Makes the next secret sign. The previous secret stays valid for 24 hours and replaces any older one. */
    async activate(id: string, actor: Actor): Promise<ApiToken> {
      const step: RotationStep = (tx, now) =>
        updateActiveToken(tx, id)
          .set(promoteNextSecret(now))
          .where('next_secret', 'is not', null)
          .executeTakeFirstOrThrow()
      return runStep(id, actor, step, 'next secret activated', 'no_secret_pending')
    },

    /** Deletes the next secret, unless it already signs. */
    async cancelNext(id: string, actor: Actor): Promise<ApiToken> {
      const step: RotationStep = (tx, now) =>
        updateActiveToken(tx, id)
          .set({ next_secret: null, next_secret_at: null })
          .where('next_secret_at', '>', activationCutoff(now))
          .executeTakeFirstOrThrow()
      return runStep(id, actor, step, 'next secret cancelled', 'no_secret_pending')
    },
  }
}

export type TwoStepSecretRotation = ReturnType<typeof createSecretRotation>

/** Maintenance job: stores activations that token-store.ts already applies by time, and deletes expired secrets. */
export async function activateDueAndDeleteExpiredSecrets(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await activateOverdueSecrets(tx, now)
    await tx
      .updateTable('api_token')
      .set({ old_secret: null, old_secret_until: null })
      .where('old_secret_until', '<=', now)
      .execute()
  })
}

/**
 * Activates pending secrets that are due, even of revoked tokens, because their running meetings still send callbacks,
 * and receivers may already expect the next secret.
 */
async function activateOverdueSecrets(tx: Db, now: Date, tokenId?: string): Promise<void> {
  const overdue = tx
    .updateTable('api_token')
    .set(promoteNextSecret(now))
    .where('next_secret_at', '<=', activationCutoff(now))
    .returning('id')
  const one = tokenId === undefined ? overdue : overdue.where('id', '=', tokenId)
  for (const { id } of await one.execute()) {
    await appendAudit(tx, now, MAINTENANCE_ACTOR, 'next secret activated', id)
  }
}

/** The old secret's 24 hours start when the next one began to sign: now, or earlier if the activation was overdue. */
function promoteNextSecret(now: Date) {
  const rotation = sql`${ROTATION_GRACE_PERIOD_MS} * interval '1 millisecond'`
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

/** Pending secrets created at or before this time already sign. */
function activationCutoff(now: Date): Date {
  return new Date(now.getTime() - ROTATION_GRACE_PERIOD_MS)
}

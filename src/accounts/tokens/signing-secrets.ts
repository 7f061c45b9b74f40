import type { Db } from '../../db/database.ts'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'

/** The secret that signs callbacks, and the others that are also valid during a rotation. */
export type TokenSigningSecrets = { signing: string; alsoValid: string[] }

/** A pending secret is activated automatically after this time; the previous secret then stays valid for the same time again. */
export const ROTATION_GRACE_PERIOD_MS = 24 * 60 * 60 * 1000
/** Every node sees a changed secret after at most this time. */
const CACHE_MS = 2_000
const MAX_CACHED = 1_000
/** How long cached secrets are used while the database is unreachable; the same time for which database writes are retried. */
const STALE_ON_ERROR_MS = 60_000

/** Reads the signing secrets of a token, also of a revoked one: its running meetings still send callbacks. */
export function createSigningSecretReader(
  { db, clock, secretBox }: { db: Db; clock: Clock; secretBox: SecretBox },
  elapsed: () => number = () => performance.now(),
) {
  const cache = new Map<string, CachedSecrets>()

  const read = async (tokenId: string): Promise<TokenSigningSecrets | null> => {
    const row = await db
      .selectFrom('api_token')
      .select(['signing_secret', 'next_secret', 'next_secret_at', 'old_secret', 'old_secret_until'])
      .where('id', '=', tokenId)
      .executeTakeFirst()
    if (row === undefined) return null
    const { signing, others } = secretsInForce(clock.now(), row)
    const open = (sealed: Buffer) => secretBox.open(sealed, tokenId)
    return { signing: open(signing), alsoValid: others.map(open) }
  }

  const load = (tokenId: string, cached: CachedSecrets | undefined): CachedSecrets => {
    const orCached = (error: unknown) => {
      const isUsable = cached !== undefined && elapsed() - cached.readAt < STALE_ON_ERROR_MS
      if (!isUsable || !isTransientDatabaseError(error)) throw error
      Object.assign(loading, { requestedAt: elapsed(), readAt: cached.readAt })
      return cached.secrets
    }
    const now = elapsed()
    const loading = { requestedAt: now, readAt: now, secrets: read(tokenId).catch(orCached) }
    return loading
  }

  return async (tokenId: string): Promise<TokenSigningSecrets | null> => {
    const cached = cache.get(tokenId)
    if (cached !== undefined && elapsed() - cached.requestedAt < CACHE_MS) return cached.secrets
    if (cache.size >= MAX_CACHED) cache.clear()
    const loading = load(tokenId, cached)
    cache.set(tokenId, loading)
    try {
      return await loading.secrets
    } catch (error) {
      cache.delete(tokenId)
      throw error
    }
  }
}

type CachedSecrets = {
  requestedAt: number
  readAt: number
  secrets: Promise<TokenSigningSecrets | null>
}

export function addRotationGracePeriod(date: Date): Date {
  return new Date(date.getTime() + ROTATION_GRACE_PERIOD_MS)
}

type SecretRow = {
  signing_secret: Buffer
  next_secret: Buffer | null
  next_secret_at: Date | null
  old_secret: Buffer | null
  old_secret_until: Date | null
}

/** A pending secret signs as soon as it is due, even before the maintenance job has stored the activation. */
function secretsInForce(now: Date, row: SecretRow): { signing: Buffer; others: Buffer[] } {
  const { signing_secret: current, next_secret: next, next_secret_at: since } = row
  const due = since === null ? null : addRotationGracePeriod(since)
  if (next !== null && due !== null && due <= now) {
    return { signing: next, others: addRotationGracePeriod(due) > now ? [current] : [] }
  }
  const old = row.old_secret_until !== null && row.old_secret_until > now ? row.old_secret : null
  return { signing: current, others: [next, old].filter((sealed) => sealed !== null) }
}

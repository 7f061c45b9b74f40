import type { Db } from '../../db/database.ts'
import { isTransient } from '../../db/transient-errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'

/** The secret that signs, and others that are valid beside it while a rotation is under way. */
export type TokenSigningSecrets = { signing: string; others: string[] }

/** A new secret signs after that long even if nobody activates it, and the one before stays valid for as long again. */
export const ROTATION_PERIOD_MS = 24 * 60 * 60 * 1000
/** A change is seen by every node after at most this. */
const CACHE_MS = 2_000
const MAX_CACHED = 1_000
/** While the database is away nobody can change them: what was read last signs for as long as others persevere. */
const STALE_ON_ERROR_MS = 60_000

/** Reads signing secrets, also of revoked tokens: their meetings go on until they end. */
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
    return { signing: open(signing), others: others.map(open) }
  }

  const ask = (tokenId: string, known: CachedSecrets | undefined): CachedSecrets => {
    const orKnown = (error: unknown) => {
      const isUsable = known !== undefined && elapsed() - known.readAt < STALE_ON_ERROR_MS
      if (!isUsable || !isTransient(error)) throw error
      Object.assign(asked, { askedAt: elapsed(), readAt: known.readAt })
      return known.secrets
    }
    const now = elapsed()
    const asked = { askedAt: now, readAt: now, secrets: read(tokenId).catch(orKnown) }
    return asked
  }

  return async (tokenId: string): Promise<TokenSigningSecrets | null> => {
    const known = cache.get(tokenId)
    if (known !== undefined && elapsed() - known.askedAt < CACHE_MS) return known.secrets
    if (cache.size >= MAX_CACHED) cache.clear()
    const asked = ask(tokenId, known)
    cache.set(tokenId, asked)
    try {
      return await asked.secrets
    } catch (error) {
      cache.delete(tokenId)
      throw error
    }
  }
}

type CachedSecrets = {
  askedAt: number
  readAt: number
  secrets: Promise<TokenSigningSecrets | null>
}

export function addRotationPeriod(date: Date): Date {
  return new Date(date.getTime() + ROTATION_PERIOD_MS)
}

type SecretRow = {
  signing_secret: Buffer
  next_secret: Buffer | null
  next_secret_at: Date | null
  old_secret: Buffer | null
  old_secret_until: Date | null
}

/** An overdue secret signs at its time, whenever upkeep comes to write that down. */
function secretsInForce(now: Date, row: SecretRow): { signing: Buffer; others: Buffer[] } {
  const { signing_secret: present, next_secret: next, next_secret_at: since } = row
  const due = since === null ? null : addRotationPeriod(since)
  if (next !== null && due !== null && due <= now) {
    return { signing: next, others: addRotationPeriod(due) > now ? [present] : [] }
  }
  const old = row.old_secret_until !== null && row.old_secret_until > now ? row.old_secret : null
  return { signing: present, others: [next, old].filter((sealed) => sealed !== null) }
}

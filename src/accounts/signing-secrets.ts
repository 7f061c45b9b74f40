import type { Db } from '../db/open.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'

/** The secret that signs, and others that are valid beside it while a rotation is under way. */
export type SigningSecrets = { signing: string; others: string[] }

/** A new secret signs after that long even if nobody activates it, and the old one stays valid for as long again. */
export const ROTATION_MS = 24 * 60 * 60 * 1000
/** A change is seen by every node after at most this. */
const CACHE_MS = 2_000
const MOST_CACHED = 1_000

/** Reads signing secrets, also of revoked tokens: their meetings go on until they end. */
export function createSigningSecrets(parts: { db: Db; clock: Clock; secretBox: SecretBox }) {
  const { db, clock, secretBox } = parts
  const cache = new Map<string, { readAt: number; secrets: Promise<SigningSecrets | null> }>()

  const read = async (tokenId: string): Promise<SigningSecrets | null> => {
    const row = await db
      .selectFrom('api_token')
      .select(['signing_secret', 'next_secret', 'next_secret_at', 'old_secret', 'old_secret_until'])
      .where('id', '=', tokenId)
      .executeTakeFirst()
    if (row === undefined) return null
    const open = (sealed: Buffer | null) => (sealed === null ? [] : [secretBox.open(sealed, tokenId)])
    const [present = ''] = open(row.signing_secret)
    const [next] = open(row.next_secret)
    const isOldValid = (row.old_secret_until ?? new Date(0)) > clock.now()
    const old = isOldValid ? open(row.old_secret) : []
    if (next === undefined) return { signing: present, others: old }
    const isDue = (row.next_secret_at?.getTime() ?? 0) + ROTATION_MS <= clock.now().getTime()
    return isDue
      ? { signing: next, others: [present, ...old] }
      : { signing: present, others: [next, ...old] }
  }

  return async (tokenId: string): Promise<SigningSecrets | null> => {
    const known = cache.get(tokenId)
    if (known !== undefined && performance.now() - known.readAt < CACHE_MS) return known.secrets
    if (cache.size >= MOST_CACHED) cache.clear()
    const secrets = read(tokenId)
    cache.set(tokenId, { readAt: performance.now(), secrets })
    try {
      return await secrets
    } catch (error) {
      cache.delete(tokenId)
      throw error
    }
  }
}

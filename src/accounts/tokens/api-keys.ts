import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../lib/crypto.ts'

/** A cached value is refreshed after FRESH_MS and unusable after STALE_MS, so nodes refuse a revoked key by then. */
const FRESH_MS = 1_000
const STALE_MS = 1_800
const MAX_ENTRIES = 10_000

type Entry<T> = { value: T; readAt: number; refreshing: Promise<void> | null }

export interface ApiKeyHashCache<T> {
  /** Returns a value that is at most `maxAgeMs` old. */
  get(key: string, maxAgeMs?: number): Promise<T | null>
  /** Removes matching values. Reads in progress are not cached either, because they may have seen the old state. */
  invalidate(match: (value: T) => boolean): void
}

/**
 * What a key is: of an API token, of an assistant that was connected by OAuth (its access token, its refresh token and its
 * authorization code), or of a client that provisions users.
 */
export type KeyKind = 'sk' | 'oa' | 'or' | 'oc' | 'sp'

const KEY_PATTERN = /^(?:sk|oa|or|oc|sp)_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/
const KEY_BODY_LENGTH = 'sk_'.length + 32

/**
 * A cache that refreshes values in the background while they are in use. Between FRESH_MS and STALE_MS, `get` returns
 * the cached value and starts a read, so a busy key never waits for the database.
 */
export function createApiKeyCache<T>(
  read: (key: string) => Promise<T | null>,
  now: () => number = () => performance.now(),
): ApiKeyHashCache<T> {
  const entries = new Map<string, Entry<T>>()
  const reading = new Map<string, Promise<T | null>>()

  const load = (key: string): Promise<T | null> => {
    const pending = reading.get(key)
    if (pending) return pending
    const requestedAt = now()
    const promise = read(key)
      .then((value) => {
        if (reading.get(key) !== promise) return value
        entries.delete(key)
        if (value !== null) store(key, { value, readAt: requestedAt, refreshing: null })
        return value
      })
      .finally(() => {
        if (reading.get(key) === promise) reading.delete(key)
      })
    reading.set(key, promise)
    return promise
  }

  const store = (key: string, entry: Entry<T>) => {
    if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value as string)
    entries.set(key, entry)
  }

  return {
    async get(key, maxAgeMs = STALE_MS) {
      const entry = entries.get(key)
      const age = entry ? now() - entry.readAt : Infinity
      if (entry === undefined || age > Math.min(maxAgeMs, STALE_MS)) return load(key)
      if (age > FRESH_MS) {
        // A failed refresh is ignored. The entry becomes stale, and the next caller reads again and gets the error.
        entry.refreshing ??= load(key).then(
          () => undefined,
          () => undefined,
        )
      }
      return entry.value
    },
    invalidate(match) {
      for (const [key, entry] of entries) if (match(entry.value)) entries.delete(key)
      reading.clear()
    },
  }
}

/** The kind, 32 random characters and a checksum, which rejects a mistyped key without a database query. */
export function newApiKey(kind: KeyKind = 'sk'): string {
  const body = `${kind}_${randomBase62(32)}`
  return `${body}${checksum(body)}`
}

export function newSigningSecret(): string {
  return `ss_${randomBase62(43)}`
}

export function isWellFormedKey(key: string, kind: KeyKind = 'sk'): boolean {
  if (!key.startsWith(`${kind}_`) || !KEY_PATTERN.test(key)) return false
  return key.slice(KEY_BODY_LENGTH) === checksum(key.slice(0, KEY_BODY_LENGTH))
}

/** The parts of a key that a list of tokens may show. */
export function extractApiKeyHints(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 7), last4: key.slice(-4) }
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6)
}

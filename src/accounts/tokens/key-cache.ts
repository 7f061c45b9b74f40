/** How long a key's row may answer for the database. A revoked key is refused within STALE_MS on every node. */
const FRESH_MS = 1_000
const STALE_MS = 1_800
const MAX_ENTRIES = 10_000

type Entry<T> = { value: T; readAt: number; refreshing: Promise<void> | null }

export interface KeyCache<T> {
  get(key: string): Promise<T | null>
  invalidate(match: (value: T) => boolean): void
}

/**
 * Values that are read again once a second while they are in use: between FRESH_MS and STALE_MS the
 * known value answers while the next one is being read, so a busy key never waits for the database.
 */
export function createKeyCache<T>(
  read: (key: string) => Promise<T | null>,
  now: () => number = () => performance.now(),
): KeyCache<T> {
  const entries = new Map<string, Entry<T>>()
  const reading = new Map<string, Promise<T | null>>()

  const load = (key: string): Promise<T | null> => {
    const underway = reading.get(key)
    if (underway) return underway
    const askedAt = now()
    const promise = read(key)
      .then((value) => {
        entries.delete(key)
        if (value !== null) keep(key, { value, readAt: askedAt, refreshing: null })
        return value
      })
      .finally(() => reading.delete(key))
    reading.set(key, promise)
    return promise
  }

  const keep = (key: string, entry: Entry<T>) => {
    if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value as string)
    entries.set(key, entry)
  }

  return {
    async get(key) {
      const entry = entries.get(key)
      const age = entry ? now() - entry.readAt : Infinity
      if (entry === undefined || age > STALE_MS) return load(key)
      if (age > FRESH_MS) {
        // A failed read leaves the entry to grow stale; the next caller then waits and sees the error.
        entry.refreshing ??= load(key).then(
          () => undefined,
          () => undefined,
        )
      }
      return entry.value
    },
    invalidate(match) {
      for (const [key, entry] of entries) if (match(entry.value)) entries.delete(key)
    },
  }
}

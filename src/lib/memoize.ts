type Limits = {
  /** The whole cache is cleared when it reaches this size. */
  maxEntries: number
  /** How long a cached result is valid. */
  ttlMs: number
}

export function memoizeForLimitedTime<Result>(
  compute: (text: string) => Result,
  { maxEntries, ttlMs }: Limits,
): (text: string) => Result {
  const cache = new Map<string, { result: Result; expiresAt: number }>()
  return (text) => {
    const now = performance.now()
    const cached = cache.get(text)
    if (cached !== undefined && now < cached.expiresAt) return cached.result
    if (cache.size >= maxEntries) cache.clear()
    const result = compute(text)
    cache.set(text, { result, expiresAt: now + ttlMs })
    return result
  }
}

/** Like `memoizeForLimitedTime`, for a function that returns a promise. A rejection is not cached. */
export function memoizeAsyncForLimitedTime<Result>(
  compute: (text: string) => Promise<Result>,
  { maxEntries, ttlMs }: Limits,
): (text: string) => Promise<Result> {
  const cache = new Map<string, { result: Result; expiresAt: number }>()
  return async (text) => {
    const now = performance.now()
    const cached = cache.get(text)
    if (cached !== undefined && now < cached.expiresAt) return cached.result
    const result = await compute(text)
    if (cache.size >= maxEntries) cache.clear()
    cache.set(text, { result, expiresAt: now + ttlMs })
    return result
  }
}

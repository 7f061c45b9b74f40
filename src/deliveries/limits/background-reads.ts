/** Limits how many responses are read to their end after their results were reported. */
export interface BackgroundReadLimiter {
  /** Null when too many responses are already read, of this origin or of all. Dispose the result when the read ends. */
  tryStart(origin: string): Disposable | null
}

export type BackgroundReadLimits = { perOrigin: number; total: number }

export const DEFAULT_BACKGROUND_READ_LIMITS: BackgroundReadLimits = { perOrigin: 8, total: 64 }

export function createBackgroundReadLimiter({
  perOrigin,
  total,
}: BackgroundReadLimits = DEFAULT_BACKGROUND_READ_LIMITS): BackgroundReadLimiter {
  const countByOrigin = new Map<string, number>()
  let count = 0
  const change = (origin: string, by: 1 | -1) => {
    const next = (countByOrigin.get(origin) ?? 0) + by
    if (next === 0) countByOrigin.delete(origin)
    else countByOrigin.set(origin, next)
    count += by
  }
  return {
    tryStart(origin) {
      if (count >= total || (countByOrigin.get(origin) ?? 0) >= perOrigin) return null
      change(origin, 1)
      return { [Symbol.dispose]: () => change(origin, -1) }
    },
  }
}

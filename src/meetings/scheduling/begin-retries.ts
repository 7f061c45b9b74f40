import type { Clock } from '../../lib/time/clock.ts'

/** When beginnings that failed are tried again. Only this node knows; the others have their own. */
export interface BeginRetries {
  isWaiting(meetingId: string): boolean
  addFailure(meetingId: string): void
  /** Forgets all other meetings, because they have begun, moved or ended. */
  keepOnly(meetingIds: ReadonlySet<string>): void
}

const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 60_000

export function createBeginRetries(clock: Clock): BeginRetries {
  const failures = new Map<string, { delayMs: number; retryAt: number }>()
  return {
    isWaiting: (id) => (failures.get(id)?.retryAt ?? 0) > clock.now().getTime(),
    addFailure(id) {
      const before = failures.get(id)
      const delayMs = before ? Math.min(before.delayMs * 2, MAX_DELAY_MS) : FIRST_DELAY_MS
      failures.set(id, { delayMs, retryAt: clock.now().getTime() + delayMs })
    },
    keepOnly(ids) {
      for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id)
    },
  }
}

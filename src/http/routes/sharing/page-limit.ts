import type { Clock } from '../../../lib/time/clock.ts'
import type { RequestCounter } from '../../pipeline/request-counts.ts'

/** Pages per minute: of all links for one address, and of one link for all addresses. Rendering one reads a whole transcript. */
const PAGES_PER_MINUTE = { address: 60, link: 300 } as const

/** Counts a request. Null when its page may be shown, otherwise the seconds to wait. */
export type SharedPageLimit = (scope: keyof typeof PAGES_PER_MINUTE, key: string) => number | null

type Parts = { counts: Pick<RequestCounter, 'add'>; clock: Clock; isOn: boolean }

export function createSharedPageLimit({ counts, clock, isOn }: Parts): SharedPageLimit {
  return (scope, key) => {
    if (!isOn || counts.add(`shared_${scope}:${key}`) <= PAGES_PER_MINUTE[scope]) return null
    return 60 - clock.now().getUTCSeconds()
  }
}

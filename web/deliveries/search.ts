import type { DeliveryFilter } from './queries.ts'

/** What the address of the page holds. */
export type DeliverySearch = {
  meeting?: string | undefined
  outcome?: string | undefined
  type?: string | undefined
  last?: string | undefined
}

export const SPANS = {
  '1h': { label: 'Last hour', ms: 3_600_000 },
  '24h': { label: 'Last 24 hours', ms: 86_400_000 },
  '7d': { label: 'Last 7 days', ms: 604_800_000 },
} as const satisfies Record<string, { label: string; ms: number }>

/** To the minute, so that the same question is not asked under a new name all the time. */
export function toFilter({ last, ...search }: DeliverySearch, now: number): DeliveryFilter {
  const span =
    last !== undefined && Object.hasOwn(SPANS, last) ? SPANS[last as keyof typeof SPANS] : null
  if (span === null) return search
  const since = new Date(Math.floor((now - span.ms) / 60_000) * 60_000).toISOString()
  return { ...search, since }
}

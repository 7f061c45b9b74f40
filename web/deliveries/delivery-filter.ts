import type { DeliveryFilter } from './queries.ts'

/** The URL parameters of the deliveries page. */
export type DeliverySearchParams = {
  meeting?: string | undefined
  receiver?: string | undefined
  outcome?: string | undefined
  type?: string | undefined
  last?: string | undefined
}

export const DELIVERY_TIME_RANGES = {
  '1h': { label: 'Last hour', ms: 3_600_000 },
  '24h': { label: 'Last 24 hours', ms: 86_400_000 },
  '7d': { label: 'Last 7 days', ms: 604_800_000 },
} as const satisfies Record<string, { label: string; ms: number }>

/** Rounds `since` down to the minute, so that the cached query is reused for a minute. */
export function searchParamsToDeliveryFilter(
  { last, ...search }: DeliverySearchParams,
  now: number,
): DeliveryFilter {
  const range =
    last !== undefined && Object.hasOwn(DELIVERY_TIME_RANGES, last)
      ? DELIVERY_TIME_RANGES[last as keyof typeof DELIVERY_TIME_RANGES]
      : null
  if (range === null) return search
  const since = new Date(Math.floor((now - range.ms) / 60_000) * 60_000).toISOString()
  return { ...search, since }
}

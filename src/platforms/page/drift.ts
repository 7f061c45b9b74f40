import type { PageTable } from './decide.ts'
import type { Strategy } from './strategy.ts'

/** A part that was not found by the best of its strategies; null when by none. */
export type Drift = { part: string; foundBy: Strategy | null }

/**
 * How far a page has moved away from its table: for each part that every call has, the strategy that found it
 * is compared with the first one that works in the page's language. `found`: places in the lists, null for none.
 */
export function driftIn(
  { parts, checked }: PageTable,
  found: Readonly<Record<string, number | null>>,
  language: string,
): Drift[] {
  return checked.flatMap((part) => {
    const strategies = parts[part]?.strategies ?? []
    const best = strategies.findIndex((strategy) => worksIn(strategy, language))
    const place = found[part] ?? null
    if (place !== null && place === best) return []
    return [{ part, foundBy: place === null ? null : (strategies[place] ?? null) }]
  })
}

function worksIn(strategy: Strategy, language: string): boolean {
  return strategy.language === undefined || language.split('-')[0] === strategy.language
}

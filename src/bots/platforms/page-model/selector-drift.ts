import type { PageModel } from './page-states.ts'
import type { FindStrategy } from './find-strategies.ts'

/** A part that was not found by the best of its strategies; null when by none. */
export type PartDrift = { part: string; foundBy: FindStrategy | null }

/**
 * How far a page has moved away from its table: for each part that every call has, the strategy that found it
 * is compared with the first one that works in the page's language. `found`: places in the lists, null for none.
 */
export function findDrift(
  { parts, expectedInCall }: PageModel,
  found: Readonly<Record<string, number | null>>,
  language: string,
): PartDrift[] {
  return expectedInCall.flatMap((part) => {
    const strategies = parts[part]?.strategies ?? []
    const best = strategies.findIndex((strategy) => worksInLanguage(strategy, language))
    const place = found[part] ?? null
    if (place !== null && place === best) return []
    return [{ part, foundBy: place === null ? null : (strategies[place] ?? null) }]
  })
}

function worksInLanguage(strategy: FindStrategy, language: string): boolean {
  return strategy.language === undefined || language.split('-')[0] === strategy.language
}

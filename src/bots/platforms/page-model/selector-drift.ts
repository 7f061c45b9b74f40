import type { PageModel } from './page-states.ts'
import type { FindStrategy } from './find-strategies.ts'

/** A part that its best strategy did not find. `foundBy` is null when no strategy found it. */
export type PartDrift = { part: string; foundBy: FindStrategy | null }

/**
 * Compares a call with the page model: for each part that every call has, whether the best strategy for the page's
 * language found it. `found` has the position of the strategy that matched, null for none.
 */
export function findPartDrifts(
  { parts, expectedInCall }: PageModel,
  found: Readonly<Record<string, number | null>>,
  language: string,
): PartDrift[] {
  return expectedInCall.flatMap((part) => {
    const strategies = parts[part]?.strategies ?? []
    const best = strategies.findIndex((strategy) => worksInLanguage(strategy, language))
    const position = found[part] ?? null
    if (position !== null && position === best) return []
    return [{ part, foundBy: position === null ? null : (strategies[position] ?? null) }]
  })
}

function worksInLanguage(strategy: FindStrategy, language: string): boolean {
  return strategy.language === undefined || language.split('-')[0] === strategy.language
}

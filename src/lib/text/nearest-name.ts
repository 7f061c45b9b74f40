import { closest, distance } from 'fastest-levenshtein'

/** The known name that is most similar to a misspelt one, or null when none is similar enough to suggest. */
export function findNearestName(given: string, known: readonly string[]): string | null {
  if (known.length === 0) return null
  const folded = new Map(known.map((name) => [name.toLowerCase(), name]))
  const best = closest(given.toLowerCase(), [...folded.keys()])
  // Two swapped letters count as a distance of 2.
  const allowed = given.length <= 3 ? 1 : Math.max(2, Math.floor(given.length / 3))
  return distance(given.toLowerCase(), best) <= allowed ? (folded.get(best) ?? null) : null
}

import { editDistance } from './edit-distance.ts'
import { MAX_SHOWN_NAME_LENGTH } from './shorten-name.ts'

/** One answer suggests at most this many names, because each suggestion compares texts of the caller. */
export const MAX_SUGGESTIONS = 20

/**
 * The known name that is most similar to a misspelt one, or null when none is similar enough to suggest. Names that are
 * too long to be misspelt ones are not compared, because the time for that grows with the product of their lengths.
 */
export function findNearestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_SHOWN_NAME_LENGTH) return null
  // Two swapped letters count as a distance of 2.
  let allowed = given.length <= 3 ? 1 : Math.max(2, Math.floor(given.length / 3))
  let nearest: string | null = null
  for (const name of known) {
    // The distance is at least the difference of the lengths.
    if (Math.abs(name.length - given.length) > allowed) continue
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance > allowed) continue
    nearest = name
    // Of equally similar names the first one is suggested.
    allowed = distance - 1
  }
  return nearest
}

import { editDistance } from './edit-distance.ts'
import { MAX_SHOWN_NAME_LENGTH } from './shorten-name.ts'

/** One response suggests at most this many names, because each suggestion compares the caller's texts. */
export const MAX_SUGGESTIONS = 20

/**
 * The known name that is most similar to a misspelt one. Null if none is similar enough. Names that are too long to be
 * misspelt are not compared, because the time grows with the product of the lengths.
 */
export function findNearestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_SHOWN_NAME_LENGTH) return null
  // Two swapped letters have a distance of 2.
  let allowed = given.length <= 3 ? 1 : Math.max(2, Math.floor(given.length / 3))
  let nearest: string | null = null
  for (const name of known) {
    // The distance is at least the difference of the lengths.
    if (Math.abs(name.length - given.length) > allowed) continue
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance > allowed) continue
    nearest = name
    // Among equally similar names, the first is suggested.
    allowed = distance - 1
  }
  return nearest
}

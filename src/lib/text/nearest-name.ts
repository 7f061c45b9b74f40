import { editDistance } from './edit-distance.ts'

/** The known name that is most similar to a misspelt one, or null when none is similar enough to suggest. */
export function findNearestName(given: string, known: readonly string[]): string | null {
  // Two swapped letters count as a distance of 2.
  let allowed = given.length <= 3 ? 1 : Math.max(2, Math.floor(given.length / 3))
  let nearest: string | null = null
  for (const name of known) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance > allowed) continue
    nearest = name
    // Of equally similar names the first one is suggested.
    allowed = distance - 1
  }
  return nearest
}

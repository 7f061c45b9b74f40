import type { FoundCue } from './cues.ts'

/** Fewer repeats can be two people who say the same. */
const MIN_REPEATS = 3
/** Rolling captions have at most four rows. */
const MAX_ROWS = 4

/**
 * Roll-up captions, such as those of YouTube, show each line again above the next one. Returns the cues with each line
 * once, or the same cues if the file has no such captions.
 */
export function removeRolledUpLines(cues: readonly FoundCue[]): {
  cues: readonly FoundCue[]
  repeats: number
} {
  const lines = cues.map(({ text }) => text.split('\n').flatMap((line) => line.trim() || []))
  const repeats = lines.map((shown, i) => countRepeated(lines[i - 1] ?? [], shown))
  const count = repeats.filter((repeated) => repeated > 0).length
  // A repeat with a new line below it is what tells a rolling caption from a text that was said twice.
  const isRolling = repeats.some(
    (repeated, i) => repeated > 0 && repeated < (lines[i]?.length ?? 0),
  )
  if (!isRolling || count < MIN_REPEATS || count * 2 < cues.length - 1) return { cues, repeats: 0 }
  return {
    cues: cues.map((cue, i) => ({ ...cue, text: (lines[i] ?? []).slice(repeats[i]).join('\n') })),
    repeats: count,
  }
}

/** How many lines at the end of a cue are again at the start of the next one. */
function countRepeated(before: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(before.length, shown.length, MAX_ROWS); count > 0; count -= 1) {
    if (before.slice(-count).every((line, i) => line === shown[i])) return count
  }
  return 0
}

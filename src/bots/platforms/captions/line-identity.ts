import { endsLikeSentence } from '../../../lib/text/sentence-end.ts'
import { extractWordKeys } from '../../../lib/text/split-words.ts'
import { haveSameBeginning, haveSameFirstWord } from './text-overlap.ts'

/** A line that the page draws again reappears within this time, possibly as another row. */
const REAPPEAR_MS = 2_000
/** A short line can be said again within two seconds, so it counts as drawn again only within this time. */
const SHORT_REAPPEAR_MS = 1_000
const SHORT_WORDS = 4

/** A line that is no longer in the page: its last text and when it disappeared. */
type RemovedLine = { text: string; removedAt: number }

/**
 * Whether a text is a removed line that the page draws again, and not the same words said again. A line that is drawn
 * again shows all of its words at once; speech starts with its first words and has no full stop yet. `isNewest`: the
 * line was the newest one, which the platform may still correct.
 */
export function isLineDrawnAgain(
  line: RemovedLine,
  text: string,
  at: number,
  isNewest: boolean,
): boolean {
  const isShort = extractWordKeys(line.text.slice(0, 200)).length < SHORT_WORDS
  const limitMs = isShort ? SHORT_REAPPEAR_MS : REAPPEAR_MS
  if (at - line.removedAt > limitMs || isLessComplete(text, line.text)) return false
  return haveSameBeginning(line.text, text) || (isNewest && haveSameFirstWord(line.text, text))
}

/** Whether a text has only the first words of another text, or the same words without the full stop. */
export function isLessComplete(text: string, than: string): boolean {
  if (!haveSameBeginning(text, than)) return false
  const [own, other] = [extractWordKeys(text).length, extractWordKeys(than).length]
  return own < other || (own === other && endsLikeSentence(than) && !endsLikeSentence(text))
}

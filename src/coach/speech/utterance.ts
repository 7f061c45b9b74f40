import type { CoachSegment } from '../coach.ts'
import { copySubstringToFreeOriginal } from '../../lib/text/plain-line.ts'
import { shortenToOneLine } from '../text/display-text.ts'
import { countWords } from '../text/count-words.ts'

/** A segment prepared for the coach's rules. */
export type CoachUtterance = {
  number: number
  /** The speaker name on one line and shortened; empty when the speaker is not known. */
  speaker: string
  /** The text of the segment, cut to a maximum length. */
  text: string
  words: number
  startedAt: number
  /** When the coach received the segment, in monotonic time. */
  at: number
}

const MAX_UTTERANCE_CHARS = 4_000
const MAX_SPEAKER_CHARS = 200
/**
 * The speaker of segments for which the platform gave no name. Must equal `UNKNOWN_SPEAKER` in
 * `meetings/sanitize/person-names.ts`.
 */
const UNKNOWN_SPEAKER = 'Unknown speaker'
/** Printable ASCII, which needs no cleaning. */
const PLAIN = /^[ -~]*$/

export function toCoachUtterance(
  { number, speaker, text, startedAt }: CoachSegment,
  at: number,
): CoachUtterance {
  const short =
    text.length <= MAX_UTTERANCE_CHARS
      ? text
      : copySubstringToFreeOriginal(text.slice(0, MAX_UTTERANCE_CHARS))
  return {
    number,
    speaker: normalizeSpeakerName(speaker),
    text: short,
    words: countWords(short),
    startedAt,
    at,
  }
}

export function normalizeSpeakerName(name: string): string {
  const isClean = name.length <= MAX_SPEAKER_CHARS && PLAIN.test(name)
  const speaker = isClean
    ? name.trim()
    : copySubstringToFreeOriginal(shortenToOneLine(name, MAX_SPEAKER_CHARS))
  return speaker === UNKNOWN_SPEAKER ? '' : speaker
}

import type { CoachSegment } from './coach.ts'
import { toOneLine, copyString } from './text/display-text.ts'
import { countWords } from './text/count-words.ts'

/** A segment as the rules see it. */
export type CoachUtterance = {
  number: number
  /** On one line and short enough to be remembered; empty when nobody knows who spoke. */
  speaker: string
  /** The beginning, if there is more than anybody says in one segment. */
  text: string
  words: number
  startedAt: number
  /** When it was heard, in steady time. */
  at: number
}

const MAX_UTTERANCE_CHARS = 4_000
const MAX_SPEAKER_CHARS = 200
/** What stands in a segment where the platform gave no name. */
const UNKNOWN_SPEAKER = 'Unknown speaker'
const PLAIN = /^[ -~]*$/

export function toUtterance(
  { number, speaker, text, startedAt }: CoachSegment,
  at: number,
): CoachUtterance {
  const short =
    text.length <= MAX_UTTERANCE_CHARS ? text : copyString(text.slice(0, MAX_UTTERANCE_CHARS))
  return {
    number,
    speaker: normalizeSpeaker(speaker),
    text: short,
    words: countWords(short),
    startedAt,
    at,
  }
}

export function normalizeSpeaker(name: string): string {
  const isFit = name.length <= MAX_SPEAKER_CHARS && PLAIN.test(name)
  const speaker = isFit ? name.trim() : copyString(toOneLine(name, MAX_SPEAKER_CHARS))
  return speaker === UNKNOWN_SPEAKER ? '' : speaker
}

import type { Heard } from './coach.ts'
import { oneLine, owned } from './wording.ts'
import { countWords } from './words.ts'

/** A segment as the rules see it. */
export type Utterance = {
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

const MOST_CHARS = 4_000
const MOST_SPEAKER_CHARS = 200
/** What stands in a segment where the platform gave no name. */
const UNKNOWN_SPEAKER = 'Unknown speaker'
const PLAIN = /^[ -~]*$/

export function utteranceOf({ number, speaker, text, startedAt }: Heard, at: number): Utterance {
  const short = text.length <= MOST_CHARS ? text : owned(text.slice(0, MOST_CHARS))
  return {
    number,
    speaker: speakerOf(speaker),
    text: short,
    words: countWords(short),
    startedAt,
    at,
  }
}

export function speakerOf(name: string): string {
  const isFit = name.length <= MOST_SPEAKER_CHARS && PLAIN.test(name)
  const speaker = isFit ? name.trim() : owned(oneLine(name, MOST_SPEAKER_CHARS))
  return speaker === UNKNOWN_SPEAKER ? '' : speaker
}

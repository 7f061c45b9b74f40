import type { CoachUtterance } from './utterance.ts'

/** What is kept of an utterance: numbers, not its text. */
type SpeechEntry = {
  number: number
  speaker: string
  at: number
  words: number
  fillers: number
  /** Speech whose duration is known: the words before this start, and the time they took. */
  measuredWords: number
  measuredMs: number
}

type SpeechTotals = { words: number; fillers: number; measuredMs: number; utterances: number }
/** `name`: the one copy that all entries share. */
type SpeakerTotals = SpeechTotals & { name: string }

/** The last minutes, with the sums per speaker kept up to date. */
export interface RecentSpeech {
  add(said: CoachUtterance, fillers: number): void
  /** Oldest first. */
  entries(): readonly SpeechEntry[]
  /** Words of everybody. */
  wordCount(): number
  /** How many speakers with a name. */
  speakerCount(): number
  totalsOf(speaker: string): Readonly<SpeechTotals>
  /** The newest segments of a speaker, oldest first: enough to see what an insight rests on. */
  segmentNumbersOf(speaker: string): number[]
}

/** Far above what a conversation reaches, so that a flood costs no memory. */
const MAX_ENTRIES = 200
const MAX_SPEAKERS = 30
export const MAX_SEGMENT_NUMBERS = 20
/** Faster than this nobody speaks: then several segments were given one start. Single words may be. */
const FASTEST_WORDS_PER_MS = 10 / 1000
const BURST_WORDS = 5

const NO_SPEECH: SpeechTotals = { words: 0, fillers: 0, measuredMs: 0, utterances: 0 }

export function createRecentSpeech(windowMs: number): RecentSpeech {
  const kept: SpeechEntry[] = []
  const sums = new Map<string, SpeakerTotals>()
  let words = 0
  let last: CoachUtterance | null = null

  function tallyOf(speaker: string): SpeakerTotals {
    const known = sums.get(speaker)
    if (known !== undefined) return known
    const tally = { ...NO_SPEECH, name: speaker }
    sums.set(speaker, tally)
    return tally
  }
  function count(entry: SpeechEntry, sign: 1 | -1): void {
    const tally = tallyOf(entry.speaker)
    tally.words += sign * entry.words
    tally.fillers += sign * entry.fillers
    tally.measuredMs += sign * entry.measuredMs
    tally.utterances += sign
    words += sign * entry.words
    if (tally.utterances === 0) sums.delete(entry.speaker)
  }
  function isTooMuch(now: number): boolean {
    const [oldest] = kept
    if (oldest === undefined) return false
    return oldest.at <= now - windowMs || kept.length > MAX_ENTRIES || sums.size > MAX_SPEAKERS
  }
  return {
    add(said, fillers) {
      const { number, at } = said
      const speaker = tallyOf(said.speaker).name
      const entry = {
        number,
        speaker,
        at,
        words: said.words,
        fillers,
        ...measureSpeech(last, said),
      }
      last = said
      kept.push(entry)
      count(entry, 1)
      while (isTooMuch(at)) count(kept.shift() as SpeechEntry, -1)
    },
    entries: () => kept,
    wordCount: () => words,
    speakerCount: () => sums.size - (sums.has('') ? 1 : 0),
    totalsOf: (speaker) => sums.get(speaker) ?? NO_SPEECH,
    segmentNumbersOf: (speaker) =>
      kept
        .filter((entry) => entry.speaker === speaker)
        .slice(-MAX_SEGMENT_NUMBERS)
        .map(({ number }) => number),
  }
}

/**
 * Only starts are known. From one start to the next of the same speaker, with nobody in between, the words
 * of the first were spoken, perhaps with a pause: so a rate made of these is never too high.
 */
function measureSpeech(
  last: CoachUtterance | null,
  { speaker, startedAt }: CoachUtterance,
): Pick<SpeechEntry, 'measuredMs' | 'measuredWords'> {
  const ms = last === null || last.speaker !== speaker ? -1 : startedAt - last.startedAt
  const words = last?.words ?? 0
  const isBurst = words > BURST_WORDS && words > ms * FASTEST_WORDS_PER_MS
  return ms < 0 || isBurst
    ? { measuredMs: 0, measuredWords: 0 }
    : { measuredMs: ms, measuredWords: words }
}

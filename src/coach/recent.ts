import type { Utterance } from './utterance.ts'

/** What is kept of an utterance: numbers, not its text. */
type Kept = {
  number: number
  speaker: string
  at: number
  words: number
  fillers: number
  /** Speech whose duration is known: the words before this start, and the time they took. */
  measuredWords: number
  measuredMs: number
}

type Sum = { words: number; fillers: number; measuredMs: number; utterances: number }
/** `name`: the one copy that all entries share. */
type Tally = Sum & { name: string }

/** The last minutes, with the sums per speaker kept up to date. */
export interface Recent {
  add(said: Utterance, fillers: number): void
  /** Oldest first. */
  all(): readonly Kept[]
  /** Words of everybody. */
  words(): number
  /** How many speakers with a name. */
  speakers(): number
  of(speaker: string): Readonly<Sum>
  /** The newest segments of a speaker, oldest first: enough to see what an insight rests on. */
  numbersOf(speaker: string): number[]
}

/** Far above what a conversation reaches, so that a flood costs no memory. */
const MOST_KEPT = 200
const MOST_SPEAKERS = 30
export const MOST_NUMBERS = 20
/** Faster than this nobody speaks: then several segments were given one start. Single words may be. */
const FASTEST_WORDS_PER_MS = 10 / 1000
const BURST_WORDS = 5

const NOTHING: Sum = { words: 0, fillers: 0, measuredMs: 0, utterances: 0 }

export function createRecent(windowMs: number): Recent {
  const kept: Kept[] = []
  const sums = new Map<string, Tally>()
  let words = 0
  let last: Utterance | null = null

  function tallyOf(speaker: string): Tally {
    const known = sums.get(speaker)
    if (known !== undefined) return known
    const tally = { ...NOTHING, name: speaker }
    sums.set(speaker, tally)
    return tally
  }
  function count(entry: Kept, sign: 1 | -1): void {
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
    return oldest.at <= now - windowMs || kept.length > MOST_KEPT || sums.size > MOST_SPEAKERS
  }
  return {
    add(said, fillers) {
      const { number, at } = said
      const speaker = tallyOf(said.speaker).name
      const entry = { number, speaker, at, words: said.words, fillers, ...measure(last, said) }
      last = said
      kept.push(entry)
      count(entry, 1)
      while (isTooMuch(at)) count(kept.shift() as Kept, -1)
    },
    all: () => kept,
    words: () => words,
    speakers: () => sums.size - (sums.has('') ? 1 : 0),
    of: (speaker) => sums.get(speaker) ?? NOTHING,
    numbersOf: (speaker) =>
      kept
        .filter((entry) => entry.speaker === speaker)
        .slice(-MOST_NUMBERS)
        .map(({ number }) => number),
  }
}

/**
 * Only starts are known. From one start to the next of the same speaker, with nobody in between, the words
 * of the first were spoken, perhaps with a pause: so a rate made of these is never too high.
 */
function measure(
  last: Utterance | null,
  { speaker, startedAt }: Utterance,
): Pick<Kept, 'measuredMs' | 'measuredWords'> {
  const ms = last === null || last.speaker !== speaker ? -1 : startedAt - last.startedAt
  const words = last?.words ?? 0
  const isBurst = words > BURST_WORDS && words > ms * FASTEST_WORDS_PER_MS
  return ms < 0 || isBurst
    ? { measuredMs: 0, measuredWords: 0 }
    : { measuredMs: ms, measuredWords: words }
}

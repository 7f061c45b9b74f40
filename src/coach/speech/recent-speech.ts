import type { CoachUtterance } from './utterance.ts'

/** The counts of one utterance, without its text. */
type SpeechEntry = {
  number: number
  speaker: string
  at: number
  words: number
  fillers: number
  /** Words of the previous utterance of the same speaker, and the time from its start to this start; 0 if not usable. */
  measuredWords: number
  measuredMs: number
}

type SpeechTotals = { words: number; fillers: number; measuredMs: number; utterances: number }
/** `name` is one string that all entries of the speaker share, to save memory. */
type SpeakerTotals = SpeechTotals & { name: string }

/** The utterances of the last minutes with totals per speaker. */
export interface RecentSpeechCounts {
  add(utterance: CoachUtterance, fillers: number): void
  /** The recent utterances, oldest first. */
  entries(): readonly SpeechEntry[]
  /** Number of words that all speakers together said recently. */
  wordCount(): number
  /** Number of speakers whose name is known. */
  speakerCount(): number
  totalsOf(speaker: string): Readonly<SpeechTotals>
  /** Numbers of the newest segments of a speaker, oldest first; an insight about the speaker is based on them. */
  segmentNumbersOf(speaker: string): number[]
}

/**
 * Maximum number of utterances to remember. A real conversation has fewer; it bounds memory when a source floods the
 * coach.
 */
const MAX_ENTRIES = 200
const MAX_SPEAKERS = 30
export const MAX_INSIGHT_SEGMENTS = 20
/** No one speaks this fast. Above this rate several segments got the same start time, so no duration is measured. */
const FASTEST_WORDS_PER_MS = 10 / 1000
/** The duration of an utterance with at most this many words is used even if the speech seems too fast. */
const BURST_WORDS = 5

const NO_SPEECH: SpeechTotals = { words: 0, fillers: 0, measuredMs: 0, utterances: 0 }

export function createRecentSpeech(windowMs: number): RecentSpeechCounts {
  const entries: SpeechEntry[] = []
  const totals = new Map<string, SpeakerTotals>()
  let words = 0
  let last: CoachUtterance | null = null

  function totalsFor(speaker: string): SpeakerTotals {
    const known = totals.get(speaker)
    if (known !== undefined) return known
    const created = { ...NO_SPEECH, name: speaker }
    totals.set(speaker, created)
    return created
  }
  function count(entry: SpeechEntry, sign: 1 | -1): void {
    const tally = totalsFor(entry.speaker)
    tally.words += sign * entry.words
    tally.fillers += sign * entry.fillers
    tally.measuredMs += sign * entry.measuredMs
    tally.utterances += sign
    words += sign * entry.words
    if (tally.utterances === 0) totals.delete(entry.speaker)
  }
  function mustDropOldest(now: number): boolean {
    const [oldest] = entries
    if (oldest === undefined) return false
    return oldest.at <= now - windowMs || entries.length > MAX_ENTRIES || totals.size > MAX_SPEAKERS
  }
  return {
    add(utterance, fillers) {
      const { number, at } = utterance
      const speaker = totalsFor(utterance.speaker).name
      // Listed fields take less memory than spread ones.
      const { measuredWords, measuredMs } = measureSpeech(last, utterance)
      const entry = {
        number,
        speaker,
        at,
        words: utterance.words,
        fillers,
        measuredWords,
        measuredMs,
      }
      last = utterance
      entries.push(entry)
      count(entry, 1)
      while (mustDropOldest(at)) count(entries.shift() as SpeechEntry, -1)
    },
    entries: () => entries,
    wordCount: () => words,
    speakerCount: () => totals.size - (totals.has('') ? 1 : 0),
    totalsOf: (speaker) => totals.get(speaker) ?? NO_SPEECH,
    segmentNumbersOf: (speaker) =>
      entries
        .filter((entry) => entry.speaker === speaker)
        .slice(-MAX_INSIGHT_SEGMENTS)
        .map(({ number }) => number),
  }
}

/**
 * Only start times are known. The time between two consecutive starts of the same speaker contains the words of the first
 * utterance and possibly a pause, so a rate computed from it is never too high.
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

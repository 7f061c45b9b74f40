import { copySubstringToFreeOriginal } from '../lib/text/plain-text.ts'
import type { CoachThresholds, CoachSegment } from './coach.ts'
import { quoteText } from '../language/clean-text.ts'
import { normalizeSpeakerName } from '../language/people.ts'
import { findLastQuestionAndWordsAfter } from '../language/sentences.ts'
import { countFillers, countWords } from '../language/words.ts'

/** Uninterrupted speech of one speaker. */
export type UninterruptedSpeech = {
  speaker: string
  words: number
  /** Identifies the run, even if a restarted bot knows only a later part of it. */
  firstSegmentNumber: number
  /** The newest segments of the run. */
  segmentNumbers: number[]
  startedAt: number
  lastAt: number
}

/** A question that no other speaker has answered yet. */
export type UnansweredQuestion = {
  number: number
  speaker: string
  quote: string
  askedAt: number
  wordsSince: number
}

/** What the coach remembers of a meeting. Its size has a limit, even in a very long meeting. */
export type ConversationState = {
  last: CoachUtterance | null
  recent: RecentSpeechCounts
  run: UninterruptedSpeech | null
  question: UnansweredQuestion | null
  /** Number of human participants; null if it is not known. */
  participantCount: number | null
}

/** The counts of one utterance, without its text. */
type SpeechEntry = {
  number: number
  speaker: string
  at: number
  words: number
  fillers: number
  /** The words of the same speaker's previous utterance, and the time from its start to this start; 0 if not usable. */
  measuredWords: number
  measuredMs: number
}

type SpeechTotals = { words: number; fillers: number; measuredMs: number; utterances: number }
/** `name` is one string that all entries of the speaker share, to save memory. */
type SpeakerTotals = SpeechTotals & { name: string }

/** The utterances of the last minutes, with totals per speaker. */
export type RecentSpeechCounts = ReturnType<typeof createRecentSpeech>

/** The limit of remembered utterances. A real conversation has fewer. It bounds memory if a source floods the coach. */
const MAX_ENTRIES = 200
const MAX_SPEAKERS = 30
export const MAX_INSIGHT_SEGMENTS = 20
/** No one speaks this fast. Above this rate several segments got the same start time, so no duration is measured. */
const FASTEST_WORDS_PER_MS = 10 / 1000
/** The duration of an utterance with at most this many words is used even if the speech seems too fast. */
const BURST_WORDS = 5

const NO_SPEECH: SpeechTotals = { words: 0, fillers: 0, measuredMs: 0, utterances: 0 }

/** A segment prepared for the coach's rules. */
export type CoachUtterance = {
  number: number
  /** The speaker's name on one line and shortened; empty if the speaker is not known. */
  speaker: string
  /** The text of the segment, cut to a maximum length. */
  text: string
  words: number
  startedAt: number
  /** When the coach received the segment, in monotonic time. */
  at: number
}

const MAX_UTTERANCE_CHARS = 4_000

export function createConversationState(thresholds: CoachThresholds): ConversationState {
  return {
    last: null,
    recent: createRecentSpeech(thresholds.windowMs),
    run: null,
    question: null,
    participantCount: null,
  }
}

export function addUtterance(
  conversation: ConversationState,
  utterance: CoachUtterance,
  thresholds: CoachThresholds,
): void {
  conversation.last = utterance
  conversation.recent.add(utterance, countFillers(utterance.text))
  conversation.run = nextRun(conversation.run, utterance, thresholds)
  conversation.question = nextQuestion(conversation.question, utterance, thresholds)
}

function nextRun(
  run: UninterruptedSpeech | null,
  { number, speaker, words, at }: CoachUtterance,
  { monologuePauseMs }: CoachThresholds,
): UninterruptedSpeech {
  const continues = run !== null && run.speaker === speaker && at - run.lastAt < monologuePauseMs
  if (!continues) {
    return {
      speaker,
      words,
      firstSegmentNumber: number,
      segmentNumbers: [number],
      startedAt: at,
      lastAt: at,
    }
  }
  run.words += words
  run.lastAt = at
  run.segmentNumbers.push(number)
  if (run.segmentNumbers.length > MAX_INSIGHT_SEGMENTS) run.segmentNumbers.shift()
  return run
}

function nextQuestion(
  question: UnansweredQuestion | null,
  utterance: CoachUtterance,
  { minQuestionWords, maxSelfAnswerWords }: CoachThresholds,
): UnansweredQuestion | null {
  const isSameSpeaker = utterance.speaker !== '' && question?.speaker === utterance.speaker
  if (question !== null && isSameSpeaker) {
    question.wordsSince += utterance.words
    if (question.wordsSince <= maxSelfAnswerWords) return question
  }
  const asked = findLastQuestionAndWordsAfter(utterance.text, minQuestionWords)
  if (asked === null || asked.wordsAfter > maxSelfAnswerWords) return null
  return {
    number: utterance.number,
    speaker: utterance.speaker,
    quote: copySubstringToFreeOriginal(quoteText(asked.text)),
    askedAt: utterance.at,
    wordsSince: asked.wordsAfter,
  }
}

function createRecentSpeech(windowMs: number) {
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
    add(utterance: CoachUtterance, fillers: number) {
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
    /** The recent utterances, oldest first. */
    entries: () => entries,
    /** Number of words that all speakers said recently. */
    wordCount: () => words,
    /** Number of speakers whose name is known. */
    speakerCount: () => totals.size - (totals.has('') ? 1 : 0),
    totalsOf: (speaker: string) => totals.get(speaker) ?? NO_SPEECH,
    /** Numbers of a speaker's newest segments, oldest first. An insight about the speaker is based on them. */
    segmentNumbersOf: (speaker: string): number[] =>
      entries
        .filter((entry) => entry.speaker === speaker)
        .slice(-MAX_INSIGHT_SEGMENTS)
        .map(({ number }) => number),
  }
}

/**
 * Only start times are known. The time between two consecutive starts of one speaker contains the first utterance and
 * possibly a pause, so a rate computed from it is never too high.
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

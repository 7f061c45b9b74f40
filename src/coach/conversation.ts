import { createRecentSpeech, MAX_SEGMENT_NUMBERS, type RecentSpeech } from './recent-speech.ts'
import { countFillers } from './text/filler-words.ts'
import type { CoachThresholds } from './coach-thresholds.ts'
import { findLastQuestion } from './text/sentences.ts'
import type { CoachUtterance } from './utterance.ts'
import { copyString, quoteText } from './text/display-text.ts'

/** Somebody speaking with nobody in between. */
export type SpeakerRun = {
  speaker: string
  words: number
  /** Tells this run from others, also after a restart that forgot its beginning. */
  firstSegmentNumber: number
  /** The newest ones. */
  segmentNumbers: number[]
  startedAt: number
  lastAt: number
}

/** A question that nobody has answered yet. */
export type OpenQuestion = {
  number: number
  speaker: string
  quote: string
  askedAt: number
  wordsSince: number
}

/** What is remembered of a meeting; its size does not depend on how long that lasts. */
export type ConversationState = {
  last: CoachUtterance | null
  recent: RecentSpeech
  run: SpeakerRun | null
  question: OpenQuestion | null
  /** How many people are present; null while nobody knows. */
  participantCount: number | null
}

export function createConversationState(rules: CoachThresholds): ConversationState {
  return {
    last: null,
    recent: createRecentSpeech(rules.windowMs),
    run: null,
    question: null,
    participantCount: null,
  }
}

export function addUtterance(
  room: ConversationState,
  said: CoachUtterance,
  rules: CoachThresholds,
): void {
  room.last = said
  room.recent.add(said, countFillers(said.text))
  room.run = nextRun(room.run, said, rules)
  room.question = nextQuestion(room.question, said, rules)
}

function nextRun(run: SpeakerRun | null, said: CoachUtterance, rules: CoachThresholds): SpeakerRun {
  const { number, speaker, words, at } = said
  const goesOn = run !== null && run.speaker === speaker && at - run.lastAt < rules.monologuePauseMs
  if (!goesOn) {
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
  if (run.segmentNumbers.length > MAX_SEGMENT_NUMBERS) run.segmentNumbers.shift()
  return run
}

function nextQuestion(
  question: OpenQuestion | null,
  said: CoachUtterance,
  rules: CoachThresholds,
): OpenQuestion | null {
  const isSameSpeaker = said.speaker !== '' && question?.speaker === said.speaker
  if (question !== null && isSameSpeaker) {
    question.wordsSince += said.words
    if (question.wordsSince <= rules.maxSelfAnswerWords) return question
  }
  const asked = findLastQuestion(said.text, rules.minQuestionWords)
  if (asked === null || asked.wordsAfter > rules.maxSelfAnswerWords) return null
  return {
    number: said.number,
    speaker: said.speaker,
    quote: copyString(quoteText(asked.text)),
    askedAt: said.at,
    wordsSince: asked.wordsAfter,
  }
}

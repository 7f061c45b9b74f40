import {
  createRecentSpeech,
  MAX_INSIGHT_SEGMENTS,
  type RecentSpeechCounts,
} from './recent-speech.ts'
import { countFillers } from '../text/filler-words.ts'
import type { CoachThresholds } from '../coach-thresholds.ts'
import { findLastQuestionAndWordsAfter } from '../text/sentences.ts'
import type { CoachUtterance } from './utterance.ts'
import { copySubstringToFreeOriginal } from '../../lib/text/plain-line.ts'
import { quoteText } from '../text/display-text.ts'

/** Uninterrupted speech of one speaker. */
export type UninterruptedSpeech = {
  speaker: string
  words: number
  /** Identifies the run, also when a restarted bot knows only a later part of it. */
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

/** What the coach remembers of a meeting. Its size is bounded, no matter how long the meeting lasts. */
export type ConversationState = {
  last: CoachUtterance | null
  recent: RecentSpeechCounts
  run: UninterruptedSpeech | null
  question: UnansweredQuestion | null
  /** Number of human participants; null when it is not known. */
  participantCount: number | null
}

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

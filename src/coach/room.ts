import { createRecent, MOST_NUMBERS, type Recent } from './recent.ts'
import { fillersIn } from './fillers.ts'
import type { CoachRules } from './rules.ts'
import { lastQuestion } from './sentences.ts'
import type { Utterance } from './utterance.ts'
import { owned, quote } from './wording.ts'

/** Somebody speaking with nobody in between. */
export type Run = {
  speaker: string
  words: number
  /** Tells this run from others, also after a restart that forgot its beginning. */
  firstNumber: number
  /** The newest ones. */
  numbers: number[]
  startedAt: number
  lastAt: number
}

/** A question that nobody has answered yet. */
export type Question = {
  number: number
  speaker: string
  quote: string
  askedAt: number
  wordsSince: number
}

/** What is remembered of a meeting; its size does not depend on how long that lasts. */
export type Room = {
  last: Utterance | null
  recent: Recent
  run: Run | null
  question: Question | null
  /** How many people are present; null while nobody knows. */
  present: number | null
}

export function createRoom(rules: CoachRules): Room {
  return {
    last: null,
    recent: createRecent(rules.windowMs),
    run: null,
    question: null,
    present: null,
  }
}

export function remember(room: Room, said: Utterance, rules: CoachRules): void {
  room.last = said
  room.recent.add(said, fillersIn(said.text))
  room.run = nextRun(room.run, said, rules)
  room.question = nextQuestion(room.question, said, rules)
}

function nextRun(run: Run | null, said: Utterance, rules: CoachRules): Run {
  const { number, speaker, words, at } = said
  const goesOn = run !== null && run.speaker === speaker && at - run.lastAt < rules.monologuePauseMs
  if (!goesOn) {
    return { speaker, words, firstNumber: number, numbers: [number], startedAt: at, lastAt: at }
  }
  run.words += words
  run.lastAt = at
  run.numbers.push(number)
  if (run.numbers.length > MOST_NUMBERS) run.numbers.shift()
  return run
}

function nextQuestion(
  question: Question | null,
  said: Utterance,
  rules: CoachRules,
): Question | null {
  const isSameSpeaker = said.speaker !== '' && question?.speaker === said.speaker
  if (question !== null && isSameSpeaker) {
    question.wordsSince += said.words
    if (question.wordsSince <= rules.selfAnswerWords) return question
  }
  const asked = lastQuestion(said.text, rules.questionWords)
  if (asked === null || asked.wordsAfter > rules.selfAnswerWords) return null
  return {
    number: said.number,
    speaker: said.speaker,
    quote: owned(quote(asked.text)),
    askedAt: said.at,
    wordsSince: asked.wordsAfter,
  }
}

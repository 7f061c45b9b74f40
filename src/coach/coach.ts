/** All insight categories. An engine may use only some of them. */
export const INSIGHT_CATEGORIES = [
  'talk_balance',
  'monologue',
  'pace',
  'filler',
  'silence',
  'unanswered_question',
  'action_item',
  'deadline',
  'decision',
  'risk',
  'objection',
  'question_to_ask',
  'summary',
] as const
export type InsightCategory = (typeof INSIGHT_CATEGORIES)[number]

export const INSIGHT_SEVERITIES = ['info', 'nudge', 'warning'] as const
export type InsightSeverity = (typeof INSIGHT_SEVERITIES)[number]

/** An insight comes from the coach's rules or from a language model. */
export const INSIGHT_ENGINES = ['rules', 'llm'] as const
export type InsightEngine = (typeof INSIGHT_ENGINES)[number]

/** A final segment of the transcript, as the coach receives it. */
export type CoachSegment = {
  /** Numbers increase within a meeting. The coach ignores a segment that it has already received. */
  number: number
  /** Empty if the speaker is not known. */
  speaker: string
  text: string
  /** When the segment began, in milliseconds since the epoch. */
  startedAt: number
}

export const MAX_INSIGHT_TITLE_CHARS = 80
export const MAX_INSIGHT_TEXT_CHARS = 400

/** Something the coach noticed. Title and text are one line of plain text. Escape them in Markdown and HTML. */
export type Insight = {
  category: InsightCategory
  severity: InsightSeverity
  /** Heading of the insight: a few words, at most 80 characters. */
  title: string
  /** The insight as one sentence for people, at most 400 characters. */
  text: string
  /** The speaker that the insight is about; null if there is none, or if the speaker is not known. */
  speaker: string | null
  /** The segments that the insight is based on; never empty, oldest first. */
  segmentNumbers: number[]
}

/** An insight that an earlier bot of the meeting stored. */
export type PastInsight = { category: InsightCategory; speaker: string | null; at: number }

/** Finds insights in the segments of one meeting. Times are milliseconds of the wall clock, which may be set back. */
export interface Coach {
  addSegments(segments: readonly CoachSegment[], now: number): Insight[]
  /** Sets the names of the human participants who are present; empty if they are not known. */
  setParticipants(names: readonly string[]): void
  /** Returns insights that are due only because time has passed. */
  tick(now: number): Insight[]
  /** The earliest time at which `tick` can return an insight; null if there is none. Every other call can change it. */
  nextTickAt(): number | null
}

/**
 * The limits at which the coach's rules report something. Times are in milliseconds. Captions have no durations, so
 * speech is measured in words.
 */
export type CoachThresholds = typeof COACH_THRESHOLDS

export const COACH_THRESHOLDS = {
  /** Talk shares and filler rates are computed over this much recent time. */
  windowMs: 300_000,

  /** A speaker who says this many words without interruption gets a monologue nudge. */
  monologueWords: 250,
  /** A pause of this length ends a monologue, because others had the chance to speak. */
  monologuePauseMs: 120_000,

  /** A speaker with more than this share of the recent words gets a talk balance nudge. */
  maxTalkShare: 0.6,
  /** Talk balance is checked only if at least this many people spoke. */
  minBalanceSpeakers: 3,
  /** Talk balance is checked only after this many words, because the first speaker starts with all of them. */
  minBalanceWords: 300,

  /** A question without an answer is reported after this time. */
  answerWaitMs: 60_000,
  /** A question with fewer words than this ("Really?") needs no answer and is not reported. */
  minQuestionWords: 3,
  /** A speaker who says more words than this after asking has answered or dropped the question. */
  maxSelfAnswerWords: 40,

  maxWordsPerMinute: 180,
  /** The pace is checked only after this much speech of known duration. */
  minMeasuredMs: 120_000,

  maxFillerShare: 0.06,
  /** A speaker's filler share is checked only after this many words. */
  minFillerWords: 150,

  /** Shortest time between two nudges. Records (decisions, action items) are not delayed. */
  nudgeGapMs: 20_000,
  /** Shortest time between two nudges of the same category for the same speaker. */
  repeatNudgeMs: 300_000,
  maxInsights: 40,
  /** Maximum number of nudges per meeting. It is lower than `maxInsights`, so that records can still be reported. */
  maxNudges: 20,
}

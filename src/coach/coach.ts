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

/** What produced an insight: the rules of the coach, or a language model. */
export const INSIGHT_ENGINES = ['rules', 'llm'] as const
export type InsightEngine = (typeof INSIGHT_ENGINES)[number]

/** A final segment of the transcript, as the coach receives it. */
export type CoachSegment = {
  /** Number of the segment in its meeting, in increasing order. The coach ignores a segment it has already received. */
  number: number
  /** Empty when the speaker is not known. */
  speaker: string
  text: string
  /** When the segment began, in milliseconds since the epoch. */
  startedAt: number
}

/**
 * Something the coach noticed in a meeting. Title and text are plain text on one line and must be escaped in Markdown
 * and HTML.
 */
export type Insight = {
  category: InsightCategory
  severity: InsightSeverity
  /** Heading of the insight: a few words, at most 80 characters. */
  title: string
  /** The insight in one sentence that people read, at most 400 characters. */
  text: string
  /** The speaker the insight is about; null when it is about no one in particular or the speaker is not known. */
  speaker: string | null
  /** The segments the insight is based on; never empty, oldest first. */
  segmentNumbers: number[]
}

/** An insight that an earlier bot of the meeting stored. */
export type PastInsight = { category: InsightCategory; speaker: string | null; at: number }

/** Finds insights in the segments of one meeting. Times are in milliseconds of the wall clock, which may be set back. */
export interface Coach {
  addSegments(segments: readonly CoachSegment[], now: number): Insight[]
  /** Names of the human participants present now; empty when they are not known. */
  setParticipants(names: readonly string[]): void
  /** Returns the insights that are due only because time has passed. */
  tick(now: number): Insight[]
  /** The earliest time at which `tick` can return an insight, or null. Every other call can change it. */
  nextTickAt(): number | null
}

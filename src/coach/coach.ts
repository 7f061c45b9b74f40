/** What an insight can be about. One list for every engine; no engine needs to know them all. */
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

/** Who says it: the rules of this folder, or a language model. */
export const INSIGHT_ENGINES = ['rules', 'llm'] as const
export type InsightEngine = (typeof INSIGHT_ENGINES)[number]

/** A finalized segment as the coach hears it. */
export type CoachSegment = {
  /** Grows from segment to segment; a number heard before is not heard again. */
  number: number
  /** Empty when nobody knows who spoke. */
  speaker: string
  text: string
  /** Milliseconds. */
  startedAt: number
}

/** Plain text on one line: whoever puts it into a document or a page escapes it. */
export type Insight = {
  category: InsightCategory
  severity: InsightSeverity
  /** A few words, at most 80 characters. */
  title: string
  /** A sentence for a person, at most 400 characters. */
  text: string
  /** Whom it is about, or null when that is nobody or not known. */
  speaker: string | null
  /** What it rests on: never empty, oldest first. */
  segmentNumbers: number[]
}

/** An insight of before a restart. */
export type PastInsight = { category: InsightCategory; speaker: string | null; at: number }

/** Listens to one meeting. Times are milliseconds of one clock, which may be set back. */
export interface Coach {
  addSegments(segments: readonly CoachSegment[], now: number): Insight[]
  /** Names of the humans present now; none means that it is not known. */
  setParticipants(names: readonly string[]): void
  /** Time has passed. */
  tick(now: number): Insight[]
  /** When the next tick can say something, or null. Any other call may change it. */
  nextTickAt(): number | null
}

import type { RecapSectionName } from './template.ts'

/** A final segment of the transcript. Times are in milliseconds since the start of the meeting. */
export type RecapSegment = {
  number: number
  /** Empty if the speaker is unknown. */
  speaker: string
  text: string
  startMs: number
  endMs: number
}

/** A finished meeting, as the recap reads it. */
export type RecapSource = {
  startedAt: Date
  /** IANA name of the time zone in which people said "tomorrow". UTC if it is null or unknown. */
  timeZone: string | null
  /** Language tag that the meeting was started with. Used if too little was said to detect the language. */
  languageHint: string | null
  participants: readonly string[]
  /** In the order in which they were spoken. */
  segments: readonly RecapSegment[]
}

export const RECAP_METHODS = ['rules', 'model'] as const
export type RecapMethod = (typeof RECAP_METHODS)[number]

/**
 * What a meeting was about. All texts are plain text on one line, and must be escaped in Markdown and HTML. Every
 * `segmentNumbers` has at least one number, in increasing order.
 */
export type Recap = {
  /** Language tag such as `en`; null if unknown. */
  language: string | null
  method: RecapMethod
  /** A few words about the meeting. Null or absent by rules and in recaps of older versions. */
  title?: string | null
  /** The tag of the language that the texts are written in. Absent by rules, which quote; null if unknown. */
  writtenLanguage?: string | null
  /** The sections that it was made with, in this order. Absent in recaps of older versions, which have all. */
  sections?: readonly RecapSectionName[]
  /** Three to eight sentences (fewer if little was said), in the order in which they were spoken. */
  summary: RecapSummarySentence[]
  decisions: RecapDecision[]
  actions: RecapAction[]
  openQuestions: RecapStatement[]
  topics: RecapTopic[]
  /** How much of the meeting was read. A very long meeting is sampled. */
  coverage: { segmentsRead: number; segmentsTotal: number }
}

/** The parts of a recap that are stored together. Action items have their own rows, because people change them. */
export type RecapContent = Omit<Recap, 'method' | 'actions'>

export type RecapSummarySentence = { text: string; segmentNumbers: number[] }

export type RecapStatement = {
  text: string
  /** Null if the speaker is unknown. */
  speaker: string | null
  segmentNumbers: number[]
}

export type RecapDecision = RecapStatement & {
  /** Why it was decided. Null or absent if nobody said it, and by rules. */
  reason?: string | null
}

export type RecapAction = {
  text: string
  /** Full name of the person who does it. Null if nobody was named, or if nobody in the meeting has the name. */
  owner: string | null
  /** The words that name the due date. */
  dueText: string | null
  /** The due date, as `2026-11-18` in the meeting's time zone. */
  dueDate: string | null
  segmentNumbers: number[]
}

export type RecapTopic = {
  title: string
  startMs: number
  endMs: number
  firstSegmentNumber: number
  lastSegmentNumber: number
}

/**
 * The limits of a recap, however it is made. More or longer entries would help nobody, and what people or a model say
 * must not fill the database.
 */

/** The maximum for each of decisions, actions, open questions and topics. */
export const MAX_ENTRIES = 100
/** The maximum number of segments that one entry cites. */
export const MAX_CITATIONS = 50
export const MAX_TEXT_CHARS = 400
export const MAX_DUE_CHARS = 60
export const MAX_TITLE_CHARS = 80

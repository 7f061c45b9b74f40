/**
 * Limits from which the coach's rules report something. Times are in milliseconds. Captions have no durations, so speech
 * is counted in words.
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
  /** Talk balance is checked only when at least this many people spoke. */
  minBalanceSpeakers: 3,
  /** Talk balance is checked only after this many words, because the first speaker of a meeting starts with all of them. */
  minBalanceWords: 300,

  /** A question without an answer after this time is reported. */
  answerWaitMs: 60_000,
  /** A question with fewer words than this ("Really?") needs no answer and is not reported. */
  minQuestionWords: 3,
  /** A speaker who says more words than this after asking has answered or dropped the question. */
  maxSelfAnswerWords: 40,

  maxWordsPerMinute: 180,
  /** The pace is checked only after this much speech of known duration. */
  minMeasuredMs: 120_000,

  maxFillerShare: 0.06,
  /** The filler share is checked only after this many words of a speaker. */
  minFillerWords: 150,

  /** Shortest time between two nudges. Records (decisions, action items) are not delayed. */
  nudgeGapMs: 20_000,
  /** Shortest time between two nudges of the same category for the same speaker. */
  repeatNudgeMs: 300_000,
  /** Maximum number of insights per meeting. */
  maxInsights: 40,
  /** Maximum number of nudges per meeting. It is lower than `maxInsights`, so that records can still be reported. */
  maxNudges: 20,
}

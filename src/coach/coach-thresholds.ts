/** When the rules speak. Times in milliseconds. Words instead of seconds, as captions have no durations. */
export type CoachThresholds = typeof COACH_THRESHOLDS

export const COACH_THRESHOLDS = {
  /** How far back shares and rates look. */
  windowMs: 300_000,

  /** So many words of one speaker, with nobody else in between … */
  monologueWords: 250,
  /** … and no such pause either: then everybody had the chance to speak. */
  monologuePauseMs: 120_000,

  /** More than this share of the words of the window … */
  maxTalkShare: 0.6,
  /** … while so many people spoke … */
  minBalanceSpeakers: 3,
  /** … and so much was said: whoever opens a meeting has all of its first words. */
  minBalanceWords: 300,

  /** A question waits so long for an answer. */
  answerWaitMs: 60_000,
  /** Shorter ones ("Really?") ask for nothing. */
  minQuestionWords: 3,
  /** Who goes on for more words than this has answered the question or dropped it. */
  maxSelfAnswerWords: 40,

  maxWordsPerMinute: 180,
  /** So much speech must have been measured. */
  minMeasuredMs: 120_000,

  maxFillerShare: 0.06,
  /** A share of fewer words says nothing about a habit. */
  minFillerWords: 150,

  /** Between two nudges. What was decided or taken on is reported whenever it is said. */
  nudgeGapMs: 20_000,
  /** Before a nudge of the same category for the same speaker. */
  repeatNudgeMs: 300_000,
  /** Insights for one meeting … */
  maxInsights: 40,
  /** … of which so many are nudges, so that they leave room for what was decided. */
  maxNudges: 20,
}

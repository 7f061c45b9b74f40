import type { InsightCategory, InsightSeverity, CoachThresholds } from '../coach.ts'
import type { ConversationState } from '../conversation.ts'
import type { NudgeOrRecord } from '../insight-limiter.ts'

export type RuleFinding = {
  /** The speaker that the finding is about; empty if the speaker is not known. */
  speaker: string
  title: string
  text: string
  segmentNumbers: number[]
  /** A rule's findings with the same key are reported only once; null if only time limits repetition. */
  key: string | null
}

/** One rule of the coach. It reads the conversation state and does not change it. */
export type CoachRule = {
  category: InsightCategory
  severity: InsightSeverity
  kind: NudgeOrRecord
  /** True if the rule matches English words. Such rules are skipped in other languages. */
  needsEnglish: boolean
  /**
   * Findings that apply after the latest utterance, or after time has passed. A nudge is returned as long as it
   * applies; the insight limiter decides whether it is reported.
   */
  find(conversation: ConversationState, thresholds: CoachThresholds, now: number): RuleFinding[]
  /** For a rule that can apply because time passes: the next finding and when it is due. */
  nextDue?(
    conversation: ConversationState,
    thresholds: CoachThresholds,
  ): { speaker: string; key: string; dueAt: number } | null
}

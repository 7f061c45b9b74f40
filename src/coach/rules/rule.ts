import type { InsightCategory, InsightSeverity } from '../coach.ts'
import type { InsightKind } from '../insight-limiter.ts'
import type { ConversationState } from '../conversation.ts'
import type { CoachThresholds } from '../coach-thresholds.ts'

export type RuleFinding = {
  /** Whom it is about; empty for nobody. */
  speaker: string
  title: string
  text: string
  segmentNumbers: number[]
  /** What must not be said twice, or null when time alone decides that. */
  key: string | null
}

/** One thing the engine listens for. It looks at the room and changes nothing. */
export type CoachRule = {
  category: InsightCategory
  severity: InsightSeverity
  kind: InsightKind
  /** Whether it rests on English words rather than on counting. */
  needsEnglish: boolean
  /**
   * What holds after the latest utterance, or after time has passed. A nudge is found as long as it holds:
   * whether it is said is not for the rule to decide.
   */
  find(room: ConversationState, rules: CoachThresholds, now: number): RuleFinding[]
  /** For a rule that time alone can make true: whom it concerns, and when. */
  nextDue?(
    room: ConversationState,
    rules: CoachThresholds,
  ): { speaker: string; key: string; dueAt: number } | null
}

import type { InsightCategory, InsightSeverity } from '../coach.ts'
import type { Kind } from '../gate.ts'
import type { Room } from '../room.ts'
import type { CoachRules } from '../rules.ts'

export type Finding = {
  /** Whom it is about; empty for nobody. */
  speaker: string
  title: string
  text: string
  segmentNumbers: number[]
  /** What must not be said twice, or null when time alone decides that. */
  key: string | null
}

/** One thing the engine listens for. It looks at the room and changes nothing. */
export type Rule = {
  category: InsightCategory
  severity: InsightSeverity
  kind: Kind
  /** Whether it rests on English words rather than on counting. */
  needsEnglish: boolean
  /**
   * What holds after the latest utterance, or after time has passed. A nudge is found as long as it holds:
   * whether it is said is not for the rule to decide.
   */
  find(room: Room, rules: CoachRules, now: number): Finding[]
  /** For a rule that time alone can make true: whom it concerns, and when. */
  waits?(room: Room, rules: CoachRules): { speaker: string; key: string; dueAt: number } | null
}

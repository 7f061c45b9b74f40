import { actionItem } from './action-item.ts'
import { decision } from './decision.ts'
import { filler } from './filler.ts'
import { monologue } from './monologue.ts'
import { objection } from './objection.ts'
import { pace } from './pace.ts'
import { risk } from './risk.ts'
import type { CoachRule } from './rule.ts'
import { talkBalance } from './talk-balance.ts'
import { unansweredQuestion } from './unanswered-question.ts'

/** Most important first, because only the first of several simultaneous nudges is reported. */
export const ALL_COACH_RULES: readonly CoachRule[] = [
  decision,
  actionItem,
  risk,
  objection,
  unansweredQuestion,
  monologue,
  talkBalance,
  pace,
  filler,
]

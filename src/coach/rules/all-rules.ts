import { actionItemRule } from './action-item.ts'
import { decisionRule } from './decision.ts'
import { fillerRule } from './filler.ts'
import { monologueRule } from './monologue.ts'
import { objectionRule } from './objection.ts'
import { paceRule } from './pace.ts'
import { riskRule } from './risk.ts'
import type { CoachRule } from './rule.ts'
import { recentWordShareRule } from './talk-balance.ts'
import { unansweredQuestionRule } from './unanswered-question.ts'

/** Most important first, because only the first of several simultaneous nudges is reported. */
export const ALL_COACH_RULES: readonly CoachRule[] = [
  decisionRule,
  actionItemRule,
  riskRule,
  objectionRule,
  unansweredQuestionRule,
  monologueRule,
  recentWordShareRule,
  paceRule,
  fillerRule,
]

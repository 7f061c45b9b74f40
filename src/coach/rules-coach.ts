import {
  type Coach,
  type CoachSegment,
  type Insight,
  type InsightCategory,
  type PastInsight,
  COACH_THRESHOLDS,
  type CoachThresholds,
  MAX_INSIGHT_TEXT_CHARS,
  MAX_INSIGHT_TITLE_CHARS,
} from './coach.ts'
import {
  createConversationState,
  addUtterance,
  toCoachUtterance,
  type CoachUtterance,
} from './conversation.ts'
import { createInsightLimiter, type InsightLimiter } from './insight-limiter.ts'
import type { RuleFinding, CoachRule } from './rules/rule.ts'
import {
  fillerRule,
  monologueRule,
  paceRule,
  recentWordShareRule,
  unansweredQuestionRule,
} from './rules/speaking.ts'
import { actionItemRule, decisionRule, objectionRule, riskRule } from './rules/statements.ts'
import { shortenToOneLine } from '../language/clean-text.ts'
import { createEnglishDetector } from '../language/detect-language.ts'

/** What earlier bots of the meeting stored: its latest segments, oldest first, and all insights. */
export type CoachHistory = { segments: readonly CoachSegment[]; insights: readonly PastInsight[] }

export type RulesCoachOptions = {
  thresholds?: Partial<CoachThresholds>
  history?: CoachHistory
  /** Shared with the model coach. The rules coach restores the history into it. */
  limiter?: InsightLimiter
}

/** Most important first, because only the first of several simultaneous nudges is reported. */
const ALL_COACH_RULES: readonly CoachRule[] = [
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

const RECORD_RULES = ALL_COACH_RULES.filter(({ kind }) => kind === 'record')
const TIMED_RULES = ALL_COACH_RULES.filter(({ nextDue }) => nextDue !== undefined)
/** The assumed duration of a word and the longest segment, for estimating when a restored segment ended. */
const MS_PER_WORD = 400
const MAX_SEGMENT_MS = 30_000

/** A coach that counts words and matches patterns. The same input always gives the same insights. */
export function createRulesCoach(options: RulesCoachOptions = {}): Coach {
  const thresholds = { ...COACH_THRESHOLDS, ...options.thresholds }
  const conversation = createConversationState(thresholds)
  const limiter = options.limiter ?? createInsightLimiter(thresholds)
  const { clock } = limiter
  const language = createEnglishDetector()

  /** Returns false for a segment that was already added. */
  function addNewUtterance(utterance: CoachUtterance): boolean {
    if (conversation.last !== null && utterance.number <= conversation.last.number) return false
    language.addText(utterance.text)
    addUtterance(conversation, utterance, thresholds)
    return true
  }

  function applyRules(rules: readonly CoachRule[], now: number): Insight[] {
    return rules
      .filter(({ needsEnglish }) => !needsEnglish || language.isEnglish())
      .flatMap((rule) =>
        rule
          .find(conversation, thresholds, now)
          .filter(({ speaker, key }) => limiter.admit({ ...rule, speaker, key }, now))
          .map((finding) => toInsight(rule, finding)),
      )
  }

  function resume({ segments, insights }: CoachHistory): void {
    let at = Number.NEGATIVE_INFINITY
    for (const segment of segments) {
      const utterance = toCoachUtterance(segment, 0)
      const durationMs = Math.min(utterance.words * MS_PER_WORD, MAX_SEGMENT_MS)
      at = Math.max(at, Math.floor(utterance.startedAt + durationMs))
      if (addNewUtterance({ ...utterance, at })) restoreRecords(at)
    }
    for (const past of insights) limiter.restoreInsight(past)
    // Only stored times advance the clock. An estimate ahead of the real time would look as if the clock was set back.
    const known = [...segments.map(({ startedAt }) => startedAt), ...insights.map(({ at }) => at)]
    if (known.length > 0) clock.advance(Math.max(...known))
    restoreOpenNudges(segments, insights)
  }

  /** Marks the records of the latest utterance as reported, because the earlier bot reported them. */
  function restoreRecords(now: number): void {
    for (const rule of RECORD_RULES) {
      for (const { key } of rule.find(conversation, thresholds, now)) {
        if (key !== null) limiter.restoreKey(rule.category, key)
      }
    }
  }

  /** Marks the nudges that the earlier bot reported and that still apply. */
  function restoreOpenNudges(
    [first]: readonly CoachSegment[],
    insights: readonly PastInsight[],
  ): void {
    const { run, question } = conversation
    const wasReported = (category: InsightCategory, speaker: string, since: number) =>
      insights.some(
        (past) =>
          past.category === category && (past.speaker ?? '') === speaker && past.at >= since,
      )
    if (run !== null) {
      // If the run begins with the first restored segment, its start is not known, so any earlier nudge is accepted.
      const since =
        run.firstSegmentNumber === first?.number ? Number.NEGATIVE_INFINITY : run.startedAt
      if (wasReported('monologue', run.speaker, since)) {
        limiter.restoreKey('monologue', String(run.firstSegmentNumber))
      }
    }
    if (
      question !== null &&
      wasReported('unanswered_question', question.speaker, question.askedAt)
    ) {
      limiter.restoreKey('unanswered_question', String(question.number))
    }
  }

  if (options.history !== undefined) resume(options.history)

  return {
    addSegments(segments, sourceNow) {
      const now = clock.advance(sourceNow)
      return segments.flatMap((segment) =>
        addNewUtterance(toCoachUtterance(segment, now)) ? applyRules(ALL_COACH_RULES, now) : [],
      )
    },
    setParticipants(names) {
      conversation.participantCount = names.length === 0 ? null : names.length
    },
    tick: (sourceNow) => applyRules(TIMED_RULES, clock.advance(sourceNow)),
    nextTickAt() {
      let soonest = Infinity
      for (const rule of TIMED_RULES) {
        const next = rule.nextDue?.(conversation, thresholds) ?? null
        if (next === null) continue
        const at = Math.max(next.dueAt, limiter.allowedAt({ ...rule, ...next }))
        soonest = Math.min(soonest, at)
      }
      return soonest === Infinity ? null : clock.toSourceTime(soonest)
    },
  }
}

function toInsight({ category, severity }: CoachRule, finding: RuleFinding): Insight {
  return {
    category,
    severity,
    title: shortenToOneLine(finding.title, MAX_INSIGHT_TITLE_CHARS),
    text: shortenToOneLine(finding.text, MAX_INSIGHT_TEXT_CHARS),
    speaker: finding.speaker === '' ? null : finding.speaker,
    segmentNumbers: finding.segmentNumbers,
  }
}

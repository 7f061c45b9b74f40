import type { Coach, CoachSegment, Insight, InsightCategory, PastInsight } from './coach.ts'
import { createInsightLimiter, type InsightLimiter } from './insight-limiter.ts'
import { createLanguageDetector } from './text/language-detector.ts'
import { createConversationState, addUtterance } from './conversation.ts'
import { COACH_THRESHOLDS, type CoachThresholds } from './coach-thresholds.ts'
import type { RuleFinding, CoachRule } from './rules/rule.ts'
import { ALL_COACH_RULES } from './rules/all-rules.ts'
import { toUtterance, type CoachUtterance } from './utterance.ts'
import { MAX_INSIGHT_TEXT_CHARS, MAX_INSIGHT_TITLE_CHARS, toOneLine } from './text/display-text.ts'

/** What is stored of a meeting that goes on: its latest segments, oldest first, and every insight. */
export type CoachHistory = { segments: readonly CoachSegment[]; insights: readonly PastInsight[] }

export type RulesCoachOptions = {
  thresholds?: Partial<CoachThresholds>
  history?: CoachHistory
  /** Shared with whoever else speaks; it need not know the past yet. */
  limiter?: InsightLimiter
}

const RECORD_RULES = ALL_COACH_RULES.filter(({ kind }) => kind === 'record')
const TIMED_RULES = ALL_COACH_RULES.filter(({ nextDue }) => nextDue !== undefined)
/** How long a word takes, and a segment at most: only to guess when one of before a restart was over. */
const MS_PER_WORD = 400
const MAX_SEGMENT_MS = 30_000

/** A coach that counts and looks for patterns: no model, no chance, the same insights for the same input. */
export function createRulesCoach(options: RulesCoachOptions = {}): Coach {
  const rules = { ...COACH_THRESHOLDS, ...options.thresholds }
  const room = createConversationState(rules)
  const gate = options.limiter ?? createInsightLimiter(rules)
  const { clock } = gate
  const language = createLanguageDetector()

  /** False for a segment that was heard before. */
  function take(said: CoachUtterance): boolean {
    if (room.last !== null && said.number <= room.last.number) return false
    language.addText(said.text)
    addUtterance(room, said, rules)
    return true
  }

  function say(asked: readonly CoachRule[], now: number): Insight[] {
    return asked
      .filter(({ needsEnglish }) => !needsEnglish || language.isEnglish())
      .flatMap((rule) =>
        rule
          .find(room, rules, now)
          .filter(({ speaker, key }) => gate.admit({ ...rule, speaker, key }, now))
          .map((finding) => insightOf(rule, finding)),
      )
  }

  function resume({ segments, insights }: CoachHistory): void {
    let at = Number.NEGATIVE_INFINITY
    for (const heard of segments) {
      const said = toUtterance(heard, 0)
      const lasted = Math.min(said.words * MS_PER_WORD, MAX_SEGMENT_MS)
      at = Math.max(at, Math.floor(said.startedAt + lasted))
      if (take({ ...said, at })) recallRecords(at)
    }
    for (const past of insights) gate.restoreInsight(past)
    // Only times that have been: a guess that runs ahead would look like a clock that was set back.
    const known = [...segments.map(({ startedAt }) => startedAt), ...insights.map(({ at }) => at)]
    if (known.length > 0) clock.advance(Math.max(...known))
    recallOpen(segments, insights)
  }

  function recallRecords(now: number): void {
    for (const rule of RECORD_RULES) {
      for (const { key } of rule.find(room, rules, now)) {
        if (key !== null) gate.restoreKey(rule.category, key)
      }
    }
  }

  /** What still holds but was said already. */
  function recallOpen([first]: readonly CoachSegment[], insights: readonly PastInsight[]): void {
    const { run, question } = room
    const wasSaid = (category: InsightCategory, speaker: string, since: number) =>
      insights.some(
        (past) =>
          past.category === category && (past.speaker ?? '') === speaker && past.at >= since,
      )
    if (run !== null) {
      // A run without a beginning may have been spoken of long ago.
      const since =
        run.firstSegmentNumber === first?.number ? Number.NEGATIVE_INFINITY : run.startedAt
      if (wasSaid('monologue', run.speaker, since)) {
        gate.restoreKey('monologue', String(run.firstSegmentNumber))
      }
    }
    if (question !== null && wasSaid('unanswered_question', question.speaker, question.askedAt)) {
      gate.restoreKey('unanswered_question', String(question.number))
    }
  }

  if (options.history !== undefined) resume(options.history)

  return {
    addSegments(segments, outer) {
      const now = clock.advance(outer)
      return segments.flatMap((heard) =>
        take(toUtterance(heard, now)) ? say(ALL_COACH_RULES, now) : [],
      )
    },
    setParticipants(names) {
      room.participantCount = names.length === 0 ? null : names.length
    },
    tick: (outer) => say(TIMED_RULES, clock.advance(outer)),
    nextTickAt() {
      const times = TIMED_RULES.map((rule) => {
        const waiting = rule.nextDue?.(room, rules) ?? null
        if (waiting === null) return Infinity
        return Math.max(waiting.dueAt, gate.allowedAt({ ...rule, ...waiting }))
      })
      const soonest = Math.min(...times)
      return soonest === Infinity ? null : clock.toSourceTime(soonest)
    },
  }
}

function insightOf({ category, severity }: CoachRule, finding: RuleFinding): Insight {
  return {
    category,
    severity,
    title: toOneLine(finding.title, MAX_INSIGHT_TITLE_CHARS),
    text: toOneLine(finding.text, MAX_INSIGHT_TEXT_CHARS),
    speaker: finding.speaker === '' ? null : finding.speaker,
    segmentNumbers: finding.segmentNumbers,
  }
}

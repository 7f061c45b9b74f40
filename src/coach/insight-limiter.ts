import { createMonotonicClock, type MonotonicClock } from '../lib/time/monotonic-clock.ts'
import type { InsightCategory, PastInsight } from './coach.ts'
import type { CoachThresholds } from './coach-thresholds.ts'

/** What somebody should react to now, or what should be kept in writing. */
export type InsightKind = 'nudge' | 'record'

const RECORD_CATEGORIES: ReadonlySet<InsightCategory> = new Set([
  'decision',
  'deadline',
  'action_item',
])

export function insightKindOf(category: InsightCategory): InsightKind {
  return RECORD_CATEGORIES.has(category) ? 'record' : 'nudge'
}

export type InsightCandidate = {
  category: InsightCategory
  kind: InsightKind
  speaker: string
  /** What must not be said twice, however much time passes. */
  key: string | null
}

/**
 * Keeps the coach from being a nuisance: one for a meeting, whoever speaks in it. Nudges keep their distance from each other, and what is still true
 * when the gap is over is found again then. Records neither wait nor make others wait.
 */
export interface InsightLimiter {
  /** Whose steady times all the others here are. */
  readonly clock: MonotonicClock
  /** Whether it may be said; if so, it counts as said. */
  admit(claim: InsightCandidate, now: number): boolean
  /** When the gate would let such a nudge pass: Infinity for never. */
  allowedAt(claim: InsightCandidate): number
  /** It was said before the restart. */
  restoreInsight(past: PastInsight): void
  restoreKey(category: InsightCategory, key: string): void
}

export function createInsightLimiter(rules: CoachThresholds): InsightLimiter {
  const said = new Set<string>()
  const nudgedAt = new Map<string, number>()
  let lastNudgeAt = Number.NEGATIVE_INFINITY
  let total = 0
  let nudges = 0

  function opensAt({ category, kind, speaker, key }: InsightCandidate): number {
    const isOver = total >= rules.maxInsights || (kind === 'nudge' && nudges >= rules.maxNudges)
    if (isOver || (key !== null && said.has(`${category} ${key}`))) return Infinity
    if (kind === 'record') return Number.NEGATIVE_INFINITY
    const sameAt = nudgedAt.get(`${category} ${speaker}`) ?? Number.NEGATIVE_INFINITY
    return Math.max(lastNudgeAt + rules.nudgeGapMs, sameAt + rules.repeatNudgeMs)
  }
  function count(category: InsightCategory, kind: InsightKind, speaker: string, at: number): void {
    total += 1
    if (kind === 'record') return
    nudges += 1
    lastNudgeAt = Math.max(lastNudgeAt, at)
    const name = `${category} ${speaker}`
    nudgedAt.set(name, Math.max(nudgedAt.get(name) ?? at, at))
  }
  return {
    clock: createMonotonicClock(),
    allowedAt: opensAt,
    admit(claim, now) {
      if (now < opensAt(claim)) return false
      const { category, kind, speaker, key } = claim
      if (key !== null) said.add(`${category} ${key}`)
      count(category, kind, speaker, now)
      return true
    },
    restoreInsight: ({ category, speaker, at }) =>
      count(category, insightKindOf(category), speaker ?? '', at),
    restoreKey: (category, key) => void said.add(`${category} ${key}`),
  }
}

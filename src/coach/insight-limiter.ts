import { createMonotonicTimeConverter, type MonotonicTimeConverter } from '../lib/time/clock.ts'
import type { InsightCategory, PastInsight, CoachThresholds } from './coach.ts'

/** A nudge asks participants to react now, and is rate-limited. A record notes a decision, deadline or action item. */
export type NudgeOrRecord = 'nudge' | 'record'

const RECORD_CATEGORIES: ReadonlySet<InsightCategory> = new Set([
  'decision',
  'deadline',
  'action_item',
])

export function classifyAsNudgeOrRecord(category: InsightCategory): NudgeOrRecord {
  return RECORD_CATEGORIES.has(category) ? 'record' : 'nudge'
}

export type InsightCandidate = {
  category: InsightCategory
  kind: NudgeOrRecord
  speaker: string
  /** Of two insights in a category with the same key, only one is reported; null if only time limits them. */
  key: string | null
}

/**
 * Limits how often the coach reports insights. A meeting's rules and model coach share one limiter. A nudge that
 * comes too soon is dropped; its rule finds it again later if it still applies. Records are never delayed, and
 * they delay no nudge.
 */
export interface InsightLimiter {
  /** All times passed to the limiter are times of this clock. */
  readonly clock: MonotonicTimeConverter
  /** Returns true if the insight may be reported, and then counts it. */
  admit(candidate: InsightCandidate, now: number): boolean
  /** The earliest time at which `admit` would accept the insight; Infinity means never. */
  allowedAt(candidate: InsightCandidate): number
  /** Counts an insight that an earlier bot of the meeting reported. */
  restoreInsight(past: PastInsight): void
  /** Marks a key as already reported by an earlier bot of the meeting. */
  restoreKey(category: InsightCategory, key: string): void
}

export function createInsightLimiter(thresholds: CoachThresholds): InsightLimiter {
  const reportedKeys = new Set<string>()
  const nudgedAt = new Map<string, number>()
  let lastNudgeAt = Number.NEGATIVE_INFINITY
  let total = 0
  let nudges = 0

  function allowedAt({ category, kind, speaker, key }: InsightCandidate): number {
    const { maxInsights, maxNudges, nudgeGapMs, repeatNudgeMs } = thresholds
    const isFull = total >= maxInsights || (kind === 'nudge' && nudges >= maxNudges)
    if (isFull || (key !== null && reportedKeys.has(`${category} ${key}`))) return Infinity
    if (kind === 'record') return Number.NEGATIVE_INFINITY
    const sameAt = nudgedAt.get(`${category} ${speaker}`) ?? Number.NEGATIVE_INFINITY
    return Math.max(lastNudgeAt + nudgeGapMs, sameAt + repeatNudgeMs)
  }
  function count(
    category: InsightCategory,
    kind: NudgeOrRecord,
    speaker: string,
    at: number,
  ): void {
    total += 1
    if (kind === 'record') return
    nudges += 1
    lastNudgeAt = Math.max(lastNudgeAt, at)
    const name = `${category} ${speaker}`
    nudgedAt.set(name, Math.max(nudgedAt.get(name) ?? at, at))
  }
  return {
    clock: createMonotonicTimeConverter(),
    allowedAt,
    admit(candidate, now) {
      if (now < allowedAt(candidate)) return false
      const { category, kind, speaker, key } = candidate
      if (key !== null) reportedKeys.add(`${category} ${key}`)
      count(category, kind, speaker, now)
      return true
    },
    restoreInsight: ({ category, speaker, at }) =>
      count(category, classifyAsNudgeOrRecord(category), speaker ?? '', at),
    restoreKey: (category, key) => void reportedKeys.add(`${category} ${key}`),
  }
}

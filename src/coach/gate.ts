import { createSteadyClock, type SteadyClock } from '../lib/steady-clock.ts'
import type { InsightCategory, PastInsight } from './coach.ts'
import type { CoachRules } from './rules.ts'

/** What somebody should react to now, or what should be kept in writing. */
export type Kind = 'nudge' | 'record'

const RECORDS: ReadonlySet<InsightCategory> = new Set(['decision', 'deadline', 'action_item'])

export function kindOf(category: InsightCategory): Kind {
  return RECORDS.has(category) ? 'record' : 'nudge'
}

export type Claim = {
  category: InsightCategory
  kind: Kind
  speaker: string
  /** What must not be said twice, however much time passes. */
  key: string | null
}

/**
 * Keeps the coach from being a nuisance: one for a meeting, whoever speaks in it. Nudges keep their distance from each other, and what is still true
 * when the gap is over is found again then. Records neither wait nor make others wait.
 */
export interface Gate {
  /** Whose steady times all the others here are. */
  readonly clock: SteadyClock
  /** Whether it may be said; if so, it counts as said. */
  admit(claim: Claim, now: number): boolean
  /** When the gate would let such a nudge pass: Infinity for never. */
  opensAt(claim: Claim): number
  /** It was said before the restart. */
  recall(past: PastInsight): void
  recallKey(category: InsightCategory, key: string): void
}

export function createGate(rules: CoachRules): Gate {
  const said = new Set<string>()
  const nudgedAt = new Map<string, number>()
  let lastNudgeAt = Number.NEGATIVE_INFINITY
  let total = 0
  let nudges = 0

  function opensAt({ category, kind, speaker, key }: Claim): number {
    const isOver = total >= rules.most || (kind === 'nudge' && nudges >= rules.mostNudges)
    if (isOver || (key !== null && said.has(`${category} ${key}`))) return Infinity
    if (kind === 'record') return Number.NEGATIVE_INFINITY
    const sameAt = nudgedAt.get(`${category} ${speaker}`) ?? Number.NEGATIVE_INFINITY
    return Math.max(lastNudgeAt + rules.gapMs, sameAt + rules.repeatMs)
  }
  function count(category: InsightCategory, kind: Kind, speaker: string, at: number): void {
    total += 1
    if (kind === 'record') return
    nudges += 1
    lastNudgeAt = Math.max(lastNudgeAt, at)
    const name = `${category} ${speaker}`
    nudgedAt.set(name, Math.max(nudgedAt.get(name) ?? at, at))
  }
  return {
    clock: createSteadyClock(),
    opensAt,
    admit(claim, now) {
      if (now < opensAt(claim)) return false
      const { category, kind, speaker, key } = claim
      if (key !== null) said.add(`${category} ${key}`)
      count(category, kind, speaker, now)
      return true
    },
    recall: ({ category, speaker, at }) => count(category, kindOf(category), speaker ?? '', at),
    recallKey: (category, key) => void said.add(`${category} ${key}`),
  }
}

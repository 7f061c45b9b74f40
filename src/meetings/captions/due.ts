import { cutWithin, sentenceEnds } from './sentences.ts'
import type { SegmentRules } from './rules.ts'
import { bornAt, stableSince } from './timeline.ts'
import type { Turn } from './turn.ts'

/** From `at` on, the first `end` characters of the pending text may become final. */
export type Due = { end: number; at: number }

/** Everything that makes pending text final, as one list: what is due and what to wait for come from the same place. */
export function duesOf(turn: Turn, rules: SegmentRules): Due[] {
  const end = turn.pending.length
  if (end === 0) return []
  return [
    { end, at: turn.changedAt + (turn.isWire ? rules.wireQuietMs : rules.quietMs) },
    ...whenEnded(turn, rules),
    ...whenLong(turn, rules),
  ]
}

/** Another turn has begun, or the row is gone. */
function whenEnded(turn: Turn, rules: SegmentRules): Due[] {
  if (turn.handedOverAt === null && turn.goneAt === null) return []
  const endedAt = Math.max(turn.handedOverAt ?? -Infinity, turn.goneAt ?? -Infinity)
  const wait = turn.isWire ? rules.wireHandoverMs : rules.handoverMs
  return [{ end: turn.pending.length, at: Math.max(endedAt, turn.changedAt) + wait }]
}

/** The speaker goes on: only text that rewrites do not reach any more. */
function whenLong(turn: Turn, rules: SegmentRules): Due[] {
  const { pending, timeline } = turn
  const safe = Math.min(pending.length - rules.unsafeChars, 2 * rules.wordCapChars)
  if (safe <= 0) return []
  const ends = sentenceEnds(pending.slice(0, safe + 1)).filter((end) => end <= safe)
  const sentences = turn.isWire
    ? []
    : ends.map((end) => ({ end, at: stableSince(timeline, end) + rules.sentenceMs }))
  const cap = ends.length > 0 ? rules.sentenceCapChars : rules.wordCapChars
  if (safe > cap) return [...sentences, { end: cutWithin(pending, safe, rules), at: -Infinity }]
  if (ends.length === 0 && safe < rules.unsafeChars) return sentences
  const longAt = bornAt(timeline, 0) + rules.longestMs
  return [...sentences, { end: cutWithin(pending, safe, rules), at: longAt }]
}

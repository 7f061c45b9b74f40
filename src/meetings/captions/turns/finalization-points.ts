import { endsLikeSentence } from '../../../lib/text/sentence-end.ts'
import { findSegmentCut, findSentenceEnds } from '../text/sentence-cuts.ts'
import type { SegmentRules } from '../segment-rules.ts'
import { findAppearanceTime, findLastChangeTime } from '../text/text-timeline.ts'
import type { CaptionTurn } from './turn.ts'

/** A point in a turn's pending text: the first `end` characters may become final at the time `at`. */
export type FinalizationPoint = { end: number; at: number }

/**
 * Lists up to where and when each rule makes pending text of a turn final. The segmenter uses the list both to finalize
 * text and to decide when to check again. Unchanged text does not become final before `heldUntil`; the limits of length
 * and waiting time of a long turn apply nevertheless.
 */
export function findFinalizationPoints(
  turn: CaptionTurn,
  rules: SegmentRules,
  heldUntil: number,
): FinalizationPoint[] {
  const end = turn.pending.length
  if (end === 0) return []
  const whole = [
    { end, at: turn.changedAt + quietMsFor(turn, rules) },
    ...pointsAfterTurnEnd(turn, rules),
  ]
  const earliest = Math.max(turn.earliestFinalAt, heldUntil)
  return [
    ...whole.map((point) => ({ ...point, at: Math.max(point.at, earliest) })),
    ...pointsInLongTurn(turn, rules, heldUntil),
  ]
}

function quietMsFor({ isVersioned, pending }: CaptionTurn, rules: SegmentRules): number {
  if (isVersioned) return rules.versionedQuietMs
  return endsLikeSentence(pending) ? rules.quietMs : rules.unfinishedQuietMs
}

/** Finalization point of a turn after which another turn has started or whose row has vanished. */
function pointsAfterTurnEnd(turn: CaptionTurn, rules: SegmentRules): FinalizationPoint[] {
  if (turn.followedAt === null && turn.vanishedAt === null) return []
  const endedAt = Math.max(turn.followedAt ?? -Infinity, turn.vanishedAt ?? -Infinity)
  const at = Math.max(endedAt, turn.changedAt) + turnEndQuietMsFor(turn, rules)
  return [{ end: turn.pending.length, at }]
}

function turnEndQuietMsFor({ isVersioned, pending }: CaptionTurn, rules: SegmentRules): number {
  if (isVersioned) return rules.versionedTurnEndQuietMs
  return endsLikeSentence(pending) ? rules.turnEndQuietMs : rules.unfinishedTurnEndQuietMs
}

/**
 * Finalization points while the speaker continues. They exclude the end of the text, which the source may still rewrite.
 */
function pointsInLongTurn(
  turn: CaptionTurn,
  rules: SegmentRules,
  heldUntil: number,
): FinalizationPoint[] {
  const { pending, timeline } = turn
  const safe = Math.min(pending.length - rules.rewritableChars, 2 * rules.wordCapChars)
  if (safe <= 0) return []
  const ends = findSentenceEnds(pending.slice(0, safe + 1)).filter((end) => end <= safe)
  const unchangedAt = (end: number) => findLastChangeTime(timeline, end) + rules.sentenceQuietMs
  const sentences = turn.isVersioned
    ? []
    : ends.map((end) => ({ end, at: Math.max(unchangedAt(end), heldUntil) }))
  const cap = ends.length > 0 ? rules.sentenceCapChars : rules.wordCapChars
  if (safe > cap)
    return [...sentences, { end: findSegmentCut(pending, safe, rules), at: -Infinity }]
  if (ends.length === 0 && safe < rules.rewritableChars) return sentences
  const longAt = findAppearanceTime(timeline, 0) + rules.maxWaitMs
  return [...sentences, { end: findSegmentCut(pending, safe, rules), at: longAt }]
}

import { preferSeenNameUnlessShorter } from '../../../language/person-names.ts'
import { isSimilarWord, endsLikeSentence } from '../../../lib/text/words.ts'
import { type SegmentRules, findSegmentCut, findSentenceEnds } from '../segment-rules.ts'
import { findAppearanceTime, findLastChangeTime } from '../text-timeline.ts'
import {
  takeChangedPartial,
  finalizePendingText,
  type SegmenterOutput,
  type CaptionSegment,
} from './segments.ts'
import {
  applyRowTextMatch,
  dropPendingText,
  firstWordsOfTurn,
  markPendingTextFinal,
  type RowTextMatch,
  type CaptionTurn,
  type TextMatching,
} from './turn.ts'

/** The turns with pending text. Collects the segments and changed partials for the segmenter's next output. */
export type OpenTurns = ReturnType<typeof createOpenTurns>

/** A point in a turn's pending text: the first `end` characters may become final at the time `at`. */
type FinalizationPoint = { end: number; at: number }

export function createOpenTurns(matching: TextMatching) {
  const { rules, countCharacters } = matching
  const open = new Set<CaptionTurn>()
  let segments: CaptionSegment[] = []
  let changed = new Set<CaptionTurn>()

  function finalize(turn: CaptionTurn, end: number): void {
    segments.push(...finalizePendingText(turn, end, matching))
    if (turn.pending === '') open.delete(turn)
    changed.add(turn)
  }
  function finalizeInOrder(turn: CaptionTurn, end: number): void {
    const startedAt = findAppearanceTime(turn.timeline, 0)
    for (const other of byStart(open)) {
      if (other === turn) continue
      const isBefore =
        findAppearanceTime(other.timeline, 0) < startedAt && other.changedAt < startedAt
      // If only the page has the later turn, no channel delivers captions, so the earlier turn does not change.
      const mayChange =
        other.isVersioned &&
        turn.isVersioned &&
        turn.changedAt - other.changedAt <=
          (mayBeDuplicates(turn, other) ? rules.duplicateChannelMs : rules.versionedOrderMs)
      if (isBefore && !mayChange) finalize(other, other.pending.length)
    }
    finalize(turn, end)
  }
  function findPoints(turn: CaptionTurn, heldUntil: number): FinalizationPoint[] {
    countCharacters(turn.pending.length)
    return findFinalizationPoints(turn, rules, heldUntil)
  }
  function dueEnd(turn: CaptionTurn, at: number, heldUntil: number): number {
    const due = findPoints(turn, heldUntil).filter((due) => due.at <= at)
    return Math.max(0, ...due.map(({ end }) => end))
  }
  return {
    /** Updates a turn with the matched text of its row. */
    update(
      turn: CaptionTurn,
      match: RowTextMatch & { kind: 'matched' },
      {
        speakerName,
        at,
        startedAt,
        receivedAt,
      }: { speakerName: string; at: number; startedAt: number; receivedAt: number },
    ) {
      const speaker = preferSeenNameUnlessShorter(turn.speaker, speakerName)
      const isRenamed = speaker !== turn.speaker
      turn.speaker = speaker
      if (isRenamed) turn.lastPartial = ''
      // A late caption can be older than the turn's last change.
      const changedAt = Math.max(at, turn.pending === '' ? at : turn.changedAt)
      const times = { changedAt, startedAt: Math.min(startedAt, changedAt) }
      if (!applyRowTextMatch(turn, match, times) && !isRenamed) return
      if (receivedAt > at) turn.earliestFinalAt = receivedAt + rules.turnEndQuietMs
      changed.add(turn)
      if (turn.pending === '') open.delete(turn)
      else open.add(turn)
    },
    /** Records for all open turns that another turn has started after them. */
    markFollowed(at: number) {
      for (const turn of open) if (turn.startedAt <= at) turn.followedAt ??= at
    },
    /** Makes a turn's text final, after that of open turns that started and last changed before it. */
    finalizeTurn(turn: CaptionTurn) {
      if (turn.pending !== '') finalizeInOrder(turn, turn.pending.length)
    },
    finalizeAll() {
      for (const turn of byStart(open)) finalize(turn, turn.pending.length)
    },
    /** Discards the pending text of a turn without making it final. */
    drop(turn: CaptionTurn) {
      dropPendingText(turn)
      open.delete(turn)
      changed.delete(turn)
    },
    /** Makes the pending text of a turn final without a segment, so that the row's next text continues after it. */
    discardPending(turn: CaptionTurn) {
      if (turn.pending !== '') markPendingTextFinal(turn, turn.pending.length)
      open.delete(turn)
      changed.delete(turn)
    },
    /** Makes due text final. Unchanged text is not due before `heldUntil`. */
    finalizeDue(at: number, heldUntil: number) {
      for (const turn of byStart(open)) {
        const findEnd = () => dueEnd(turn, at, heldUntil)
        for (let end = findEnd(); end > 0; end = findEnd()) finalizeInOrder(turn, end)
      }
    },
    nextFinalizationAt(heldUntil: number): number | null {
      let next: number | null = null
      for (const turn of open) {
        for (const { at } of findPoints(turn, heldUntil)) next = Math.min(next ?? at, at)
      }
      return next
    },
    /** Returns the segments that became final and the partials that changed since the last call. */
    collectOutput(): SegmenterOutput {
      const partials = [...changed].flatMap((turn) => takeChangedPartial(turn, matching) ?? [])
      const output = { segments, partials }
      segments = []
      changed = new Set()
      return output
    },
  }
}

/**
 * True if two turns begin alike and have no data channel in common. A later version may show that they are the same.
 */
function mayBeDuplicates(a: CaptionTurn, b: CaptionTurn): boolean {
  return (
    a.channels.length > 0 &&
    b.channels.length > 0 &&
    !a.channels.some((channel) => b.channels.includes(channel)) &&
    isSimilarWord(firstWordsOfTurn(a)[0] ?? '', firstWordsOfTurn(b)[0] ?? '')
  )
}

function byStart(turns: Iterable<CaptionTurn>): CaptionTurn[] {
  return [...turns].toSorted(
    (a, b) => findAppearanceTime(a.timeline, 0) - findAppearanceTime(b.timeline, 0),
  )
}

/**
 * Lists how much of a turn's pending text each rule makes final, and when. The segmenter uses the list to finalize text
 * and to decide when to check again. Unchanged text does not become final before `heldUntil`; a long turn's limits of
 * length and waiting time apply anyway.
 */
function findFinalizationPoints(
  turn: CaptionTurn,
  rules: SegmentRules,
  heldUntil: number,
): FinalizationPoint[] {
  const end = turn.pending.length
  if (end === 0) return []
  const quietAt = turn.changedAt + quietMsFor(turn, rules)
  const at = Math.max(
    Math.min(quietAt, timeAfterTurnEnd(turn, rules)),
    turn.earliestFinalAt,
    heldUntil,
  )
  return [{ end, at }, ...pointsInLongTurn(turn, rules, heldUntil)]
}

function quietMsFor({ isVersioned, pending }: CaptionTurn, rules: SegmentRules): number {
  if (isVersioned) return rules.versionedQuietMs
  return endsLikeSentence(pending) ? rules.quietMs : rules.unfinishedQuietMs
}

/** When a turn's text becomes final after another turn has started or its row has vanished; Infinity before that. */
function timeAfterTurnEnd(turn: CaptionTurn, rules: SegmentRules): number {
  if (turn.followedAt === null && turn.vanishedAt === null) return Infinity
  const endedAt = Math.max(turn.followedAt ?? -Infinity, turn.vanishedAt ?? -Infinity)
  return Math.max(endedAt, turn.changedAt) + turnEndQuietMsFor(turn, rules)
}

function turnEndQuietMsFor({ isVersioned, pending }: CaptionTurn, rules: SegmentRules): number {
  if (isVersioned) return rules.versionedTurnEndQuietMs
  return endsLikeSentence(pending) ? rules.turnEndQuietMs : rules.unfinishedTurnEndQuietMs
}

/**
 * When text becomes final while the speaker continues. The end of the text is excluded, because the source may still
 * rewrite it.
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

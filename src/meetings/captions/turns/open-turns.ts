import { isSimilarWord } from '../../../lib/text/split-words.ts'
import { findAppearanceTime } from '../text/text-timeline.ts'
import { findFinalizationPoints, type FinalizationPoint } from './finalization-points.ts'
import { preferSeenNameUnlessShorter } from '../../sanitize/person-names.ts'
import type { SegmentRules } from '../segment-rules.ts'
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
  type CountComparedCharacters,
  type RowTextMatch,
  type CaptionTurn,
} from './turn.ts'

/** The turns with pending text. Collects the segments and changed partials for the segmenter's next output. */
export interface OpenTurns {
  /** Updates a turn with the matched text of its row. */
  update(
    turn: CaptionTurn,
    match: RowTextMatch & { kind: 'matched' },
    row: { speakerName: string; at: number; startedAt: number; receivedAt: number },
  ): void
  /** Records for all open turns that another turn has started after them. */
  markFollowed(at: number): void
  /** Makes all text of a turn final. Open turns that started and last changed before this turn are made final first. */
  finalizeTurn(turn: CaptionTurn): void
  finalizeAll(): void
  /** Discards the pending text of a turn without making it final. */
  drop(turn: CaptionTurn): void
  /** Makes the pending text of a turn final without a segment, so that the row's next text continues after it. */
  discardPending(turn: CaptionTurn): void
  /** Makes text final that is due. Unchanged text is not due before `heldUntil`. */
  finalizeDue(at: number, heldUntil: number): void
  nextFinalizationAt(heldUntil: number): number | null
  /** Returns the segments that became final and the partials that changed since the last call. */
  collectOutput(): SegmenterOutput
}

export function createOpenTurns(
  rules: SegmentRules,
  countCharacters: CountComparedCharacters,
): OpenTurns {
  const open = new Set<CaptionTurn>()
  let segments: CaptionSegment[] = []
  let changed = new Set<CaptionTurn>()

  function finalize(turn: CaptionTurn, end: number): void {
    segments.push(...finalizePendingText(turn, end, rules, countCharacters))
    if (turn.pending === '') open.delete(turn)
    changed.add(turn)
  }
  function finalizeInOrder(turn: CaptionTurn, end: number): void {
    const startedAt = findAppearanceTime(turn.timeline, 0)
    for (const other of byStart(open)) {
      const isBefore =
        findAppearanceTime(other.timeline, 0) < startedAt && other.changedAt < startedAt
      // When only the page has the later turn, no channel delivers captions, so the earlier one does not change.
      const mayChange =
        other.isVersioned &&
        turn.isVersioned &&
        turn.changedAt - other.changedAt <=
          (mayBeDuplicates(turn, other) ? rules.duplicateChannelMs : rules.versionedOrderMs)
      if (other !== turn && isBefore && !mayChange) finalize(other, other.pending.length)
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
    update(turn, match, { speakerName, at, startedAt, receivedAt }) {
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
    markFollowed(at) {
      for (const turn of open) if (turn.startedAt <= at) turn.followedAt ??= at
    },
    finalizeTurn(turn) {
      if (turn.pending !== '') finalizeInOrder(turn, turn.pending.length)
    },
    finalizeAll() {
      for (const turn of byStart(open)) finalize(turn, turn.pending.length)
    },
    drop(turn) {
      dropPendingText(turn)
      open.delete(turn)
      changed.delete(turn)
    },
    discardPending(turn) {
      if (turn.pending !== '') markPendingTextFinal(turn, turn.pending.length)
      open.delete(turn)
      changed.delete(turn)
    },
    finalizeDue(at, heldUntil) {
      for (const turn of byStart(open)) {
        const findEnd = () => dueEnd(turn, at, heldUntil)
        for (let end = findEnd(); end > 0; end = findEnd()) finalizeInOrder(turn, end)
      }
    },
    nextFinalizationAt(heldUntil) {
      let next: number | null = null
      for (const turn of open) {
        for (const { at } of findPoints(turn, heldUntil)) next = Math.min(next ?? at, at)
      }
      return next
    },
    collectOutput() {
      const partials = [...changed].flatMap(
        (turn) => takeChangedPartial(turn, countCharacters) ?? [],
      )
      const output = { segments, partials }
      segments = []
      changed = new Set()
      return output
    },
  }
}

/**
 * Whether two turns begin alike and came on different data channels only, so that a later version may show that they
 * are the same.
 */
function mayBeDuplicates(a: CaptionTurn, b: CaptionTurn): boolean {
  const [first = '', otherFirst = ''] = [a, b].map((turn) => firstWordsOfTurn(turn)[0])
  return (
    isSimilarWord(first, otherFirst) &&
    a.channels.length > 0 &&
    b.channels.length > 0 &&
    !a.channels.some((channel) => b.channels.includes(channel))
  )
}

function byStart(turns: Iterable<CaptionTurn>): CaptionTurn[] {
  return [...turns].toSorted(
    (a, b) => findAppearanceTime(a.timeline, 0) - findAppearanceTime(b.timeline, 0),
  )
}

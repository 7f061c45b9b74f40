import { appearedAt } from './text-timeline.ts'
import { finalizationPoints } from './finalization-points.ts'
import { preferFullerName } from '../sanitize/person-names.ts'
import type { SegmentRules } from './segment-rules.ts'
import { nextPartial, finalizeText, type SegmenterOutput, type Segment } from './segments.ts'
import { applyMatch, type CountCharacters, type TextMatch, type CaptionTurn } from './turn.ts'

/** Who is speaking: the turns with text that is not final, and what came of them since the last step. */
export interface OpenTurns {
  /** Brings a turn to a new reading of its row. */
  update(
    turn: CaptionTurn,
    reading: TextMatch & { kind: 'matched' },
    name: string,
    at: number,
  ): void
  /** Everybody who has the floor is followed by somebody. */
  markFollowed(at: number): void
  /** Makes all of a turn final, after what others said before it and have not changed since. */
  finalizeTurn(turn: CaptionTurn): void
  finalizeAll(): void
  /** Takes a turn's evolving text back: it was somebody else's, or nobody's. */
  drop(turn: CaptionTurn): void
  /** Makes final whatever is due. */
  finalizeDue(at: number): void
  nextFinalizationAt(): number | null
  /** What has been said since the last call. */
  collectOutput(): SegmenterOutput
}

export function createOpenTurns(rules: SegmentRules, measure: CountCharacters): OpenTurns {
  const open = new Set<CaptionTurn>()
  let segments: Segment[] = []
  let touched = new Set<CaptionTurn>()

  function say(turn: CaptionTurn, end: number): void {
    segments.push(...finalizeText(turn, end, rules, measure))
    if (turn.pending === '') open.delete(turn)
    touched.add(turn)
  }
  function sayInOrder(turn: CaptionTurn, end: number): void {
    const startedAt = appearedAt(turn.timeline, 0)
    for (const other of byStart(open)) {
      const isBefore = appearedAt(other.timeline, 0) < startedAt && other.changedAt < startedAt
      // It may turn out to be the same caption on another channel.
      const isSure =
        !other.isVersioned || turn.changedAt - other.changedAt > rules.duplicateChannelMs
      if (other !== turn && isBefore && isSure) say(other, other.pending.length)
    }
    say(turn, end)
  }
  function dueEnd(turn: CaptionTurn, at: number): number {
    measure(turn.pending.length)
    const due = finalizationPoints(turn, rules).filter((due) => due.at <= at)
    return Math.max(0, ...due.map(({ end }) => end))
  }
  return {
    update(turn, reading, name, at) {
      const speaker = preferFullerName(turn.speaker, name)
      const isRenamed = speaker !== turn.speaker
      turn.speaker = speaker
      if (isRenamed) turn.lastPartial = ''
      if (!applyMatch(turn, reading, at) && !isRenamed) return
      touched.add(turn)
      if (turn.pending === '') open.delete(turn)
      else open.add(turn)
    },
    markFollowed(at) {
      for (const turn of open) turn.followedAt ??= at
    },
    finalizeTurn(turn) {
      if (turn.pending !== '') sayInOrder(turn, turn.pending.length)
    },
    finalizeAll() {
      for (const turn of byStart(open)) say(turn, turn.pending.length)
    },
    drop(turn) {
      turn.pending = ''
      open.delete(turn)
      touched.delete(turn)
    },
    finalizeDue(at) {
      for (const turn of byStart(open)) {
        for (let end = dueEnd(turn, at); end > 0; end = dueEnd(turn, at)) sayInOrder(turn, end)
      }
    },
    nextFinalizationAt() {
      const times = [...open].flatMap((turn) => finalizationPoints(turn, rules).map(({ at }) => at))
      return times.length === 0 ? null : Math.min(...times)
    },
    collectOutput() {
      const partials = [...touched].flatMap((turn) => nextPartial(turn, measure) ?? [])
      const said = { segments, partials }
      segments = []
      touched = new Set()
      return said
    },
  }
}

function byStart(turns: Iterable<CaptionTurn>): CaptionTurn[] {
  return [...turns].toSorted((a, b) => appearedAt(a.timeline, 0) - appearedAt(b.timeline, 0))
}

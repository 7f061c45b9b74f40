import { bornAt } from './timeline.ts'
import { duesOf } from './due.ts'
import { betterName } from './names.ts'
import type { SegmentRules } from './rules.ts'
import { partialOf, speak, type Said, type Segment } from './speech.ts'
import { apply, type Measure, type Reading, type Turn } from './turn.ts'

/** Who is speaking: the turns with text that is not final, and what came of them since the last step. */
export interface Floor {
  /** Brings a turn to a new reading of its row. */
  change(turn: Turn, reading: Reading & { is: 'read' }, name: string, at: number): void
  /** Everybody who has the floor is followed by somebody. */
  handOver(at: number): void
  /** Makes all of a turn final, after what others said before it and have not changed since. */
  finish(turn: Turn): void
  finishAll(): void
  /** Takes a turn's evolving text back: it was somebody else's, or nobody's. */
  drop(turn: Turn): void
  /** Makes final whatever is due. */
  settle(at: number): void
  nextDueAt(): number | null
  /** What has been said since the last call. */
  collect(): Said
}

export function createFloor(rules: SegmentRules, measure: Measure): Floor {
  const open = new Set<Turn>()
  let segments: Segment[] = []
  let touched = new Set<Turn>()

  function say(turn: Turn, end: number): void {
    segments.push(...speak(turn, end, rules, measure))
    if (turn.pending === '') open.delete(turn)
    touched.add(turn)
  }
  function sayInOrder(turn: Turn, end: number): void {
    const startedAt = bornAt(turn.timeline, 0)
    for (const other of byStart(open)) {
      const isBefore = bornAt(other.timeline, 0) < startedAt && other.changedAt < startedAt
      // It may turn out to be the same caption on another channel.
      const isSure = !other.isWire || turn.changedAt - other.changedAt > rules.channelMs
      if (other !== turn && isBefore && isSure) say(other, other.pending.length)
    }
    say(turn, end)
  }
  function dueEnd(turn: Turn, at: number): number {
    measure(turn.pending.length)
    const due = duesOf(turn, rules).filter((due) => due.at <= at)
    return Math.max(0, ...due.map(({ end }) => end))
  }
  return {
    change(turn, reading, name, at) {
      const speaker = betterName(turn.speaker, name)
      const isRenamed = speaker !== turn.speaker
      turn.speaker = speaker
      if (isRenamed) turn.shown = ''
      if (!apply(turn, reading, at) && !isRenamed) return
      touched.add(turn)
      if (turn.pending === '') open.delete(turn)
      else open.add(turn)
    },
    handOver(at) {
      for (const turn of open) turn.handedOverAt ??= at
    },
    finish(turn) {
      if (turn.pending !== '') sayInOrder(turn, turn.pending.length)
    },
    finishAll() {
      for (const turn of byStart(open)) say(turn, turn.pending.length)
    },
    drop(turn) {
      turn.pending = ''
      open.delete(turn)
      touched.delete(turn)
    },
    settle(at) {
      for (const turn of byStart(open)) {
        for (let end = dueEnd(turn, at); end > 0; end = dueEnd(turn, at)) sayInOrder(turn, end)
      }
    },
    nextDueAt() {
      const times = [...open].flatMap((turn) => duesOf(turn, rules).map(({ at }) => at))
      return times.length === 0 ? null : Math.min(...times)
    },
    collect() {
      const partials = [...touched].flatMap((turn) => partialOf(turn, measure) ?? [])
      const said = { segments, partials }
      segments = []
      touched = new Set()
      return said
    },
  }
}

function byStart(turns: Iterable<Turn>): Turn[] {
  return [...turns].toSorted((a, b) => bornAt(a.timeline, 0) - bornAt(b.timeline, 0))
}

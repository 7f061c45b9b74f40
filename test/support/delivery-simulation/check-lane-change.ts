import type { LaneChange } from '../../../src/deliveries/lane/lane.ts'
import {
  indexOfFirstAfter,
  isSelectedByLane,
  nextEventForLane,
  type LaneRow,
  type Tables,
} from './tables.ts'

type Parts = {
  tables: Tables
  must(isTrue: boolean, text: () => string): void
  arrived: ReadonlySet<string>
  giveUpMs: number
}

/** What a lane may write: nothing is passed over but what was accepted or given up by the rules. */
export function checkLaneChange(parts: Parts, change: LaneChange, wallAt: number): void {
  const { tables, must } = parts
  const row = tables.lanes.get(change.lane.id) as LaneRow
  const { next, attempt, deadLetters } = change
  const text = `${row.id} writes ${next.deliveredThrough} after ${row.deliveredThrough}`
  must(row.state === 'open', () => `${text}, though it is closed`)
  must(next.deliveredThrough >= row.deliveredThrough, () => `${text}: back`)
  checkSkippedEvents(parts, change, row, text)
  for (const { sequence, reason } of deadLetters) {
    if (reason === 'expired') checkExpired(parts, row, sequence, wallAt)
  }
  if (attempt?.outcome === 'rejected') checkRejected(parts, change, row)
  if (next.state === 'closed') {
    const isRemoved = tables.tokens.get(row.tokenId) === null
    must(isRemoved || attempt?.result.status === 410, () => `${text} and closes`)
  } else if (next.dueAt === null) {
    const { endedAt } = tables.meetings.get(row.meetingId) as { endedAt: number | null }
    must(endedAt !== null || row.lastSequence !== null, () => `${text} as the last`)
    const left = nextEventForLane(tables, row, next.deliveredThrough)
    must(left === null, () => `${text} as the last, before ${left?.sequence}`)
  }
}

function checkSkippedEvents(
  parts: Parts,
  { next, attempt, deadLetters }: LaneChange,
  row: LaneRow,
  text: string,
) {
  const { tables, must, arrived } = parts
  const { events } = tables.meetings.get(row.meetingId) as { events: LaneEvents }
  const first = indexOfFirstAfter(events, row.deliveredThrough)
  const last = indexOfFirstAfter(events, next.deliveredThrough)
  const given = new Set(deadLetters.map(({ sequence }) => sequence))
  for (const event of events.slice(first, last)) {
    if (!isSelectedByLane(row, event) || given.has(event.sequence)) continue
    const isAccepted = attempt?.outcome === 'delivered' && attempt.sequence === event.sequence
    must(
      isAccepted && arrived.has(`${row.id} ${event.sequence}`),
      () => `${text}: lost ${event.sequence}`,
    )
  }
}
type LaneEvents = Array<{ sequence: number; type: string; at: number; body: string }>

function checkExpired(
  { tables, must, giveUpMs }: Parts,
  row: LaneRow,
  sequence: number,
  wallAt: number,
) {
  const { events } = tables.meetings.get(row.meetingId) as { events: LaneEvents }
  const event = events.find((one) => one.sequence === sequence)
  const ageMs = wallAt - Math.max(event?.at ?? wallAt, row.replayRequestedAt ?? -Infinity)
  must(ageMs > giveUpMs, () => `${row.id} gives up ${sequence} after ${ageMs} ms`)
}

/** Five refusals over a minute and more: then, and only then, an event is left behind. */
function checkRejected({ must }: Parts, { attempt, deadLetters }: LaneChange, row: LaneRow) {
  const { sequence, startedAt } = attempt as NonNullable<LaneChange['attempt']>
  const earlier = row.attempts.filter(
    (one) => one.sequence === sequence && one.outcome === 'rejected',
  )
  const isLeft = deadLetters.some((letter) => letter.sequence === sequence)
  const text = `${row.id} was refused ${sequence} ${earlier.length + 1} times`
  must(isLeft === (earlier.length === 4), () => `${text}: ${isLeft ? 'left' : 'kept'}`)
  const overMs = startedAt - (earlier[0]?.startedAt ?? startedAt)
  must(!isLeft || overMs >= 60_000, () => `${text} over ${overMs} ms`)
}

import type { LaneChange } from '../../../src/deliveries/lane/lane-record.ts'
import {
  indexOfFirstAfter,
  isSelectedByLane,
  nextEventForLane,
  type LaneRow,
  type Tables,
} from './tables.ts'

type Parts = {
  tables: Tables
  assert(isTrue: boolean, text: () => string): void
  arrived: ReadonlySet<string>
  giveUpMs: number
}

/** Checks a lane's write: it may skip only events that were accepted or correctly given up. */
export function checkLaneChange(parts: Parts, change: LaneChange, wallAt: number): void {
  const { tables, assert } = parts
  const row = tables.lanes.get(change.lane.id) as LaneRow
  const { next, attempt, deadLetters } = change
  const text = `${row.id} writes ${next.deliveredThrough} after ${row.deliveredThrough}`
  assert(row.state === 'open', () => `${text}, though it is closed`)
  assert(next.deliveredThrough >= row.deliveredThrough, () => `${text}, which is backwards`)
  checkSkippedEvents(parts, change, row, text)
  for (const { sequence, reason } of deadLetters) {
    if (reason === 'expired') checkExpired(parts, row, sequence, wallAt)
  }
  if (attempt?.outcome === 'rejected') checkRejected(parts, change, row)
  if (next.state === 'closed') {
    const isRemoved = tables.tokens.get(row.tokenId) === null
    assert(isRemoved || attempt?.result.status === 410, () => `${text} and closes`)
  } else if (next.dueAt === null) {
    const { endedAt } = tables.meetings.get(row.meetingId) as { endedAt: number | null }
    assert(endedAt !== null || row.kind === 'replay', () => `${text} as the last`)
    const left = nextEventForLane(tables, row, next.deliveredThrough)
    assert(left === null, () => `${text} as the last, before ${left?.sequence}`)
  }
}

function checkSkippedEvents(
  parts: Parts,
  { next, attempt, deadLetters }: LaneChange,
  row: LaneRow,
  text: string,
) {
  const { tables, assert, arrived } = parts
  const { events } = tables.meetings.get(row.meetingId) as { events: LaneEvents }
  const first = indexOfFirstAfter(events, row.deliveredThrough)
  const last = indexOfFirstAfter(events, next.deliveredThrough)
  const givenUp = new Set(deadLetters.map(({ sequence }) => sequence))
  for (const event of events.slice(first, last)) {
    if (!isSelectedByLane(row, event) || givenUp.has(event.sequence)) continue
    const isAccepted = attempt?.outcome === 'delivered' && attempt.sequence === event.sequence
    assert(
      isAccepted && arrived.has(`${row.id} ${event.sequence}`),
      () => `${text}: lost ${event.sequence}`,
    )
  }
}
type LaneEvents = Array<{ sequence: number; type: string; at: number; body: string }>

function checkExpired(
  { tables, assert, giveUpMs }: Parts,
  row: LaneRow,
  sequence: number,
  wallAt: number,
) {
  const { events } = tables.meetings.get(row.meetingId) as { events: LaneEvents }
  const event = events.find((one) => one.sequence === sequence)
  const requestedAt = row.kind === 'replay' ? row.requestedAt : -Infinity
  const ageMs = wallAt - Math.max(event?.at ?? wallAt, requestedAt)
  assert(ageMs > giveUpMs, () => `${row.id} gives up ${sequence} after ${ageMs} ms`)
}

/** An event is given up after exactly five rejections over at least a minute. */
function checkRejected({ assert }: Parts, { attempt, deadLetters }: LaneChange, row: LaneRow) {
  const { sequence, startedAt } = attempt as NonNullable<LaneChange['attempt']>
  const earlier = row.attempts.filter(
    (one) => one.sequence === sequence && one.outcome === 'rejected',
  )
  const isGivenUp = deadLetters.some((letter) => letter.sequence === sequence)
  const text = `${row.id}: ${sequence} was rejected ${earlier.length + 1} times`
  assert(
    isGivenUp === (earlier.length === 4),
    () => `${text}: ${isGivenUp ? 'given up' : 'not given up'}`,
  )
  const overMs = startedAt - (earlier[0]?.startedAt ?? startedAt)
  assert(!isGivenUp || overMs >= 60_000, () => `${text} over ${overMs} ms`)
}

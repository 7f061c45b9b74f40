import type { LaneChange, LaneEvent, LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import type { CallbackSecrets } from '../../../src/deliveries/signature.ts'
import type { MeetingChange } from '../../../src/meetings/record/batch-writer.ts'

export type MeetingRow = {
  id: string
  owner: string | null
  fence: number
  claimAfter: number
  lastSequence: number
  reservedSequence: number
  segmentCount: number
  endedAt: number | null
  events: LaneEvent[]
  /** Numbers that were given to partials. */
  partials: Set<number>
  /** When a partial of a caption that is final now would be one too late. */
  finals: Map<string, number>
}

export type LaneRow = LaneRecord & {
  owner: string | null
  /** Where it began. */
  begin: { deliveredThrough: number; previousSequence: number }
  attempts: Array<{ sequence: number; startedAt: number; outcome: string }>
}

/** What the database of the world holds. Every change is whole or not at all, as it takes no time. */
export type Tables = {
  meetings: Map<string, MeetingRow>
  lanes: Map<string, LaneRow>
  /** By lane and sequence: what was given up. */
  deadLetters: Map<string, 'rejected' | 'expired'>
  tokens: Map<string, CallbackSecrets | null>
}

/** The document that is saved with this path is the last thing that happens in a meeting. */
export const LAST_PATH = 'last.md'

export function isLastEvent({ body }: LaneEvent): boolean {
  return body.includes(`"documentPath":"${LAST_PATH}"`)
}

/** As the ledger does it: refused when somebody else owns the meeting or has written meanwhile. */
export function writeLedgerEntry(tables: Tables, entry: MeetingChange): boolean {
  const { lease, lastSequence, reservedSequence, events = [], segments = [] } = entry
  const meeting = tables.meetings.get(lease.meetingId)
  if (meeting?.fence !== lease.fence || meeting.lastSequence !== lastSequence) return false
  for (const event of events) {
    if (meeting.partials.has(event.sequence)) {
      throw new Error(`${meeting.id} ${event.sequence} was a partial`)
    }
    const stored = { ...event, at: event.at.getTime() }
    meeting.events.push(stored)
    if (isLastEvent(stored)) Object.assign(meeting, { endedAt: stored.at, owner: null })
  }
  segments.forEach(({ captionId }, i) =>
    meeting.finals.set(captionId, events[i]?.sequence ?? Infinity),
  )
  meeting.segmentCount += segments.length
  meeting.lastSequence = events.at(-1)?.sequence ?? lastSequence
  meeting.reservedSequence = Math.max(meeting.reservedSequence, reservedSequence)
  return true
}

/** Refused when somebody else has the lane. */
export function writeLaneChange(
  tables: Tables,
  { lane, next, deadLetters, attempt }: LaneChange,
): boolean {
  const row = tables.lanes.get(lane.id)
  if (row?.fence !== lane.fence) return false
  Object.assign(row, next)
  if (next.dueAt === null) row.owner = null
  if (attempt !== null) {
    const { sequence, startedAt, outcome } = attempt
    row.attempts.push({ sequence, startedAt, outcome })
  }
  for (const { sequence, reason } of deadLetters)
    tables.deadLetters.set(`${row.id}_${sequence}`, reason)
  return true
}

/** Events that the lane has to send, in order. */
export function isSelectedByLane(row: LaneRecord, { sequence, type }: LaneEvent): boolean {
  if (row.kind === 'replay' && sequence > row.lastSequence) return false
  return row.events === null || row.events.includes(type)
}

/** The first event after a sequence that the lane has to send. */
export function nextEventForLane(tables: Tables, row: LaneRecord, after: number): LaneEvent | null {
  const { events } = tables.meetings.get(row.meetingId) as MeetingRow
  for (let i = indexOfFirstAfter(events, after); i < events.length; i += 1) {
    const event = events[i] as LaneEvent
    if (isSelectedByLane(row, event)) return event
  }
  return null
}

/** The sequence of the event before, as the receiver of the lane should know it. */
export function previousSequenceFor(tables: Tables, row: LaneRow, sequence: number): number {
  const { events } = tables.meetings.get(row.meetingId) as MeetingRow
  for (let i = indexOfFirstAfter(events, sequence - 1) - 1; i >= 0; i -= 1) {
    const event = events[i] as LaneEvent
    if (event.sequence <= row.begin.deliveredThrough) break
    if (isSelectedByLane(row, event)) return event.sequence
  }
  return row.begin.previousSequence
}

export function indexOfFirstAfter(events: readonly LaneEvent[], sequence: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((events[middle] as LaneEvent).sequence <= sequence) low = middle + 1
    else high = middle
  }
  return low
}

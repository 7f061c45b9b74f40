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
  /** The sequences of partial captions that were sent. */
  partials: Set<number>
  /** The sequence of each caption's final event, by caption id. A later partial caption would be wrong. */
  finals: Map<string, number>
}

export type LaneRow = LaneRecord & {
  owner: string | null
  /** The lane's progress when it was created. */
  begin: { deliveredThrough: number; previousSequence: number }
  attempts: Array<{ sequence: number; startedAt: number; outcome: string }>
}

/** The tables of the simulated database. Every change is atomic, because it takes no simulated time. */
export type Tables = {
  meetings: Map<string, MeetingRow>
  lanes: Map<string, LaneRow>
  /** Events that were given up, as keys of lane and sequence. */
  deadLetters: Map<string, 'rejected' | 'expired'>
  tokens: Map<string, CallbackSecrets | null>
}

/** A meeting's last event is the one for a document with this path. */
export const LAST_PATH = 'last.md'

export function isLastEvent({ body }: LaneEvent): boolean {
  return body.includes(`"documentPath":"${LAST_PATH}"`)
}

/** Like the real batch writer, refuses if another node owns the meeting or has written in the meantime. */
export function writeLedgerEntry(tables: Tables, entry: MeetingChange): boolean {
  const { lease, lastSequence, reservedSequence, events = [], segments = [] } = entry
  const meeting = tables.meetings.get(lease.meetingId)
  if (meeting?.fence !== lease.fence || meeting.lastSequence !== lastSequence) return false
  for (const event of events) {
    if (meeting.partials.has(event.sequence)) {
      throw new Error(`${meeting.id} ${event.sequence} was already used by a partial caption`)
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

/** Refuses if another node has claimed the lane. */
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

/** True if the lane has to send the event. */
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

/** The sequence that the lane should name as an event's predecessor. */
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

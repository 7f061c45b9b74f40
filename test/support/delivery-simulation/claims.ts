import type { LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import type { SimulatedTime, SimulatedProcess } from './simulated-time.ts'
import type { LaneRow, MeetingRow, Tables } from './tables.ts'

type Parts = { agenda: SimulatedTime; tables: Tables; isLive(nodeId: string): boolean }

/** Meetings that nobody attends. The fence moves on. */
export function claimMeetings(
  { agenda, tables, isLive }: Parts,
  host: SimulatedProcess,
): MeetingRow[] {
  const free = [...tables.meetings.values()].filter(
    ({ endedAt, owner, claimAfter }) =>
      endedAt === null && agenda.now() >= claimAfter && (owner === null || !isLive(owner)),
  )
  return free.map((meeting) => {
    meeting.owner = host.id
    meeting.fence += 1
    // What the next owner is told is what was stored at this moment.
    return { ...meeting }
  })
}

/** A lane as it was when it was claimed, and the row, which others may change. */
export type ClaimedLane = { row: LaneRow; record: LaneRecord }

const UNATTENDED_MS = 2_000

/** Lanes that have something to do and that nobody serves; while a bot attends a meeting, on the node of the bot. */
export function claimLanes(
  { tables, isLive }: Parts,
  host: SimulatedProcess,
  wallAt: number,
): ClaimedLane[] {
  const free = [...tables.lanes.values()].filter((row) => {
    const meeting = tables.meetings.get(row.meetingId)
    if (row.dueAt === null || row.dueAt > wallAt || row.state === 'closed') return false
    if (row.owner !== null && isLive(row.owner)) return false
    if (row.kind === 'replay' || meeting?.endedAt !== null || meeting.owner === host.id) return true
    return row.dueAt <= wallAt - UNATTENDED_MS && (meeting.owner === null || !isLive(meeting.owner))
  })
  return free.map((row) => {
    row.owner = host.id
    row.fence += 1
    row.meetingEndedAt = tables.meetings.get(row.meetingId)?.endedAt ?? null
    const { owner: _owner, begin: _begin, attempts: _attempts, ...record } = row
    return { row, record }
  })
}

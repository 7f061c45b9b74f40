import type { LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import type { SimulatedTime, SimulatedProcess } from './simulated-time.ts'
import type { LaneRow, MeetingRow, Tables } from './tables.ts'

type Parts = { time: SimulatedTime; tables: Tables; isLive(nodeId: string): boolean }

/** Claims the meetings without a live owner and increments their fences. */
export function claimMeetings(
  { time, tables, isLive }: Parts,
  host: SimulatedProcess,
): MeetingRow[] {
  const free = [...tables.meetings.values()].filter(
    ({ endedAt, owner, claimAfter }) =>
      endedAt === null && time.now() >= claimAfter && (owner === null || !isLive(owner)),
  )
  return free.map((meeting) => {
    meeting.owner = host.id
    meeting.fence += 1
    // A copy, because the new owner works with the state at the time of the claim.
    return { ...meeting }
  })
}

/** `record` is the lane as it was claimed. `row` is the stored row, which other nodes may change. */
export type ClaimedLane = { row: LaneRow; record: LaneRecord }

const WAIT_FOR_BOT_MS = 2_000

/** Claims the due lanes without a live owner. While a bot attends the meeting, only the bot's node may claim. */
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
    return (
      row.dueAt <= wallAt - WAIT_FOR_BOT_MS && (meeting.owner === null || !isLive(meeting.owner))
    )
  })
  return free.map((row) => {
    row.owner = host.id
    row.fence += 1
    row.meetingEndedAt = tables.meetings.get(row.meetingId)?.endedAt ?? null
    const { owner: _owner, begin: _begin, attempts: _attempts, ...record } = row
    return { row, record }
  })
}

import type { LaneChange, LaneStore } from '../../../src/deliveries/lane/lane-record.ts'
import type { SimulatedTime, StoreFault, SimulatedProcess } from './simulated-time.ts'
import { indexOfFirstAfter, writeLaneChange, type MeetingRow, type Tables } from './tables.ts'
import type { SimulatedLaneHold, InvariantChecker } from './invariant-checker.ts'

type Parts = {
  agenda: SimulatedTime
  tables: Tables
  watch: InvariantChecker
  wall(host: SimulatedProcess): number
  fault(): StoreFault
}

/** What one hold of a lane reads and writes, over a line that can fail. */
export function createLaneStoreFor(
  { agenda, tables, watch, wall, fault }: Parts,
  held: SimulatedLaneHold,
  host: SimulatedProcess,
): LaneStore {
  const write = (change: LaneChange): boolean => {
    const isHeld = tables.lanes.get(change.lane.id)?.fence === change.lane.fence
    const { deliveredThrough, failures, state, dueAt } = change.next
    watch.log(
      `${change.lane.id}/${change.lane.fence} writes ${deliveredThrough} ${change.attempt?.outcome} failures ${failures} ${state} due ${dueAt} ${isHeld ? '' : 'refused'}`,
    )
    if (isHeld) watch.onChange(change, wall(host))
    watch.count(isHeld ? 'write' : 'refused write')
    for (const { reason } of change.deadLetters) watch.count(`${reason} event`)
    return writeLaneChange(tables, change)
  }
  return {
    async readEvents({ meetingId }, after, limit) {
      const meeting = tables.meetings.get(meetingId) as MeetingRow
      // The end is asked for first, as in life.
      const endedAt = await agenda.callStore(host, () => meeting.endedAt)
      const read = () => {
        const first = indexOfFirstAfter(meeting.events, after)
        return meeting.events.slice(first, first + limit)
      }
      const events = await agenda.callStore(host, read, fault())
      return { events, endedAt }
    },
    async writeChange(change) {
      const isKept = await agenda.callStore(host, () => write(change), fault())
      if (isKept) {
        held.settledThrough = change.next.deliveredThrough
        held.failures = change.next.failures
      }
      return isKept
    },
    async secretsOf(tokenId) {
      held.secrets = await agenda.callStore(host, () => tables.tokens.get(tokenId) ?? null, fault())
      return held.secrets
    },
  }
}

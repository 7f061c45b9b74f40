import {
  HELD_BACK_LAST_ERROR,
  type LaneChange,
  type LaneStore,
} from '../../../src/deliveries/lane/lane-record.ts'
import type { SimulatedTime, StoreFault, SimulatedProcess } from './simulated-time.ts'
import { indexOfFirstAfter, writeLaneChange, type MeetingRow, type Tables } from './tables.ts'
import type { SimulatedLaneClaim, InvariantChecker } from './invariant-checker.ts'

type Parts = {
  time: SimulatedTime
  tables: Tables
  checker: InvariantChecker
  wall(host: SimulatedProcess): number
  fault(): StoreFault
}

/** The lane store of one claim, on a simulated database connection that can fail. */
export function createLaneStoreFor(
  { time, tables, checker, wall, fault }: Parts,
  claim: SimulatedLaneClaim,
  host: SimulatedProcess,
): LaneStore {
  const write = (change: LaneChange): boolean => {
    const isCurrent = tables.lanes.get(change.lane.id)?.fence === change.lane.fence
    const { deliveredThrough, failures, state, dueAt } = change.next
    checker.log(
      `${change.lane.id}/${change.lane.fence} writes ${deliveredThrough} ${change.attempt?.outcome} failures ${failures} ${state} due ${dueAt} ${isCurrent ? '' : 'refused'}`,
    )
    if (isCurrent) checker.onChange(change, wall(host))
    checker.count(isCurrent ? 'write' : 'refused write')
    if (change.attempt === null && change.next.lastError === HELD_BACK_LAST_ERROR)
      checker.count('held lane')
    for (const { reason } of change.deadLetters) checker.count(`${reason} event`)
    return writeLaneChange(tables, change)
  }
  return {
    async readEvents({ meetingId }, after, limit) {
      const meeting = tables.meetings.get(meetingId) as MeetingRow
      // The end is read before the events, so the two can differ.
      const endedAt = await time.callStore(host, () => meeting.endedAt)
      const read = () => {
        const first = indexOfFirstAfter(meeting.events, after)
        return meeting.events.slice(first, first + limit)
      }
      const events = await time.callStore(host, read, fault())
      return { events, endedAt }
    },
    async writeChange(change) {
      const isWritten = await time.callStore(host, () => write(change), fault())
      if (isWritten) {
        claim.settledThrough = change.next.deliveredThrough
        claim.failures = change.next.failures
      }
      return isWritten
    },
    async secretsOf(tokenId) {
      claim.secrets = await time.callStore(host, () => tables.tokens.get(tokenId) ?? null, fault())
      return claim.secrets
    },
  }
}

import type { LaneChange, LaneStore } from '../../../src/deliveries/lane.ts'
import type { Agenda, Fault, Host } from './agenda.ts'
import { firstAfter, writeChange, type MeetingRow, type Tables } from './tables.ts'
import type { Held, Watch } from './watch.ts'

type Parts = {
  agenda: Agenda
  tables: Tables
  watch: Watch
  wall(host: Host): number
  fault(): Fault
}

/** What one hold of a lane reads and writes, over a line that can fail. */
export function storeFor(
  { agenda, tables, watch, wall, fault }: Parts,
  held: Held,
  host: Host,
): LaneStore {
  const write = (change: LaneChange): boolean => {
    const isHeld = tables.lanes.get(change.lane.id)?.fence === change.lane.fence
    const { deliveredThrough, failures, state, dueAt } = change.next
    watch.note(
      `${change.lane.id}/${change.lane.fence} writes ${deliveredThrough} ${change.attempt?.outcome} failures ${failures} ${state} due ${dueAt} ${isHeld ? '' : 'refused'}`,
    )
    if (isHeld) watch.onChange(change, wall(host))
    watch.count(isHeld ? 'write' : 'refused write')
    for (const { reason } of change.dead) watch.count(`${reason} event`)
    return writeChange(tables, change)
  }
  return {
    async read({ meetingId }, after, limit) {
      const meeting = tables.meetings.get(meetingId) as MeetingRow
      // The end is asked for first, as in life.
      const endedAt = await agenda.ask(host, () => meeting.endedAt)
      const read = () => {
        const first = firstAfter(meeting.events, after)
        return meeting.events.slice(first, first + limit)
      }
      const events = await agenda.ask(host, read, fault())
      return { events, endedAt }
    },
    async record(change) {
      const isKept = await agenda.ask(host, () => write(change), fault())
      if (isKept) {
        held.settledThrough = change.next.deliveredThrough
        held.failures = change.next.failures
      }
      return isKept
    },
    async secretsOf(tokenId) {
      held.secrets = await agenda.ask(host, () => tables.tokens.get(tokenId) ?? null, fault())
      return held.secrets
    },
  }
}

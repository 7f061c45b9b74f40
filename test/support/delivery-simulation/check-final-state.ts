import { isSelectedByLane, type Tables } from './tables.ts'

type Parts = {
  tables: Tables
  arrived: ReadonlySet<string>
  assert(isTrue: boolean, text: () => string): void
}

/** After the faults have ended, each event has arrived at its receiver or is listed as given up. */
export function checkFinalState({ tables, arrived, assert }: Parts): void {
  for (const row of tables.lanes.values()) {
    if (row.state === 'closed') continue
    for (const event of tables.meetings.get(row.meetingId)?.events ?? []) {
      if (event.sequence <= row.begin.deliveredThrough || !isSelectedByLane(row, event)) continue
      const isDead = tables.deadLetters.has(`${row.id}_${event.sequence}`)
      assert(
        isDead || arrived.has(`${row.id} ${event.sequence}`),
        () => `${row.id} lost ${event.sequence}`,
      )
    }
  }
}

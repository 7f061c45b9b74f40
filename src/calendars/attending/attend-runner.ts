import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { ServiceError } from '../../errors.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import type { OccurrenceRow } from '../planning/occurrence-store.ts'
import { attendOccurrence, type AttendParts } from './attend-occurrence.ts'

/** Creates the meetings of occurrences shortly before they start. Every node does this; each meeting is created once. */
export interface AttendRunner extends AsyncDisposable {
  /** Looks for occurrences that are due now. */
  wake(): void
  /** Looks once. */
  runOnce(): Promise<void>
}

type Parts = AttendParts & {
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'hasFreshHeartbeat'>
}

/** How long before its start the meeting of an occurrence is created; the meeting itself begins later. */
const LEAD_MS = 5 * 60_000
const POLL_INTERVAL_MS = 10_000
const BATCH_SIZE = 50

export function createAttendRunner(parts: Parts): AttendRunner {
  const { db, clock, log, membership } = parts
  const wakeUp = createWakeableSleep()
  const closing = new AbortController()

  const attend = async (occurrence: OccurrenceRow): Promise<boolean> => {
    const ids = { occurrenceId: occurrence.id, calendarId: occurrence.calendar_id }
    try {
      const outcome = await attendOccurrence(parts, occurrence)
      if (outcome === 'started') log.info(ids, 'created the meeting of a calendar')
      return true
    } catch (error) {
      // The next round tries it again. The others must not wait for it.
      if (error instanceof ServiceError)
        log.warn({ code: error.code, ...ids }, 'could not create the meeting of a calendar yet')
      else log.error({ err: error, ...ids }, 'failed to create the meeting of a calendar')
      return false
    }
  }
  /** Handles one batch. True when there may be more. */
  const attendBatch = async (): Promise<boolean> => {
    const due = await findDueOccurrences(db, membership.nodeId, clock.now())
    let failures = 0
    for (const occurrence of due) {
      if (closing.signal.aborted) return false
      if (!(await attend(occurrence))) failures += 1
    }
    return due.length === BATCH_SIZE && failures === 0
  }
  const runOnce = async () => {
    while (!closing.signal.aborted && (await attendBatch()));
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        if (membership.hasFreshHeartbeat()) await runOnce()
      } catch (error) {
        if (!closing.signal.aborted)
          log.error({ err: error }, 'failed to look for meetings of calendars')
      }
      await wakeUp.sleep(POLL_INTERVAL_MS)
    }
  }
  let looping: Promise<void> | null = null
  return {
    wake() {
      looping ??= loop()
      wakeUp.wake()
    },
    runOnce,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
    },
  }
}

/** In an order that differs between nodes, so that they rarely work on the same occurrence. */
async function findDueOccurrences(db: Db, nodeId: string, now: Date): Promise<OccurrenceRow[]> {
  return db
    .selectFrom('occurrence')
    .selectAll()
    .where('decision', '=', sql.lit('join'))
    .where(sql<boolean>`attended_start is distinct from starts_at`)
    .where('starts_at', '<=', new Date(now.getTime() + LEAD_MS))
    .where('ends_at', '>', now)
    .orderBy(sql`md5(id || ${nodeId})`)
    .limit(BATCH_SIZE)
    .execute()
}

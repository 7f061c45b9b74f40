import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { ServiceError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { createWakeableLoop } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { ATTEND_LEAD_MS } from '../planning/decide-attendance.ts'
import type { OccurrenceRow } from '../planning/occurrence-store.ts'
import { attendOccurrence, type AttendParts } from './attend-occurrence.ts'

/** Creates the meetings of occurrences shortly before they start. Every node runs one; each meeting is created once. */
export interface AttendRunner extends AsyncDisposable {
  /** Looks for due occurrences now. */
  wake(): void
  runOnce(): Promise<void>
}

type Parts = AttendParts & {
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'hasFreshHeartbeat'>
}

const POLL_INTERVAL_MS = 10_000
const BATCH_SIZE = 50
/** A start may wait for a name server, and the other starts must not wait for it. */
const CONCURRENCY = 8
/** What cannot be attended now, for example because all bots are busy, must not delay the others. */
const RETRY_AFTER_ERROR_MS = 30_000

export function createAttendRunner(parts: Parts): AttendRunner {
  const { db, clock, log, membership } = parts
  const closing = new AbortController()
  const limit = createConcurrencyLimit(CONCURRENCY)

  /** Occurrences that could not be attended, and when each is retried. */
  const failed = new Map<string, Date>()

  const attend = async (occurrence: OccurrenceRow): Promise<void> => {
    if (closing.signal.aborted) return
    const { id } = occurrence
    const ids = { occurrenceId: id, calendarId: occurrence.calendar_id }
    try {
      const outcome = await attendOccurrence(parts, occurrence)
      failed.delete(id)
      if (outcome === 'started') log.info(ids, 'created the meeting of a calendar')
    } catch (error) {
      failed.set(id, new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS))
      if (error instanceof ServiceError)
        log.warn({ code: error.code, ...ids }, 'could not create the meeting of a calendar yet')
      else log.error({ err: error, ...ids }, 'failed to create the meeting of a calendar')
    }
  }
  /** Handles everything that is due, each occurrence once. Refusing one may make another one due. */
  const runOnce = async () => {
    const now = clock.now()
    for (const [id, until] of failed) if (until <= now) failed.delete(id)
    const handled = new Set(failed.keys())
    while (!closing.signal.aborted) {
      const due = await findDueOccurrences(db, membership.nodeId, clock.now(), [...handled])
      if (due.length === 0) return
      for (const { id } of due) handled.add(id)
      await Promise.all(due.map((occurrence) => limit(() => attend(occurrence))))
    }
  }
  const loop = createWakeableLoop({
    closing,
    async round() {
      if (membership.hasFreshHeartbeat()) await runOnce()
      return POLL_INTERVAL_MS
    },
    onError(error) {
      log.error({ err: error }, 'failed to look for meetings of calendars')
      return POLL_INTERVAL_MS
    },
  })
  return { ...loop, runOnce }
}

/** Earliest first. Occurrences with equal times are ordered differently on each node, to avoid duplicate work. */
async function findDueOccurrences(
  db: Db,
  nodeId: string,
  now: Date,
  handled: readonly string[],
): Promise<OccurrenceRow[]> {
  return db
    .selectFrom('occurrence')
    .selectAll()
    .where('decision', '=', sql.lit('join'))
    .where(sql<boolean>`attended_start is distinct from starts_at`)
    .where('starts_at', '<=', new Date(now.getTime() + ATTEND_LEAD_MS))
    .where('ends_at', '>', now)
    .where(sql<boolean>`id <> all(${handled}::text[])`)
    .orderBy('starts_at')
    .orderBy(sql`md5(id || ${nodeId})`)
    .limit(BATCH_SIZE)
    .execute()
}

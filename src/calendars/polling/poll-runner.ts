import type { Db } from '../../db/database.ts'
import { startClaimLoop } from '../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import {
  claimDueCalendars,
  listOwnedCalendars,
  releaseCalendar,
  releaseUntil,
  type ClaimedCalendar,
} from './poll-claims.ts'

/** Reads the calendars that are due, each on one node. */
export interface PollRunner extends AsyncDisposable {
  /** Looks for calendars that are due now. */
  wake(): void
}

type Parts = {
  db: Db
  clock: Clock
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  /** Reads one calendar and stores the result. */
  poll(claimed: ClaimedCalendar, signal: AbortSignal): Promise<void>
}

const POLL_INTERVAL_MS = 10_000
const MAX_CONCURRENT = 4
/** How long a calendar waits after the database was not available or something unexpected happened. */
const RETRY_AFTER_ERROR_MS = 60_000

export function startPollRunner({ db, clock, log, membership, poll }: Parts): PollRunner {
  const { nodeId } = membership
  const running = new Map<string, { fence: number; abort: AbortController }>()
  const works = new Set<Promise<void>>()

  const start = (claimed: ClaimedCalendar) => {
    const { calendarId, fence } = claimed
    const abort = new AbortController()
    const work = async () => {
      try {
        await poll(claimed, abort.signal)
      } catch (error) {
        if (abort.signal.aborted) return releaseCalendar(db, claimed)
        log.error({ err: error, calendarId }, 'failed to poll a calendar')
        const next = new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS)
        await releaseUntil(db, claimed, next)
      }
    }
    const done = work()
      .catch((error: unknown) =>
        log.error({ err: error, calendarId }, 'failed to release a calendar'),
      )
      .finally(() => {
        works.delete(done)
        if (running.get(calendarId)?.abort === abort) running.delete(calendarId)
        loop.wake()
      })
    works.add(done)
    // The earlier poll has lost its lease, because the calendar got another address.
    running.get(calendarId)?.abort.abort()
    running.set(calendarId, { fence, abort })
  }
  const loop = startClaimLoop({
    what: 'calendars',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    running,
    findOwned: () => listOwnedCalendars(db, nodeId),
    update: (work, row) => row.fence !== work.fence && work.abort.abort(),
    stop: (work) => work.abort.abort(),
    async releaseOrphans(rows) {
      for (const { id, fence } of rows) await releaseCalendar(db, { calendarId: id, nodeId, fence })
    },
    async claim() {
      const free = MAX_CONCURRENT - running.size
      if (free > 0) (await claimDueCalendars(db, nodeId, clock.now(), free)).forEach(start)
    },
  })

  return {
    wake: loop.wake,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      for (const { abort } of running.values()) abort.abort()
      await Promise.all(works)
    },
  }
}

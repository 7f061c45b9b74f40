import type { Db } from '../../db/database.ts'
import { startLeasedWork } from '../../db/nodes/leased-work.ts'
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
  return startLeasedWork<ClaimedCalendar>({
    what: 'calendars',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    idOf: ({ calendarId }) => calendarId,
    findOwned: () => listOwnedCalendars(db, nodeId),
    async claim(running, start) {
      const free = MAX_CONCURRENT - running.length
      if (free > 0) (await claimDueCalendars(db, nodeId, clock.now(), free)).forEach(start)
    },
    run: poll,
    release: ({ id, fence }) => releaseCalendar(db, { calendarId: id, nodeId, fence }),
    postpone: (claimed) =>
      releaseUntil(db, claimed, new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS)),
  })
}

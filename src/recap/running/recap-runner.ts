import type { Db } from '../../db/database.ts'
import { startLeasedWork } from '../../db/nodes/leased-work.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { RecapStep } from '../store/recap-row.ts'
import {
  claimDueRecaps,
  insertMissingRecaps,
  listOwnedRecaps,
  releaseRecap,
  type ClaimedRecap,
} from '../store/recap-claims.ts'

/** Makes the recaps of ended meetings in the background, each on one node. */
export interface RecapRunner extends AsyncDisposable {
  /** Looks for work now, because a meeting has ended or a recap was changed. */
  wake(): void
}

type Parts = {
  db: Db
  clock: Clock
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  /** Whether meetings get a recap without a request for it. */
  isAutomatic: boolean
  /** Works on one recap until nothing is left to do or it was given back. */
  run(claimed: ClaimedRecap, signal: AbortSignal): Promise<void>
}

/** Also the time after which another node's request or a due retry is noticed. */
const POLL_INTERVAL_MS = 10_000
/** How long a recap waits after the database was not available. */
const RETRY_AFTER_ERROR_MS = 5_000
/** Recaps in work at the same time, by their step. Recaps by rules must not wait for a model that does not answer. */
const LIMITS: ReadonlyArray<{ steps: readonly RecapStep[]; maxConcurrent: number }> = [
  { steps: ['rules', 'document'], maxConcurrent: 2 },
  { steps: ['model'], maxConcurrent: 4 },
]

export function startRecapRunner(parts: Parts): RecapRunner {
  const { db, clock, log, membership } = parts
  const { nodeId } = membership
  return startLeasedWork<ClaimedRecap>({
    what: 'recaps',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    idOf: ({ meetingId }) => meetingId,
    findOwned: () => listOwnedRecaps(db, nodeId),
    async claim(running, start) {
      const now = clock.now()
      if (parts.isAutomatic) await insertMissingRecaps(db, now)
      for (const { steps, maxConcurrent } of LIMITS) {
        // By the step with which the work began.
        const free = maxConcurrent - running.filter(({ step }) => steps.includes(step)).length
        if (free > 0) (await claimDueRecaps(db, nodeId, now, free, steps)).forEach(start)
      }
    },
    run: parts.run,
    release: ({ id, fence }) => releaseRecap(db, { meetingId: id, nodeId, fence }),
    postpone: (claimed) =>
      releaseRecap(db, claimed, { dueAt: new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS) }),
  })
}

import type { Db } from '../../db/database.ts'
import { startClaimLoop } from '../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
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
/** Recaps in work at the same time. Most of them wait for a model. */
const MAX_CONCURRENT_RECAPS = 4

export function startRecapRunner(parts: Parts): RecapRunner {
  const { db, clock, log, membership, run } = parts
  const { nodeId } = membership
  const running = new Map<string, { fence: number; abort: AbortController; done: Promise<void> }>()

  const start = (claimed: ClaimedRecap) => {
    const { meetingId, fence } = claimed
    const abort = new AbortController()
    const work = async () => {
      try {
        await run(claimed, abort.signal)
      } catch (error) {
        if (abort.signal.aborted) return releaseRecap(db, claimed)
        log.error({ err: error, meetingId }, 'failed to work on a recap')
        await releaseRecap(db, claimed, {
          dueAt: new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS),
        })
      }
    }
    const done = work()
      .catch((error: unknown) => log.error({ err: error, meetingId }, 'failed to release a recap'))
      .finally(() => {
        if (running.get(meetingId)?.abort === abort) running.delete(meetingId)
        loop.wake()
      })
    running.set(meetingId, { fence, abort, done })
  }
  const loop = startClaimLoop({
    what: 'recaps',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    running,
    findOwned: () => listOwnedRecaps(db, nodeId),
    update: (work, row) => row.fence !== work.fence && work.abort.abort(),
    stop: (work) => work.abort.abort(),
    async releaseOrphans(rows) {
      for (const { id, fence } of rows) await releaseRecap(db, { meetingId: id, nodeId, fence })
    },
    async claim() {
      const now = clock.now()
      if (parts.isAutomatic) await insertMissingRecaps(db, now)
      const free = MAX_CONCURRENT_RECAPS - running.size
      if (free > 0) (await claimDueRecaps(db, nodeId, now, free)).forEach(start)
    },
  })

  return {
    wake: loop.wake,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

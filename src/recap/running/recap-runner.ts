import type { Db } from '../../db/database.ts'
import { startClaimLoop } from '../../db/nodes/claim-loop.ts'
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

type RunningRecap = {
  fence: number
  /** The step with which the work began. */
  step: RecapStep
  abort: AbortController
}

export function startRecapRunner(parts: Parts): RecapRunner {
  const { db, clock, log, membership, run } = parts
  const { nodeId } = membership
  const running = new Map<string, RunningRecap>()
  /** All work that has not ended, also what was aborted because the recap was requested again. */
  const works = new Set<Promise<void>>()

  const start = (claimed: ClaimedRecap) => {
    const { meetingId, fence, step } = claimed
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
        works.delete(done)
        if (running.get(meetingId)?.abort === abort) running.delete(meetingId)
        loop.wake()
      })
    works.add(done)
    // Earlier work has lost its lease, if a new recap was requested since this round began.
    running.get(meetingId)?.abort.abort()
    running.set(meetingId, { fence, step, abort })
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
      for (const { steps, maxConcurrent } of LIMITS) {
        const busy = [...running.values()].filter(({ step }) => steps.includes(step)).length
        const free = maxConcurrent - busy
        if (free > 0) (await claimDueRecaps(db, nodeId, now, free, steps)).forEach(start)
      }
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

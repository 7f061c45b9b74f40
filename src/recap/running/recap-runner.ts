import type { AreaContext } from '../../db/context.ts'
import { startLeasedWork, type ClaimLoop } from '../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import { ServiceError } from '../../errors.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import {
  claimDueRecaps,
  insertMissingRecaps,
  listOwnedRecaps,
  releaseRecap,
  type ClaimedRecap,
  RecapLeaseLost,
} from '../store/recap-claims.ts'
import type { RecapStep } from '../store/recap-row.ts'
import { createRecapSteps, type RecapStepParts, type StepResult } from './recap-steps.ts'

type Parts = AreaContext & {
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  /** True if meetings get a recap without a request. */
  isAutomatic: boolean
  /** Works on one recap until nothing is left to do, or until it was released. */
  run(claimed: ClaimedRecap, signal: AbortSignal): Promise<void>
}

/** Also the time until another node's request or a due retry is noticed. */
const POLL_INTERVAL_MS = 10_000
/** How long a recap waits after the database was unavailable. */
const RETRY_AFTER_ERROR_MS = 5_000
/** Limits of concurrent recaps by step. Recaps by rules must not wait for a model that does not answer. */
const LIMITS: ReadonlyArray<{ steps: readonly RecapStep[]; maxConcurrent: number }> = [
  { steps: ['rules', 'document'], maxConcurrent: 2 },
  { steps: ['model'], maxConcurrent: 4 },
]

/** Delays before a failed step is retried. After the last one the step is given up. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000]

/** Makes the recaps of ended meetings in the background, each on one node. */
export function startRecapRunner(parts: Parts): ClaimLoop {
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
        // Counted by the step with which the work began.
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

/**
 * Runs the remaining steps of a claimed recap. Returns when they are done or the recap was released. It is also
 * released before the model step, which can take minutes and has its own limit.
 */
export async function runRecap(
  parts: RecapStepParts,
  claimed: ClaimedRecap,
  signal: AbortSignal,
): Promise<void> {
  let { step, attempts } = claimed
  while (step !== 'done') {
    const result = await runStep(parts, { ...claimed, step, attempts }, signal)
    if (result === 'released') return
    if (result === 'model') return releaseRecap(parts.db, claimed)
    step = result
    attempts = 0
  }
}

async function runStep(
  parts: RecapStepParts,
  claimed: ClaimedRecap & { step: Exclude<RecapStep, 'done'> },
  signal: AbortSignal,
): Promise<StepResult> {
  const { db, clock, log } = parts
  const { meetingId, attempts } = claimed
  const step = createRecapSteps(parts)[claimed.step]
  try {
    return await step.run(claimed, signal)
  } catch (error) {
    const isRemoved = error instanceof ServiceError && error.code === 'meeting_not_found'
    if (error instanceof RecapLeaseLost || isRemoved) return 'released'
    // The runner releases the recap.
    if (signal.aborted || isTransientDatabaseError(error)) throw error
    const about = { meetingId, step: claimed.step }
    if (!step.isExpected(error)) log.error({ err: error, ...about }, 'failed to make a recap')
    else log.warn({ reason: errorMessageOf(error), ...about }, 'the model has not made a recap')
    const delayMs = step.isRetried(error) ? RETRY_DELAYS_MS[attempts] : undefined
    if (delayMs === undefined) return step.giveUp(claimed, error)
    const dueAt = new Date(clock.now().getTime() + delayMs)
    await releaseRecap(db, claimed, { dueAt, isFailure: true })
    return 'released'
  }
}

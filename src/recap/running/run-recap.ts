import { ServiceError } from '../../errors.ts'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { RecapLeaseLost, releaseRecap, type ClaimedRecap } from '../store/recap-claims.ts'
import type { RecapStep } from '../store/recap-row.ts'
import { createRecapSteps, type RecapStepParts, type StepResult } from './recap-steps.ts'

/** Waiting times before a failed step is tried again. After the last one it is given up. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000]

/**
 * Does the steps of a claimed recap that are left. Returns when they are done or the recap was given back, which is also
 * done before the step of the model: that one can take minutes and has its own limit.
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
    // The runner gives the recap back.
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

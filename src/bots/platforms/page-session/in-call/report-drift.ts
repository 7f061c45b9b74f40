import { findPartDrifts } from '../../page-model/selector-drift.ts'
import { describeStrategy } from '../../page-model/describe-strategy.ts'
import type { InCallTask } from './in-call-task.ts'
import type { PageSession } from '../page-session.ts'

/** A call page loads its parts gradually; parts that are missing after this time will not appear. */
const CALL_BUILD_MS = 3_000

/** Compares the parts of the call with the page model, once. */
export function createReportSelectorDriftTask(session: PageSession): InCallTask {
  const { pageModel, pageState, emit, now } = session
  const since = now()
  let isDone = false
  let isAwake = false
  return async () => {
    const isCall = pageState.latest().state === 'in call'
    if (isDone || !isCall || now() - since < CALL_BUILD_MS) return null
    if (!isAwake) {
      // A hidden toolbar would look like a missing one. Moving the pointer makes the next observation show it.
      isAwake = await session.movePointer()
      return null
    }
    isDone = true
    const seen = pageState.observation()
    if (seen === null) return null
    const drifts = findPartDrifts(pageModel, seen.found, seen.language).map(
      ({ part, foundBy }) => ({
        part,
        foundBy: foundBy === null ? null : describeStrategy(foundBy),
      }),
    )
    if (drifts.length > 0) emit({ kind: 'drift', drifts })
    return null
  }
}

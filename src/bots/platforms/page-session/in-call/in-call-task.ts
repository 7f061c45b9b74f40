import type { PageStateDecision } from '../../page-model/page-states.ts'
import type { SessionEnd } from '../page-session.ts'

/**
 * A task that runs repeatedly during the call and takes one small step each time. A returned end ends the session.
 */
export type InCallTask = () => Promise<SessionEnd | null>

/** The tasks that may run on the page as it is now, in order. */
export function selectTasksToRun(
  { because, conditions }: Pick<PageStateDecision, 'because' | 'conditions'>,
  tasks: readonly InCallTask[],
  keepCaptionsOn: InCallTask,
): readonly InCallTask[] {
  // A page that shows an end is not the call any more.
  if (because !== null) return []
  // A page that reconnects restores its parts itself.
  return conditions.includes('reconnecting') ? [keepCaptionsOn] : tasks
}

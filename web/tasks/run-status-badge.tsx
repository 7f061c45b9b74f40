import type { ApiExecutionWithSummary } from '../../src/http/shapes/tasks.ts'
import { labelRun } from './task-labels.ts'
import { StateBadge } from '../ui/text.tsx'

type RunStatusBadgeProps = Pick<ApiExecutionWithSummary, 'status' | 'cancelled' | 'truncatedBy'> & {
  isWaiting?: boolean
}

/** The label alone carries the meaning. The colour is only an addition. */
export function RunStatusBadge({ isWaiting = false, ...run }: RunStatusBadgeProps) {
  const { label, colour } = labelRun(run)
  return (
    <StateBadge colour={colour}>
      {run.status === 'running' && !isWaiting && <span className="live-dot" aria-hidden />}
      {isWaiting ? 'Queued' : label}
    </StateBadge>
  )
}

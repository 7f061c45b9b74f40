import { Badge } from '@mantine/core'
import type { ApiExecutionWithSummary } from '../../src/http/shapes/tasks.ts'
import { labelRun } from './task-labels.ts'

type RunStatusBadgeProps = Pick<ApiExecutionWithSummary, 'status' | 'cancelled' | 'truncatedBy'> & {
  isWaiting?: boolean
}

/** The label alone carries the meaning. The colour is only an addition. */
export function RunStatusBadge({ isWaiting = false, ...run }: RunStatusBadgeProps) {
  const { label, colour } = labelRun(run)
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {run.status === 'running' && !isWaiting && <span className="live-dot" aria-hidden />}
      {isWaiting ? 'Queued' : label}
    </Badge>
  )
}

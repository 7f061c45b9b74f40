import { Badge } from '@mantine/core'
import type { WireExecutionWithSummary } from '../../src/http/shapes/tasks.ts'
import { INCOMPLETE_RUN_LABEL, RUN_STATUS_LABELS } from './task-labels.ts'

interface RunStatusBadgeProps {
  status: WireExecutionWithSummary['status']
  isWaiting?: boolean
  /** The run completed, but the answer of the model is incomplete. */
  isIncomplete?: boolean
}

/** The label alone carries the meaning; the colour is only an addition. */
export function RunStatusBadge({
  status,
  isWaiting = false,
  isIncomplete = false,
}: RunStatusBadgeProps) {
  const { label, colour } = isIncomplete ? INCOMPLETE_RUN_LABEL : RUN_STATUS_LABELS[status]
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {status === 'running' && !isWaiting && <span className="live-dot" aria-hidden />}
      {isWaiting ? 'Queued' : label}
    </Badge>
  )
}

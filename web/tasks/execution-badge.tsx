import { Badge } from '@mantine/core'
import type { WireExecution } from '../../src/http/shapes/tasks.ts'
import { STATUSES } from './words.ts'

interface ExecutionBadgeProps {
  status: WireExecution['status']
  isWaiting?: boolean
}

/** The word says it; the colour only helps. */
export function ExecutionBadge({ status, isWaiting = false }: ExecutionBadgeProps) {
  const { label, colour } = STATUSES[status]
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {status === 'running' && !isWaiting && <span className="live-dot" aria-hidden />}
      {isWaiting ? 'Waiting' : label}
    </Badge>
  )
}

import { Badge } from '@mantine/core'
import type { MeetingStatus } from '../../src/http/shapes/meetings.ts'
import { STATUSES } from './words.ts'

/** The word says it; the colour only helps. */
export function StatusBadge({ status }: { status: MeetingStatus }) {
  const { label, colour } = STATUSES[status]
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {status === 'live' && <span className="live-dot" aria-hidden />}
      {label}
    </Badge>
  )
}

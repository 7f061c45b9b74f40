import { Badge } from '@mantine/core'
import type { MeetingStatus } from '../../src/http/shapes/values.ts'
import { MEETING_STATUS_LABELS } from './meeting-labels.ts'

/** The label alone carries the meaning; the colour is only an addition. */
export function MeetingStatusBadge({ status }: { status: MeetingStatus }) {
  const { label, colour } = MEETING_STATUS_LABELS[status]
  return (
    <Badge className={`badge badge-${colour}`} variant="default" radius="sm" tt="none">
      {status === 'live' && <span className="live-dot" aria-hidden />}
      {label}
    </Badge>
  )
}

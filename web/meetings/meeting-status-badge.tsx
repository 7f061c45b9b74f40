import { Text } from '@mantine/core'
import type { EndReason, MeetingStatus } from '../../src/http/shapes/values.ts'
import { MEETING_STATUS_LABELS, describeMeetingEnding } from './meeting-labels.ts'
import { StateBadge } from '../ui/text.tsx'

/** The label alone carries the meaning. The colour is only an addition. */
export function MeetingStatusBadge({ status }: { status: MeetingStatus }) {
  const { label, colour } = MEETING_STATUS_LABELS[status]
  return (
    <StateBadge colour={colour}>
      {status === 'live' && <span className="live-dot" aria-hidden />}
      {label}
    </StateBadge>
  )
}

/** How a meeting ended, beside or below its status. */
export function MeetingEnding({
  meeting,
  size,
}: {
  meeting: { status: MeetingStatus; reason: EndReason | null }
  size: 'xs' | 'sm'
}) {
  const ending = describeMeetingEnding(meeting)
  if (ending === null) return null
  return (
    <Text span size={size} c="dimmed">
      {ending}
    </Text>
  )
}

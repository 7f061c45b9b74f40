import { Stack, Text } from '@mantine/core'
import type { WirePastMeeting } from '../../src/http/shapes/meetings/meetings.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { TextLink } from '../ui/links.tsx'
import { Time } from '../ui/format/time.tsx'
import { MeetingStatusBadge } from './meeting-status-badge.tsx'
import { PLATFORM_LABELS, MEETING_END_REASON_TEXTS, isActiveStatus } from './meeting-labels.ts'
import { formatSecondsAsClock } from '../ui/format/format-text.ts'
import { Name } from '../ui/format/name.tsx'

type Row = WirePastMeeting & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Meeting',
    cell: ({ meetingId, title }) => (
      <TextLink to="/meetings/$meetingId" params={{ meetingId }} fw={600}>
        <Name>{title}</Name>
      </TextLink>
    ),
  },
  { header: 'Status', cell: (row) => <StatusCell meeting={row} /> },
  { header: 'Started', cell: ({ startedAt }) => <Time at={startedAt} show="minute" /> },
  {
    header: 'Duration',
    cell: (row) => <span className="figures">{formatMeetingLength(row)}</span>,
  },
  { header: 'Participants', cell: ({ participantCount }) => participantCount },
  { header: 'Lines', cell: ({ segmentCount }) => segmentCount.toLocaleString('en') },
  { header: 'Platform', cell: ({ platform }) => PLATFORM_LABELS[platform] },
  { header: 'Project', cell: ({ project }) => <span className="break-anywhere">{project}</span> },
]

export function MeetingTable({
  meetings,
  caption,
}: {
  meetings: WirePastMeeting[]
  caption: string
}) {
  const rows = meetings.map((meeting) => ({ ...meeting, id: meeting.meetingId }))
  return (
    <DataTable
      caption={caption}
      rows={rows}
      columns={COLUMNS}
      rowMenu={({ id, title }) => ({
        id,
        rowName: title,
        curlApiPath: `/meetings/${encodeURIComponent(id)}`,
      })}
    />
  )
}

/** The status of a meeting, when it begins and, once it is over, the reason. */
function StatusCell({ meeting }: { meeting: WirePastMeeting }) {
  const { status, reason, startedAt } = meeting
  return (
    <Stack gap={2} align="flex-start">
      <MeetingStatusBadge status={status} />
      {status === 'scheduled' && (
        <Text size="xs" c="dimmed">
          Joins <Time at={startedAt} show="relative" />
        </Text>
      )}
      {reason !== null && !isActiveStatus(status) && (
        <Text size="xs" c="dimmed">
          {MEETING_END_REASON_TEXTS[reason].what}
        </Text>
      )}
    </Stack>
  )
}

function formatMeetingLength({ liveAt, endedAt }: WirePastMeeting): string {
  if (liveAt === null) return '–'
  const until = endedAt === null ? Date.now() : Date.parse(endedAt)
  return formatSecondsAsClock((until - Date.parse(liveAt)) / 1000)
}

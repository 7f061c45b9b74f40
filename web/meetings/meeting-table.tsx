import { Stack, Text } from '@mantine/core'
import type { WireMeeting } from '../../src/http/shapes/meetings.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { TextLink } from '../ui/links.tsx'
import { Time } from '../ui/time.tsx'
import { StatusBadge } from './status-badge.tsx'
import { clock, PLATFORMS, REASONS, STATUSES } from './words.ts'

type Row = WireMeeting & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    head: 'Meeting',
    cell: ({ meetingId, title }) => (
      <TextLink to="/meetings/$meetingId" params={{ meetingId }} fw={600}>
        {title}
      </TextLink>
    ),
  },
  { head: 'State', cell: (row) => <State meeting={row} /> },
  { head: 'Started', cell: ({ startedAt }) => <Time at={startedAt} show="minute" /> },
  { head: 'Length', cell: (row) => <span className="figures">{lengthOf(row)}</span> },
  { head: 'People', cell: ({ participantCount }) => participantCount },
  { head: 'Lines', cell: ({ segmentCount }) => segmentCount.toLocaleString('en') },
  { head: 'Platform', cell: ({ platform }) => PLATFORMS[platform] },
  { head: 'Project', cell: ({ project }) => <span className="break-anywhere">{project}</span> },
]

export function MeetingTable({ meetings, caption }: { meetings: WireMeeting[]; caption: string }) {
  const rows = meetings.map((meeting) => ({ ...meeting, id: meeting.meetingId }))
  return (
    <DataTable
      caption={caption}
      rows={rows}
      columns={COLUMNS}
      menuOf={({ id, title }) => ({ id, name: title, path: `/meetings/${encodeURIComponent(id)}` })}
    />
  )
}

/** A failed one says why. */
function State({ meeting: { status, reason } }: { meeting: WireMeeting }) {
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={status} />
      {reason !== null && !STATUSES[status].isActive && (
        <Text size="xs" c="dimmed">
          {REASONS[reason].what}
        </Text>
      )}
    </Stack>
  )
}

function lengthOf({ liveAt, endedAt }: WireMeeting): string {
  if (liveAt === null) return '–'
  const until = endedAt === null ? Date.now() : Date.parse(endedAt)
  return clock((until - Date.parse(liveAt)) / 1000)
}

import type { ApiPastMeeting } from '../../src/http/shapes/meetings/meetings.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { TitleLink } from '../ui/links.tsx'
import { Time } from '../ui/format/time.tsx'
import { MeetingStatusBadge } from './meeting-status-badge.tsx'
import { PLATFORM_LABELS, describeMeetingEnding } from './meeting-labels.ts'
import { formatSecondsAsClock } from '../ui/format/format-text.ts'
import { Name } from '../ui/format/name.tsx'

type Row = ApiPastMeeting & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Meeting',
    cell: ({ meetingId, title }) => (
      <TitleLink to="/meetings/$meetingId" params={{ meetingId }}>
        <Name>{title}</Name>
      </TitleLink>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) => <MeetingStatusBadge status={status} />,
    isShort: true,
    card: 'badge',
  },
  {
    header: 'Started',
    cell: ({ startedAt }) => <Time at={startedAt} show="minute" />,
    isShort: true,
    card: 'line',
  },
  {
    header: 'Duration',
    cell: (row) => <span className="figures">{formatMeetingLength(row)}</span>,
    isShort: true,
    priority: 'middle',
  },
  {
    header: 'Lines',
    cell: ({ segmentCount }) => segmentCount.toLocaleString('en'),
    isShort: true,
    priority: 'low',
  },
]

export function MeetingTable({
  meetings,
  caption,
}: {
  meetings: ApiPastMeeting[]
  caption: string
}) {
  const rows = meetings.map((meeting) => ({ ...meeting, id: meeting.meetingId }))
  return (
    <DataTable
      caption={caption}
      rows={rows}
      columns={COLUMNS}
      renderDetail={(row) => <MeetingDetail meeting={row} />}
      rowMenu={({ id, title }) => ({
        id,
        rowName: title,
        curlApiPath: `/meetings/${encodeURIComponent(id)}`,
      })}
    />
  )
}

/** End reasons that need no explanation. */
const USUAL_END_REASONS = new Set(['host_ended', 'everyone_left', 'stopped'])

/** When a scheduled meeting begins, or how a meeting ended if that was unusual, otherwise its project and platform. */
function MeetingDetail({ meeting }: { meeting: ApiPastMeeting }) {
  const { status, reason, startedAt, project, platform } = meeting
  if (status === 'scheduled')
    return (
      <>
        Joins <Time at={startedAt} show="relative" />
      </>
    )
  const ending = describeMeetingEnding(meeting)
  if (ending !== null && !USUAL_END_REASONS.has(reason ?? '')) return ending
  return `${project} · ${PLATFORM_LABELS[platform]}`
}

function formatMeetingLength({ liveAt, endedAt }: ApiPastMeeting): string {
  if (liveAt === null) return '–'
  const until = endedAt === null ? Date.now() : Date.parse(endedAt)
  return formatSecondsAsClock((until - Date.parse(liveAt)) / 1000)
}

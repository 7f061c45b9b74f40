import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { Stack, Group, TextInput } from '@mantine/core'
import { ImportTranscripts } from './importing/import-transcripts.tsx'
import { Recordings } from './importing/recordings.tsx'
import { LiveMeetings } from './live-meetings.tsx'
import { type MeetingListFilter, useActiveMeetings, useMeetingList } from './queries.ts'
import { StartMeetingForm } from './start-meeting-form.tsx'
import { PLATFORM_LABELS, MEETING_STATUS_LABELS, describeMeetingEnding } from './meeting-labels.ts'
import { EmptyState, QueryView } from '../ui/feedback/feedback.tsx'
import { TextLink, TitleLink, Name, meetingPage } from '../ui/links.tsx'
import { FilterRow, PageTitle } from '../ui/layout.tsx'
import { type Column, LoadMoreButton, DataTable } from '../ui/tables/data-table.tsx'
import type { ApiPastMeeting } from '../../src/http/shapes/meetings/meetings.ts'
import { Time } from '../ui/format/time.tsx'
import { MeetingStatusBadge } from './meeting-status-badge.tsx'
import { formatSecondsAsClock } from '../ui/format/format-text.ts'
import { FilterSelect, toOptionsByLabel, toOptions } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/meetings')

export function MeetingsPage() {
  const filter = route.useSearch()
  const active = useActiveMeetings()
  const history = useMeetingList(filter)
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <Stack gap="xl" maw={1200}>
      <Group justify="space-between">
        <PageTitle>Meetings</PageTitle>
        <ImportTranscripts />
      </Group>
      <StartMeetingForm />
      <Recordings />
      <LiveMeetings meetings={active.data?.meetings ?? []} />
      <Stack gap="md" component="section" aria-label="All meetings">
        <Filters filter={filter} />
        <QueryView query={history} label="the meetings">
          {({ pages }) => {
            const meetings = pages.flatMap((page) => page.meetings)
            if (meetings.length > 0)
              return <MeetingTable caption="All meetings" meetings={meetings} />
            return <NoMeetings isFiltered={isFiltered} />
          }}
        </QueryView>
        <LoadMoreButton query={history}>Show older meetings</LoadMoreButton>
      </Stack>
    </Stack>
  )
}

function NoMeetings({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        drawing="search"
        title="No meetings match these filters"
        action={<TextLink to="/meetings">Show all meetings</TextLink>}
      />
    )
  return (
    <EmptyState drawing="talk" title="No meetings yet">
      Paste a meeting link above. The transcript and the recap of every meeting stay here.
    </EmptyState>
  )
}

/** The filters are stored in the URL, so that a filtered list can be shared as a link. */
function Filters({ filter }: { filter: MeetingListFilter }) {
  const navigate = route.useNavigate()
  const set = (change: MeetingListFilter) =>
    void navigate({ search: { ...filter, ...change }, replace: true })
  const search = useDebouncedCallback((q: string) => set({ q: q.trim() || undefined }), 250)
  return (
    <FilterRow filter={filter}>
      <TextInput
        label="Title contains"
        className="filter-wide"
        defaultValue={filter.q ?? ''}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <FilterSelect
        label="Status"
        value={filter.status}
        options={toOptionsByLabel(MEETING_STATUS_LABELS)}
        onChange={(status) => set({ status })}
      />
      <FilterSelect
        label="Platform"
        value={filter.platform}
        options={toOptions(PLATFORM_LABELS)}
        onChange={(platform) => set({ platform })}
      />
    </FilterRow>
  )
}

type Row = ApiPastMeeting & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Meeting',
    cell: ({ meetingId, title }) => (
      <TitleLink {...meetingPage(meetingId)}>
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

function MeetingTable({ meetings, caption }: { meetings: ApiPastMeeting[]; caption: string }) {
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

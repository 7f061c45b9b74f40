import { Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { ImportTranscripts } from './importing/import-transcripts.tsx'
import { LiveMeetings } from './live-meetings.tsx'
import { MeetingTable } from './meeting-table.tsx'
import { useActiveMeetings, useMeetingList, type MeetingListFilter } from './queries.ts'
import { StartMeetingForm } from './start-meeting-form.tsx'
import { PLATFORM_LABELS, MEETING_STATUS_LABELS } from './meeting-labels.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { TextLink } from '../ui/links.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { FilterRow } from '../ui/layout/filter-row.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { LoadMoreButton } from '../ui/tables/pages.tsx'

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
      <NativeSelect
        label="Status"
        value={filter.status ?? ''}
        onChange={(event) => set({ status: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any' },
          ...Object.entries(MEETING_STATUS_LABELS).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        label="Platform"
        value={filter.platform ?? ''}
        onChange={(event) => set({ platform: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any' },
          ...Object.entries(PLATFORM_LABELS).map(([value, label]) => ({ value, label })),
        ]}
      />
    </FilterRow>
  )
}

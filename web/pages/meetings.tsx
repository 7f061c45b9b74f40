import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { LiveStrip } from '../meetings/live-strip.tsx'
import { MeetingTable } from '../meetings/meeting-table.tsx'
import { useActiveMeetings, useHistory, type HistoryFilter } from '../meetings/queries.ts'
import { StartBox } from '../meetings/start-box.tsx'
import { PLATFORMS, STATUSES } from '../meetings/words.ts'
import { Loaded } from '../ui/loaded.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { MoreButton } from '../ui/more-button.tsx'

const route = getRouteApi('/inside/meetings')

export function MeetingsPage() {
  const filter = route.useSearch()
  const active = useActiveMeetings()
  const history = useHistory(filter)
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <Stack gap="xl" maw={1200}>
      <PageTitle>Meetings</PageTitle>
      <StartBox />
      <LiveStrip meetings={active.data?.meetings ?? []} />
      <Stack gap="md" component="section" aria-label="All meetings">
        <Filters filter={filter} />
        <Loaded query={history} what="the meetings">
          {({ pages }) => {
            const meetings = pages.flatMap((page) => page.meetings)
            if (meetings.length > 0)
              return <MeetingTable caption="All meetings" meetings={meetings} />
            return <Text>{isFiltered ? 'No meeting fits these filters.' : 'No meeting yet.'}</Text>
          }}
        </Loaded>
        <MoreButton of={history}>Show older meetings</MoreButton>
      </Stack>
    </Stack>
  )
}

/** In the address, so that a filtered list can be sent to somebody. */
function Filters({ filter }: { filter: HistoryFilter }) {
  const navigate = route.useNavigate()
  const set = (change: HistoryFilter) =>
    void navigate({ search: { ...filter, ...change }, replace: true })
  const search = useDebouncedCallback((q: string) => set({ q: q.trim() || undefined }), 250)
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="Title contains"
        flex="1 1 180px"
        defaultValue={filter.q ?? ''}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <NativeSelect
        label="State"
        value={filter.status ?? ''}
        onChange={(event) => set({ status: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any' },
          ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        label="Platform"
        value={filter.platform ?? ''}
        onChange={(event) => set({ platform: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any' },
          ...Object.entries(PLATFORMS).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Group>
  )
}

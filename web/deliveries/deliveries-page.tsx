import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { WireDelivery } from '../../src/http/shapes/deliveries.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { DayFigures } from './day-figures.tsx'
import { useDeliveries, useFailedEvents, useDeliveryFigures } from './queries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { ReplayFailedDialog } from './replay-failed-dialog.tsx'
import { TIME_RANGES, toDeliveryFilter, type DeliverySearchParams } from './delivery-filter.ts'
import { SignatureDialog } from './signature/signature-dialog.tsx'
import { TestEventDialog } from './test-event-dialog.tsx'
import { pluralize } from '../meetings/meeting-labels.ts'
import { InfoCard } from '../ui/layout/info-card.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { StatusMessage } from '../ui/feedback/status-message.tsx'
import { useNow } from '../ui/format/time.tsx'
import { useShortcuts } from '../ui/keyboard/use-shortcuts.ts'
import { LoadMoreButton } from '../ui/tables/load-more-button.tsx'

const route = getRouteApi('/signed-in/deliveries')

const EVENT_TYPE_OPTIONS = [
  'meeting_status',
  'segment_finalized',
  'coach_insight',
  'participant_joined',
  'participant_left',
  'document_saved',
  'test',
]

type OpenDialog =
  | { kind: 'attempt'; attempt: WireDelivery }
  | { kind: 'replay' | 'replay-failed' | 'check' | 'test' }
  | null

export function DeliveriesPage() {
  const search = route.useSearch()
  const query = useDeliveries(toDeliveryFilter(search, useNow()))
  const { data: failed } = useFailedEvents()
  const [open, setOpen] = useState<OpenDialog>(null)
  const [note, setNote] = useState('')
  const close = () => setOpen(null)
  useShortcuts({ R: () => failed?.events && setOpen({ kind: 'replay-failed' }) })
  const isFiltered = Object.values(search).some(Boolean)
  return (
    <Stack gap="lg" maw={1200}>
      <PageTitle>Deliveries</PageTitle>
      <Last24HoursCard onReplay={() => setOpen({ kind: 'replay-failed' })} />
      <Group gap="xs">
        <ButtonLink to="/deliveries/inbox" variant="default">
          Inbox
        </ButtonLink>
        <Button variant="default" onClick={() => setOpen({ kind: 'test' })}>
          Send a test event
        </Button>
        <Button variant="default" onClick={() => setOpen({ kind: 'check' })}>
          Check a signature
        </Button>
        {search.meeting !== undefined && (
          <Button variant="default" onClick={() => setOpen({ kind: 'replay' })}>
            Replay this meeting
          </Button>
        )}
      </Group>
      <StatusMessage>{note}</StatusMessage>
      <Filters search={search} />
      <QueryView query={query} what="the deliveries">
        {({ pages }) => {
          const attempts = pages.flatMap(({ deliveries }) => deliveries)
          if (attempts.length === 0) return <EmptyState isFiltered={isFiltered} />
          return (
            <DeliveryTable
              attempts={attempts}
              onOpen={(attempt) => setOpen({ kind: 'attempt', attempt })}
            />
          )
        }}
      </QueryView>
      <LoadMoreButton of={query}>Show older attempts</LoadMoreButton>
      {open?.kind === 'attempt' && (
        <DeliveryDialog attempt={open.attempt} onClose={close} onReplayed={setNote} />
      )}
      {open?.kind === 'replay-failed' && failed && (
        <ReplayFailedDialog
          failed={failed}
          onClose={close}
          onDone={(events) => setNote(`${pluralize(events, 'event')} on the way again`)}
        />
      )}
      {open?.kind === 'check' && <SignatureDialog onClose={close} />}
      {open?.kind === 'test' && <TestEventDialog onClose={close} />}
      {open?.kind === 'replay' && search.meeting !== undefined && (
        <ReplayDialog
          meetingId={search.meeting}
          title={search.meeting}
          onClose={close}
          onDone={({ events }) => setNote(`${pluralize(events, 'event')} on the way again`)}
        />
      )}
    </Stack>
  )
}

/** The first glance; nothing until something was sent. */
function Last24HoursCard({ onReplay }: { onReplay: () => void }) {
  const { data: figures } = useDeliveryFigures()
  const { data: failed } = useFailedEvents()
  const isQuiet = !figures || figures.delivered + figures.failed === 0
  if (isQuiet && !failed?.events) return null
  return (
    <InfoCard title="Last 24 hours" facts={[]}>
      {!isQuiet && <DayFigures figures={figures} />}
      {failed !== undefined && failed.events > 0 && (
        <Group justify="space-between" gap="sm" className="why-box">
          <Text>
            {pluralize(failed.events, 'event')} of {pluralize(failed.meetings, 'meeting')} could not
            be delivered and {failed.events === 1 ? 'was' : 'were'} given up.
          </Text>
          <Button variant="default" onClick={onReplay}>
            Replay all failed
          </Button>
        </Group>
      )}
    </InfoCard>
  )
}

function EmptyState({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Text>No attempt fits these filters.</Text>
  return (
    <Text>
      Nothing was sent yet. Callbacks of meetings that are started with a callback URL appear here,
      each with every attempt. Without a receiver, start a meeting with the inbox of this console,
      or run <code>hansard listen</code>.
    </Text>
  )
}

/** In the address, so that what is wrong can be sent to somebody. */
function Filters({ search }: { search: DeliverySearchParams }) {
  const navigate = route.useNavigate()
  const set = (change: DeliverySearchParams) =>
    void navigate({ search: { ...search, ...change }, replace: true })
  const setMeeting = useDebouncedCallback(
    (text: string) => set({ meeting: text.trim() || undefined }),
    250,
  )
  const any = { value: '', label: 'Any' }
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        key={search.meeting}
        label="Meeting id"
        flex="1 1 220px"
        defaultValue={search.meeting ?? ''}
        onChange={(event) => setMeeting(event.currentTarget.value)}
      />
      <NativeSelect
        label="Outcome"
        value={search.outcome ?? ''}
        onChange={(event) => set({ outcome: event.currentTarget.value || undefined })}
        data={[
          any,
          { value: 'delivered', label: 'Delivered' },
          { value: 'failed', label: 'Failed' },
          { value: 'rejected', label: 'Rejected' },
          { value: 'gone', label: 'No more wanted' },
        ]}
      />
      <NativeSelect
        label="Event"
        value={search.type ?? ''}
        onChange={(event) => set({ type: event.currentTarget.value || undefined })}
        data={[any, ...EVENT_TYPE_OPTIONS]}
      />
      <NativeSelect
        label="When"
        value={search.last ?? ''}
        onChange={(event) => set({ last: event.currentTarget.value || undefined })}
        data={[any, ...Object.entries(TIME_RANGES).map(([value, { label }]) => ({ value, label }))]}
      />
    </Group>
  )
}

import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { Stack, Group, Button, Text, TextInput, Code } from '@mantine/core'
import { useState } from 'react'
import type {
  ApiDelivery,
  ApiDeliveryFigures,
  ApiTestCallbackResult,
} from '../../src/http/shapes/deliveries.ts'
import { EVENT_TYPES } from '../../src/http/shapes/values.ts'
import { type DeliveryTab, DeliveryDialog } from './delivery-dialog.tsx'
import {
  ATTEMPT_OUTCOME_LABELS,
  eventTypeLabel,
  receiverName,
  replayStartedText,
  testEventResultText,
} from './delivery-texts.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { useDeliveries, useFailedEventTotals, useDeliveryFigures } from './queries.ts'
import { Receivers } from './receivers.tsx'
import { ReplayDialog, ReplayFailedEventsDialog } from './replay-dialogs.tsx'
import type { DeliverySearchParams } from './delivery-filter.ts'
import { DELIVERY_TIME_RANGES, searchParamsToDeliveryFilter } from './delivery-filter.ts'
import { SignatureCheckDialog } from './signature-check.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { FilterRow, InfoCard, PageTitle } from '../ui/layout.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { EmptyState, QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { LoadMoreButton } from '../ui/tables/data-table.tsx'
import { BarChart } from '../ui/charts/charts.tsx'
import { useApi } from '../api/use-api.tsx'
import { SigningTokenField } from '../meetings/callback-fields.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { Form, readFormText, useAction } from '../ui/forms.tsx'
import { TextField, FilterSelect, toOptionsByLabel } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/deliveries')

/** The options of the event type filter: the event types of meetings, and `test` for test events. */
const EVENT_TYPE_OPTIONS = [...EVENT_TYPES, 'test'].map((type) => ({
  value: type,
  label: eventTypeLabel(type),
}))

type OpenDialog =
  | { kind: 'attempt'; attempt: ApiDelivery; tab?: DeliveryTab }
  | { kind: 'replay' | 'replay-failed' | 'check' | 'test' }
  | null

export function DeliveriesPage() {
  const search = route.useSearch()
  const query = useDeliveries(searchParamsToDeliveryFilter(search, useNowEvery30Seconds()))
  const { data: failed } = useFailedEventTotals()
  const [open, setOpen] = useState<OpenDialog>(null)
  const [note, setNote] = useState('')
  const close = () => setOpen(null)
  useShortcuts({ R: () => failed?.events && setOpen({ kind: 'replay-failed' }) })
  const isFiltered = Object.values(search).some(Boolean)
  const meetingTitle = query.data?.pages[0]?.deliveries[0]?.meetingTitle
  return (
    <Stack gap="lg" maw={1200}>
      <PageTitle>Deliveries</PageTitle>
      <Receivers
        onCheck={(attempt) => setOpen({ kind: 'attempt', attempt, tab: 'check' })}
        onNote={setNote}
      />
      <Last24HoursCard onReplay={() => setOpen({ kind: 'replay-failed' })} />
      <Group gap="xs">
        <ButtonLink to="/deliveries/inbox" variant="default">
          Inbox
        </ButtonLink>
        <Button variant="default" onClick={() => setOpen({ kind: 'test' })}>
          Send test event
        </Button>
        <Button variant="default" onClick={() => setOpen({ kind: 'check' })}>
          Check signature
        </Button>
        {search.meeting !== undefined && (
          <Button variant="default" onClick={() => setOpen({ kind: 'replay' })}>
            Replay this meeting
          </Button>
        )}
      </Group>
      <StatusMessage>{note}</StatusMessage>
      <Filters search={search} />
      {search.receiver !== undefined && (
        <Text className="break-anywhere">
          Only callbacks to <b>{receiverName(search.receiver)}</b>.{' '}
          <TextLink to="/deliveries" search={{ ...search, receiver: undefined }}>
            Show all receivers
          </TextLink>
        </Text>
      )}
      <QueryView query={query} label="the deliveries">
        {({ pages }) => {
          const attempts = pages.flatMap(({ deliveries }) => deliveries)
          if (attempts.length === 0) return <NoAttempts isFiltered={isFiltered} />
          return (
            <DeliveryTable
              attempts={attempts}
              onOpen={(attempt) => setOpen({ kind: 'attempt', attempt })}
            />
          )
        }}
      </QueryView>
      <LoadMoreButton query={query}>Load older attempts</LoadMoreButton>
      {open?.kind === 'attempt' && (
        <DeliveryDialog {...open} onClose={close} onReplayed={setNote} />
      )}
      {open?.kind === 'replay-failed' && failed && (
        <ReplayFailedEventsDialog
          failed={failed}
          onClose={close}
          onDone={(events) => setNote(replayStartedText(events))}
        />
      )}
      {open?.kind === 'check' && <SignatureCheckDialog onClose={close} />}
      {open?.kind === 'test' && <TestEventDialog onClose={close} />}
      {open?.kind === 'replay' && search.meeting !== undefined && (
        <ReplayDialog
          meetingId={search.meeting}
          title={meetingTitle ?? search.meeting}
          onClose={close}
          onDone={({ events }) => setNote(replayStartedText(events))}
        />
      )}
    </Stack>
  )
}

/** Delivery statistics of the last 24 hours, and the number of undelivered events. Hidden if both are empty. */
function Last24HoursCard({ onReplay }: { onReplay: () => void }) {
  const { data: figures } = useDeliveryFigures()
  const { data: failed } = useFailedEventTotals()
  const hasNoAttempts = !figures || figures.delivered + figures.failed === 0
  if (hasNoAttempts && !failed?.events) return null
  return (
    <InfoCard title="Last 24 hours" facts={[]}>
      {!hasNoAttempts && <Last24HoursFigures figures={figures} />}
      {failed !== undefined && failed.events > 0 && (
        <Group justify="space-between" gap="sm" className="notice">
          <Text>
            {formatCountWithNoun(failed.events, 'event')} of{' '}
            {formatCountWithNoun(failed.meetings, 'meeting')} could not be delivered.
          </Text>
          <Button variant="default" onClick={onReplay}>
            Replay failed events
          </Button>
        </Group>
      )}
    </InfoCard>
  )
}

function NoAttempts({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        drawing="search"
        title="No attempts match these filters"
        action={<TextLink to="/deliveries">Show all attempts</TextLink>}
      />
    )
  return (
    <EmptyState drawing="plane" title="No callbacks yet">
      Start a meeting with a callback URL to see every delivery attempt here. If you have no
      receiver yet, use the console inbox or run <code>hansard listen</code>.
    </EmptyState>
  )
}

/** The filters are stored in the URL, so that a filtered list can be shared as a link. */
function Filters({ search }: { search: DeliverySearchParams }) {
  const navigate = route.useNavigate()
  const set = (change: DeliverySearchParams) =>
    void navigate({ search: { ...search, ...change }, replace: true })
  const setMeeting = useDebouncedCallback(
    (text: string) => set({ meeting: text.trim() || undefined }),
    250,
  )
  return (
    <FilterRow filter={{ ...search, receiver: undefined }}>
      <TextInput
        key={search.meeting}
        label="Meeting ID"
        defaultValue={search.meeting ?? ''}
        onChange={(event) => setMeeting(event.currentTarget.value)}
      />
      <FilterSelect
        label="Outcome"
        value={search.outcome}
        options={toOptionsByLabel(ATTEMPT_OUTCOME_LABELS)}
        onChange={(outcome) => set({ outcome })}
      />
      <FilterSelect
        label="Event"
        value={search.type}
        options={EVENT_TYPE_OPTIONS}
        onChange={(type) => set({ type })}
      />
      <FilterSelect
        label="When"
        value={search.last}
        options={toOptionsByLabel(DELIVERY_TIME_RANGES)}
        onChange={(last) => set({ last })}
      />
    </FilterRow>
  )
}

/** Delivery statistics of the last 24 hours: success rate, counts, latencies and a chart. */
function Last24HoursFigures({ figures }: { figures: ApiDeliveryFigures }) {
  const { delivered, failed, medianMs, p95Ms, hours } = figures
  const share = (delivered / (delivered + failed)) * 100
  // The success rate is rounded down, so that it never shows 100 % if a delivery failed.
  const rounded = failed > 0 ? Math.min(99.9, Math.floor(share * 10) / 10) : 100
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xl">
        <Figure value={`${rounded}%`} label="Success rate" isLarge />
        <Figure value={delivered.toLocaleString('en')} label="Delivered" />
        <Figure value={failed.toLocaleString('en')} label="Failed" />
        {medianMs !== null && <Figure value={`${medianMs} ms`} label="Median" />}
        {p95Ms !== null && <Figure value={`${p95Ms} ms`} label="p95" />}
      </Group>
      <HourlyChart hours={hours} />
    </Stack>
  )
}

function Figure({ value, label, isLarge }: { value: string; label: string; isLarge?: boolean }) {
  return (
    <div>
      <Text className="figures one-line" fw={650} fz={isLarge ? 28 : 18} lh={1.2}>
        {value}
      </Text>
      <Text size="sm" c="dimmed" className="one-line">
        {label}
      </Text>
    </div>
  )
}

type Hour = ApiDeliveryFigures['hours'][number]

const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const hourNameFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Attempts per hour as stacked bars, delivered below and failed above. */
function HourlyChart({ hours }: { hours: readonly Hour[] }) {
  const failed = hours.map((hour) => hour.failed)
  const delivered = hours.map((hour) => hour.delivered)
  const middle = hours[Math.floor(hours.length / 2)]
  return (
    <BarChart
      label="Delivery attempts per hour of the last 24 hours"
      unit="Attempts per hour"
      series={[
        {
          name: 'Failed',
          colour: 'bad',
          values: hours.map((hour) => hour.delivered + hour.failed),
          tooltipValues: failed,
        },
        { name: 'Delivered', colour: 'good', values: delivered },
      ]}
      format={formatCount}
      barName={(index) => nameHour(hours[index])}
      xLabels={['24 hours ago', ...(middle ? [formatHour(middle)] : []), 'Now']}
    />
  )
}

/** Attempts are whole numbers, so the axis leaves steps between them without a number. */
function formatCount(count: number): string {
  return Number.isInteger(count) ? count.toLocaleString('en') : ''
}

function formatHour({ at }: Hour): string {
  return hourFormat.format(new Date(at))
}

function nameHour(hour: Hour | undefined): string {
  return hour === undefined ? '' : hourNameFormat.format(new Date(hour.at))
}

/** Sends a test event to a callback URL, signed and delivered like a real event. */
function TestEventDialog({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const [result, setResult] = useState<ApiTestCallbackResult | null>(null)
  const action = useAction(async (values: FormData) => {
    setResult(null)
    const callbackUrl = readFormText(values, 'callbackUrl')
    const tokenId = readFormText(values, 'tokenId')
    setResult(await api.callbacks.test({ callbackUrl, tokenId }))
  })
  return (
    <Dialog title="Send test event" onClose={onClose}>
      <Form action={action}>
        <TextField
          name="callbackUrl"
          label="Callback URL"
          description="Use listen:inbox for the console inbox; it must be open in a tab"
          hasAutofocus
          autoComplete="on"
        />
        <SigningTokenField />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={action.isRunning}>
            Send
          </Button>
        </Group>
        <div role="status">{result && <Result result={result} />}</div>
      </Form>
    </Dialog>
  )
}

function Result({ result }: { result: ApiTestCallbackResult }) {
  const { answer } = result
  return (
    <Stack gap={4}>
      <Text fw={650}>{testEventResultText(result)}</Text>
      {answer !== '' && (
        <Code block className="wrap-code">
          {answer}
        </Code>
      )}
    </Stack>
  )
}

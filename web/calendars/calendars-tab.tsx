import { Alert, Stack, Button, Card, Text, Group, Badge } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode, Fragment } from 'react'
import type { ApiCalendarAccount } from '../../src/http/shapes/calendar-accounts.ts'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'
import { QueryView, StatusMessage, ErrorBox } from '../ui/feedback/feedback.tsx'
import { type DescriptionItem, SectionHeader, DescriptionList } from '../ui/layout.tsx'
import { TextLink } from '../ui/links.tsx'
import {
  CalendarAccounts,
  describeAccountProblem,
  PROVIDER_LABELS,
  ReconnectButton,
} from './calendar-accounts.tsx'
import { ChooseCalendarDialog } from './choose-calendar-dialog.tsx'
import { ConnectCalendarDialog } from './connect-calendar-dialog.tsx'
import { useCalendarAccounts, useCalendars, usePollCalendar } from './queries.ts'
import { useApi, useReload } from '../api/use-api.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { describeRules } from './rules.ts'
import { ConfirmDialog, Dialog } from '../ui/dialogs.tsx'
import { Time } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'

const route = getRouteApi('/signed-in/account')

/** The calendars with meetings that Hansard joins automatically. */
export function CalendarsTab() {
  const query = useCalendars()
  const { accounts = [], providers = [] } = useCalendarAccounts().data ?? {}
  const navigate = route.useNavigate()
  const { connected: returnedId, calendarProblem } = route.useSearch()
  const [isConnecting, setConnecting] = useState(false)
  const [chosenAccount, setChosenAccount] = useState<ApiCalendarAccount | null>(null)
  const [connected, setConnected] = useState<ApiCalendar | null>(null)
  const returned = accounts.find(({ id }) => id === returnedId) ?? null
  // A new account has no calendar yet, so the next step is to choose one.
  const account = chosenAccount ?? (returned?.calendars === 0 ? returned : null)
  const closeAccount = () => {
    setChosenAccount(null)
    void navigate({ search: { tab: 'calendars' }, replace: true })
  }
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Calendars"
        description="Hansard checks your calendars every few minutes and joins the meetings that match your rules."
      >
        <Button onClick={() => setConnecting(true)}>Connect a calendar</Button>
      </SectionHeader>
      {calendarProblem && (
        <Alert color="red" role="alert">
          {describeAccountProblem(calendarProblem)}
        </Alert>
      )}
      <StatusMessage>
        {connected && (
          <>
            <bdi className="break-anywhere">{connected.name}</bdi> is connected.{' '}
            <TextLink to="/upcoming">See its meetings</TextLink>
          </>
        )}
        {!connected && returned !== null && returned.calendars > 0 && (
          <>
            <bdi className="break-anywhere">{returned.address}</bdi> is connected again.
          </>
        )}
      </StatusMessage>
      <QueryView query={query} label="your calendars">
        {({ calendars }) =>
          calendars.length === 0 ? (
            <NoCalendars />
          ) : (
            <Stack component="ul" className="plain-list" gap="sm" aria-label="Your calendars">
              {calendars.map((calendar) => (
                <CalendarCard key={calendar.id} calendar={calendar} accounts={accounts} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      <CalendarAccounts accounts={accounts} onAddCalendar={setChosenAccount} />
      {isConnecting && (
        <ConnectCalendarDialog
          providers={providers}
          onClose={() => setConnecting(false)}
          onConnected={(calendar) => {
            setConnected(calendar)
            setConnecting(false)
          }}
        />
      )}
      {account && (
        <ChooseCalendarDialog
          account={account}
          onClose={closeAccount}
          onConnected={(calendar) => {
            setConnected(calendar)
            closeAccount()
          }}
        />
      )}
    </Stack>
  )
}

function NoCalendars() {
  return (
    <Card withBorder padding="lg">
      <Text maw={620}>
        No calendar is connected. Connect your account at Google or Microsoft if an administrator
        has set it up, or use the secret address of your calendar; the next step shows where to find
        it. You choose which meetings Hansard joins, and see what it would do before anything is
        saved.
      </Text>
    </Card>
  )
}

type OpenDialog = 'edit' | 'remove' | null

interface CalendarCardProps {
  calendar: ApiCalendar
  accounts: ApiCalendarAccount[]
}

/** One calendar with its state and actions. */
function CalendarCard({ calendar, accounts }: CalendarCardProps) {
  const { name, isPaused } = calendar
  const account = accounts.find(({ id }) => id === calendar.calendarAccountId) ?? null
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const { message, setMessage, pause, poll } = useCalendarActions(calendar)
  return (
    <Card component="li" withBorder padding="lg">
      <Stack gap="sm">
        <Group gap="xs">
          <Text fw={650} className="break-anywhere">
            <bdi>{name}</bdi>
          </Text>
          <CalendarState calendar={calendar} />
        </Group>
        <DescriptionList facts={listFacts(calendar, account)} />
        <Group gap="xs">
          {account?.state === 'ended' && <ReconnectButton account={account} />}
          <RowButton label="Edit" of={name} onClick={() => setDialog('edit')} />
          <RowButton
            label={isPaused ? 'Resume' : 'Pause'}
            ariaLabel={`${isPaused ? 'Resume' : 'Pause'} ${name}`}
            onClick={() => void pause.run()}
          />
          <RowButton
            label="Refresh now"
            ariaLabel={`Refresh now: ${name}`}
            onClick={() => void poll.run()}
          />
          <RowButton label="Remove" of={name} onClick={() => setDialog('remove')} />
          <StatusMessage>{message}</StatusMessage>
        </Group>
        {[pause.error, poll.error].map(
          (error, index) =>
            error !== null && <ErrorBox key={index === 0 ? 'pause' : 'poll'} error={error} />,
        )}
      </Stack>
      {dialog === 'edit' && (
        <EditCalendarDialog
          calendar={calendar}
          onClose={() => setDialog(null)}
          onSaved={() => setMessage('Saved.')}
        />
      )}
      {dialog === 'remove' && (
        <RemoveCalendarDialog calendar={calendar} onClose={() => setDialog(null)} />
      )}
    </Card>
  )
}

/** Actions without a dialog, and the message about the last one. */
function useCalendarActions(calendar: ApiCalendar) {
  const api = useApi()
  const reload = useReload('calendars', 'upcoming')
  const read = usePollCalendar()
  const [message, setMessage] = useState('')
  /** When the calendar was last read before the user asked to read it again. Undefined without such a request. */
  const [readBefore, setReadBefore] = useState<string | null>()
  const pause = useAction(async () => {
    setReadBefore(undefined)
    await api.calendars.update(calendar.id, { isPaused: !calendar.isPaused })
    await reload()
    setMessage(calendar.isPaused ? 'Resumed.' : 'Paused.')
  })
  const poll = useAction(async () => {
    setReadBefore(calendar.polledAt)
    await read(calendar)
  })
  const isReading = readBefore === calendar.polledAt
  const wasRead = readBefore !== undefined && calendar.brokenSince === null
  const readMessage = isReading ? 'Refreshing in a few seconds.' : wasRead && 'Read.'
  return { message: readBefore === undefined ? message : readMessage, setMessage, pause, poll }
}

function CalendarState({ calendar: { isPaused, brokenSince } }: { calendar: ApiCalendar }) {
  const states: Array<[isShown: boolean, colour: string, label: string]> = [
    [brokenSince !== null, 'red', 'Can’t be read'],
    [isPaused, 'orange', 'Paused'],
    [brokenSince === null && !isPaused, 'moss', 'Connected'],
  ]
  return states
    .filter(([isShown]) => isShown)
    .map(([, colour, label]) => (
      <Badge
        key={label}
        className={`badge badge-${colour}`}
        variant="default"
        radius="sm"
        tt="none"
      >
        {label}
      </Badge>
    ))
}

function listFacts(calendar: ApiCalendar, connected: ApiCalendarAccount | null): DescriptionItem[] {
  const { host, project, account, task, callbackUrl, address } = calendar
  const optional: Array<[name: string, value: ReactNode]> = [
    ['Your email', address],
    ['Bot account', account],
    ['Task', task],
    ['Callback URL', callbackUrl],
  ]
  return [
    connected === null
      ? ['Address', `${host} (the secret part is not shown)`]
      : ['Account', `${connected.address} (${PROVIDER_LABELS[connected.provider]})`],
    ['Joins', <bdi key="rules">{describeRules(calendar.rules)}</bdi>],
    ['Project', project],
    ...optional.filter(([, value]) => value !== null),
    ['Last refreshed', <LastRead key="read" calendar={calendar} />],
    ...(calendar.notifiedUntil === null
      ? []
      : [['Changes', 'Reported by the provider at once'] as DescriptionItem]),
    ...(calendar.problem === null ? [] : [describeProblem(calendar, calendar.problem)]),
  ]
}

function LastRead({ calendar: { polledAt, nextPollAt } }: { calendar: ApiCalendar }) {
  return (
    <>
      {polledAt === null ? 'Not yet' : <Time at={polledAt} show="ago" />}, next time{' '}
      <Time at={nextPollAt} show="relative" />
    </>
  )
}

function describeProblem({ brokenSince }: ApiCalendar, problem: string): DescriptionItem {
  const since = brokenSince !== null && (
    <>
      Can’t be read since <Time at={brokenSince} show="since" />.{' '}
    </>
  )
  return [
    'Problem',
    <Fragment key="problem">
      {since}
      {problem}
    </Fragment>,
  ]
}

interface RemoveCalendarDialogProps {
  calendar: ApiCalendar
  onClose: () => void
}

function RemoveCalendarDialog({ calendar, onClose }: RemoveCalendarDialogProps) {
  return (
    <ConfirmDialog
      title="Remove this calendar?"
      confirmLabel="Remove calendar"
      onClose={onClose}
      onConfirm={(api) => api.calendars.remove(calendar.id)}
      reloads={['calendars', 'calendar-accounts', 'upcoming']}
    >
      <span className="break-anywhere">
        Hansard forgets <bdi>“{calendar.name}”</bdi> with its address and rules, and no longer joins
        its meetings. Past meetings and their transcripts stay.
      </span>
    </ConfirmDialog>
  )
}

interface EditCalendarDialogProps {
  calendar: ApiCalendar
  onClose: () => void
  onSaved: () => void
}

/** Changes a calendar's rules and settings, with a preview of their effect. */
function EditCalendarDialog({ calendar, onClose, onSaved }: EditCalendarDialogProps) {
  const api = useApi()
  const reload = useReload('calendars', 'upcoming')
  return (
    <Dialog title="Edit calendar" size="wide" onClose={onClose}>
      <CalendarForm
        source={{ calendarId: calendar.id }}
        calendar={calendar}
        initialName={calendar.name}
        initialAddress={calendar.address}
        submitLabel="Save"
        onSave={async (body) => {
          await api.calendars.update(calendar.id, body)
          await reload()
          onClose()
          onSaved()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import {
  Stack,
  Group,
  Button,
  Text,
  Title,
  Card,
  TextInput,
  SegmentedControl,
  Box,
} from '@mantine/core'
import { useState } from 'react'
import './upcoming.css'
import type { ApiCalendar, ApiUpcomingMeeting } from '../../src/http/shapes/calendars.ts'
import { useCalendars, usePollCalendar } from '../calendars/queries.ts'
import { EmptyState, QueryView, ErrorBox, StatusMessage } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { useNowEvery30Seconds, Time } from '../ui/format/time.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { LoadMoreButton } from '../ui/tables/data-table.tsx'
import { useUpcomingMeetings } from './queries.ts'
import { groupByDay } from './upcoming-days.ts'
import { UpcomingItem } from './upcoming-item.tsx'
import { parseChoice } from '../api/url-parameters.ts'
import { UPCOMING_VIEWS } from './upcoming-labels.ts'
import { useAction, Form, readFormText, ActionButton } from '../ui/forms.tsx'
import type { ApiStartedMeeting } from '../../src/http/shapes/meetings/start-meeting.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { useApi, useReload } from '../api/use-api.tsx'
import { JoinTimeField, readJoinTimeField } from '../meetings/join-time-field.tsx'
import { PLATFORM_LABELS, REAL_PLATFORMS_TEXT } from '../meetings/meeting-labels.ts'
import { useMeetingLinkOrError } from '../meetings/queries.ts'
import { describeLinkError } from '../meetings/start-meeting-form.tsx'
import { Hint } from '../ui/text.tsx'
import { TextField } from '../ui/fields.tsx'

const route = getRouteApi('/signed-in/upcoming')

/** The meetings of the next two weeks, and which of them a bot joins. */
export function UpcomingPage() {
  const query = useUpcomingMeetings()
  const [isAdding, setAdding] = useState(false)
  return (
    <Stack gap="xl" maw={900}>
      <Group justify="space-between" align="flex-start" gap="md">
        <div>
          <PageTitle>Upcoming</PageTitle>
          <Hint maw={560} mt={4}>
            The next two weeks of your calendars and of scheduled meetings, in your time zone (
            {BROWSER_TIME_ZONE}). Each switch applies to that one meeting only, not to the whole
            series.
          </Hint>
        </div>
        <Button
          variant="default"
          aria-expanded={isAdding}
          onClick={() => setAdding((adding) => !adding)}
        >
          Add by link and time
        </Button>
      </Group>
      <BrokenCalendars />
      {isAdding && <AddByLinkForm onClose={() => setAdding(false)} />}
      <QueryView query={query} label="the upcoming meetings">
        {({ pages }) => <UpcomingDays meetings={pages.flatMap((page) => page.upcoming)} />}
      </QueryView>
      <LoadMoreButton query={query}>Show later meetings</LoadMoreButton>
    </Stack>
  )
}

function UpcomingDays({ meetings }: { meetings: ApiUpcomingMeeting[] }) {
  const now = useNowEvery30Seconds()
  const { show = 'all' } = route.useSearch()
  const shown = show === 'all' ? meetings : meetings.filter(({ willJoin }) => willJoin)
  if (meetings.length === 0) return <NothingUpcoming />
  return (
    <Stack gap="lg">
      <ViewSwitch />
      {shown.length === 0 && <Text>Hansard will not join any of these meetings.</Text>}
      {groupByDay(shown, { now, timeZone: BROWSER_TIME_ZONE }).map((day) => (
        <section key={day.day} aria-labelledby={`day-${day.day}`}>
          <Title order={2} id={`day-${day.day}`}>
            {day.heading}
          </Title>
          <ul className="plain-list upcoming-list">
            {day.meetings.map((meeting) => (
              <UpcomingItem key={meeting.id} meeting={meeting} now={now} />
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  )
}

function ViewSwitch() {
  const navigate = route.useNavigate()
  const { show = 'all' } = route.useSearch()
  return (
    <SegmentedControl
      aria-label="Show"
      style={{ alignSelf: 'flex-start' }}
      data={[
        { value: 'all', label: 'Everything' },
        { value: 'joining', label: 'Only what Hansard joins' },
      ]}
      value={show}
      onChange={(value) =>
        void navigate({ search: { show: parseChoice(UPCOMING_VIEWS, value) }, replace: true })
      }
    />
  )
}

/** Links to connecting a calendar if there is none. */
function NothingUpcoming() {
  const { data } = useCalendars()
  if (data === undefined) return null
  if (data.calendars.length > 0) {
    return (
      <div role="status">
        <EmptyState drawing="calendar" title="Nothing planned">
          {describeNothing(data.calendars)}
        </EmptyState>
      </div>
    )
  }
  return (
    <EmptyState
      drawing="calendar"
      title="Connect your calendar"
      action={
        <ButtonLink to="/account" search={{ tab: 'calendars' }}>
          Connect a calendar
        </ButtonLink>
      }
    >
      Hansard then joins the meetings you choose. It takes about a minute and needs only the address
      of the calendar, no sign-in with Google or Microsoft.
    </EmptyState>
  )
}

function describeNothing(calendars: ApiCalendar[]): string {
  if (calendars.some(({ polledAt }) => polledAt === null))
    return 'Hansard is reading your calendar…'
  return calendars.some(({ brokenSince }) => brokenSince !== null)
    ? 'Meetings appear here when the calendar can be read again.'
    : 'Nothing in the next two weeks. New meetings in your calendar appear here.'
}

/** The calendars that can't be read, with the time and the reason. */
function BrokenCalendars() {
  const calendars = useCalendars().data?.calendars ?? []
  if (calendars.every(({ brokenSince }) => brokenSince === null)) return null
  return (
    <Stack gap="sm">
      {calendars.map(
        (calendar) =>
          calendar.brokenSince !== null && (
            <BrokenCalendar
              key={calendar.id}
              calendar={calendar}
              brokenSince={calendar.brokenSince}
            />
          ),
      )}
    </Stack>
  )
}

function BrokenCalendar({ calendar, brokenSince }: { calendar: ApiCalendar; brokenSince: string }) {
  const poll = usePollCalendar()
  const action = useAction(() => poll(calendar))
  return (
    <div className="notice notice-error">
      <Group justify="space-between" gap="sm">
        <Box flex="1 1 260px">
          <Text fw={600} className="break-anywhere" role="status">
            <bdi>{calendar.name}</bdi> can’t be read since <Time at={brokenSince} show="since" />
          </Text>
          <Text size="sm" className="break-anywhere">
            {calendar.problem !== null && `${calendar.problem} `}
            Hansard still joins the meetings that it already knows. Hansard tries again{' '}
            <Time at={calendar.nextPollAt} show="relative" />.
          </Text>
        </Box>
        <Group gap="sm">
          <TextLink to="/account" search={{ tab: 'calendars' }} size="sm">
            Calendar settings
          </TextLink>
          <ActionButton
            variant="default"
            size="xs"
            action={action}
            aria-label={`Refresh now: ${calendar.name}`}
          >
            Refresh now
          </ActionButton>
        </Group>
      </Group>
      <ErrorBox error={action.error} />
    </div>
  )
}

/** Schedules a meeting that is in no calendar. It stays open, so that several can be added. */
function AddByLinkForm({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<ApiStartedMeeting[]>([])
  const latest = added.at(-1)
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="add-by-link">
      <Stack gap="md">
        <Title order={2} id="add-by-link">
          Add by link and time
        </Title>
        {/* A new React key empties the fields. */}
        <AddForm
          key={added.length}
          onAdded={(meeting) => setAdded([...added, meeting])}
          onClose={onClose}
        />
        <StatusMessage>
          {latest &&
            (latest.joinAt === null ? (
              'Added. Hansard joins now.'
            ) : (
              <>
                Added. Hansard joins on <Time at={latest.joinAt} show="minute" />.
              </>
            ))}
        </StatusMessage>
      </Stack>
    </Card>
  )
}

interface AddFormProps {
  onAdded: (meeting: ApiStartedMeeting) => void
  onClose: () => void
}

function AddForm({ onAdded, onClose }: AddFormProps) {
  const [project, setProject] = useState('')
  const [url, setUrl] = useState('')
  const { link, error } = useMeetingLinkOrError(url)
  const action = useAddMeeting(onAdded)
  return (
    <Form action={action}>
      <Group align="flex-start" gap="md">
        <TextInput
          name="url"
          label="Meeting link"
          description={REAL_PLATFORMS_TEXT}
          placeholder="https://meet.google.com/abc-defg-hij"
          flex="2 1 260px"
          required
          withAsterisk={false}
          value={url}
          error={error ? describeLinkError(error) : null}
          onChange={(event) => setUrl(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <JoinTimeField
          label="Join at"
          description={`In your time zone, ${BROWSER_TIME_ZONE}`}
          isRequired
        />
      </Group>
      <Group align="flex-start" gap="md" grow preventGrowOverflow={false}>
        <TextField name="title" label="Title" maxLength={200} isOptional />
        <TextField
          name="project"
          label="Project"
          maxLength={64}
          isOptional
          onChange={(event) => setProject(event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" role="status" className="break-anywhere">
        {link && `${PLATFORM_LABELS[link.platform]}: ${link.label}`}
      </Text>
      <WhoMayRead project={project} what="the meeting" />
      <Group gap="sm">
        <Button type="submit" loading={action.isRunning}>
          Add meeting
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Form>
  )
}

function useAddMeeting(onAdded: (meeting: ApiStartedMeeting) => void) {
  const api = useApi()
  const refreshMeetings = useReload('meetings', 'meeting')
  const reload = useReload('upcoming')
  return useAction(async (values: FormData) => {
    const title = readFormText(values, 'title')
    const project = readFormText(values, 'project')
    const meeting = await api.meetings.start({
      url: readFormText(values, 'url'),
      ...readJoinTimeField(values),
      ...(title && { title }),
      ...(project && { project }),
    })
    await Promise.all([reload(), refreshMeetings()])
    onAdded(meeting)
  })
}

import './upcoming.css'
import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiCalendar, ApiUpcomingMeeting } from '../../src/http/shapes/calendars.ts'
import { useCalendars } from '../calendars/queries.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import { PageTitle } from '../ui/layout/headings.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { LoadMoreButton } from '../ui/tables/pages.tsx'
import { AddByLinkForm } from './add-by-link-form.tsx'
import { BrokenCalendars } from './broken-calendars.tsx'
import { useUpcomingMeetings } from './queries.ts'
import { groupByDay } from './upcoming-days.ts'
import { UpcomingItem } from './upcoming-item.tsx'
import { parseChoice } from '../api/url-parameters.ts'
import { UPCOMING_VIEWS } from './upcoming-labels.ts'

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
          <Text c="dimmed" size="sm" maw={560} mt={4}>
            The next two weeks of your calendars and of scheduled meetings, in your time zone (
            {BROWSER_TIME_ZONE}). Each switch applies to that one meeting only, not to the whole
            series.
          </Text>
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

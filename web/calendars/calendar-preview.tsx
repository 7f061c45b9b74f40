import { useDebouncedValue } from '@mantine/hooks'
import { Stack, Title, Text, Group, Badge, List } from '@mantine/core'
import { useId } from 'react'
import '../upcoming/upcoming.css'
import type { ApiCalendarPreview, ApiPreviewedMeeting } from '../../src/http/shapes/calendars.ts'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { ErrorBox, LoadingIndicator } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE, formatCountWithNoun } from '../ui/format/format-text.ts'
import { formatUtc, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { formatTimeRange, groupByDay } from '../upcoming/upcoming-days.ts'
import type { KnownPreview, PreviewRules, PreviewSource } from './queries.ts'
import { useCalendarPreview } from './queries.ts'
import { Name } from '../ui/links.tsx'
import { Hint } from '../ui/text.tsx'

/** Each preview reads the calendar from its server, so it waits until the user stops typing. */
const TYPING_PAUSE_MS = 500

interface CalendarPreviewProps {
  source: PreviewSource
  rules: PreviewRules
  /** An earlier result, so that it is not read again. */
  initial?: KnownPreview | undefined
}

/** What would happen in the next two weeks with the form's rules, before they are saved. */
export function CalendarPreview({ source, rules, initial }: CalendarPreviewProps) {
  const id = useId()
  const [settled] = useDebouncedValue(rules, TYPING_PAUSE_MS)
  const { data, error, isFetching } = useCalendarPreview(source, settled, initial)
  return (
    <Stack gap="sm">
      <Title order={3} size="h4" id={id}>
        The next two weeks with these rules
      </Title>
      <ErrorBox error={error} />
      {data === undefined && !error && <LoadingIndicator label="Reading the calendar" />}
      <Text size="sm" fw={600} role="status">
        {data && !error && (isFetching ? 'Reading the calendar…' : describeCounts(data))}
      </Text>
      {data && !error && (
        <>
          <PreviewProblems problems={data.problems} />
          {data.meetings.length > 0 && <PreviewDays meetings={data.meetings} labelledBy={id} />}
        </>
      )}
    </Stack>
  )
}

function describeCounts({ meetings }: ApiCalendarPreview): string {
  if (meetings.length === 0) return 'The calendar has nothing in the next two weeks.'
  const joined = meetings.filter(({ willJoin }) => willJoin).length
  return `Hansard would join ${joined} of ${formatCountWithNoun(meetings.length, 'event')}.`
}

function PreviewProblems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return null
  return (
    <div className="notice" role="note">
      <Text size="sm" fw={600}>
        Hansard did not understand everything in this calendar:
      </Text>
      <List size="sm">
        {problems.map((problem) => (
          <List.Item key={problem} className="break-anywhere">
            {problem}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

interface PreviewDaysProps {
  meetings: ApiPreviewedMeeting[]
  labelledBy: string
}

/** Scrolls by itself, so that the form's buttons stay close. The keyboard can scroll it too. */
function PreviewDays({ meetings, labelledBy }: PreviewDaysProps) {
  const now = useNowEvery30Seconds()
  // Two events can look exactly the same.
  const keyed = meetings.map((meeting, key) => ({ ...meeting, key }))
  return (
    <div className="preview-days" role="region" aria-labelledby={labelledBy} tabIndex={0}>
      {groupByDay(keyed, { now, timeZone: BROWSER_TIME_ZONE }).map((day) => (
        <div key={day.day}>
          <Title order={4} size="h5" mt="sm">
            {day.heading}
          </Title>
          <ul className="plain-list preview-list">
            {day.meetings.map(({ key, ...meeting }) => (
              <PreviewedMeeting key={key} meeting={meeting} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function PreviewedMeeting({ meeting }: { meeting: ApiPreviewedMeeting }) {
  const { startsAt, title, platform, willJoin, reasonText } = meeting
  return (
    <li>
      <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
        <Text span fw={600} lineClamp={2} className="break-anywhere">
          <Name>{title}</Name>
        </Text>
        <Badge
          className={`badge ${willJoin ? 'badge-moss' : ''}`}
          variant="default"
          radius="sm"
          tt="none"
        >
          {willJoin ? 'Will join' : 'Won’t join'}
        </Badge>
      </Group>
      <Hint>
        <time dateTime={startsAt} title={formatUtc(startsAt)} className="figures">
          {formatTimeRange(meeting, BROWSER_TIME_ZONE)}
        </time>
        {' · '}
        {willJoin ? platform !== null && PLATFORM_LABELS[platform] : `${reasonText}.`}
      </Hint>
    </li>
  )
}

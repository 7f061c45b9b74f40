import { Box, Button, Group, Stack, Text } from '@mantine/core'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'
import { useCalendars, usePollCalendar } from '../calendars/queries.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { Time } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms/form.tsx'
import { TextLink } from '../ui/links.tsx'

/** The calendars that can't be read, with the time and the reason. */
export function BrokenCalendars() {
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

interface BrokenCalendarProps {
  calendar: ApiCalendar
  brokenSince: string
}

function BrokenCalendar({ calendar, brokenSince }: BrokenCalendarProps) {
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
          <Button
            variant="default"
            size="xs"
            loading={action.isRunning}
            aria-label={`Refresh now: ${calendar.name}`}
            onClick={() => void action.run()}
          >
            Refresh now
          </Button>
        </Group>
      </Group>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </div>
  )
}

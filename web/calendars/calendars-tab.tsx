import { Button, Card, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'
import { TextLink } from '../ui/links.tsx'
import { CalendarCard } from './calendar-card.tsx'
import { ConnectCalendarDialog } from './connect-calendar-dialog.tsx'
import { useCalendars } from './queries.ts'

/** The calendars with meetings that Hansard joins automatically. */
export function CalendarsTab() {
  const query = useCalendars()
  const [isConnecting, setConnecting] = useState(false)
  const [connected, setConnected] = useState<ApiCalendar | null>(null)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Calendars"
        description="Hansard checks your calendars every few minutes and joins the meetings that match your rules."
      >
        <Button onClick={() => setConnecting(true)}>Connect a calendar</Button>
      </SectionHeader>
      <StatusMessage>
        {connected && (
          <>
            <bdi className="break-anywhere">{connected.name}</bdi> is connected.{' '}
            <TextLink to="/upcoming">See its meetings</TextLink>
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
                <CalendarCard key={calendar.id} calendar={calendar} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {isConnecting && (
        <ConnectCalendarDialog
          onClose={() => setConnecting(false)}
          onConnected={(calendar) => {
            setConnected(calendar)
            setConnecting(false)
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
        No calendar is connected. You need the secret address of your calendar; the next step shows
        where to find it for Google, Outlook and others. You choose which meetings Hansard joins,
        and see what it would do before anything is saved.
      </Text>
    </Card>
  )
}

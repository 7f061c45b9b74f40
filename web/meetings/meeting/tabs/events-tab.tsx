import { Code, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { EventType, ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useApi } from '../../../api/app-state.tsx'
import { useMeetingEvents } from '../../../api/event-stream-context.tsx'
import { QueryView } from '../../../ui/feedback/feedback.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { LoadMoreButton } from '../../../ui/tables/pages.tsx'

type ListedEvent = { type: EventType; sequence: number; timestamp: string; payload: object }

const PAGE_SIZE = 200

/** All stored events of the meeting, with the JSON that is sent to the callback URL. */
export function EventsTab({ meeting: { meetingId } }: { meeting: ApiMeetingDetail }) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = ['events', meetingId]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      api.meetings.readEvents(meetingId, { after: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 0,
    getNextPageParam: ({ events }) =>
      events.length < PAGE_SIZE ? undefined : (events.at(-1)?.sequence ?? undefined),
  })
  // New events are appended to the last loaded page of the list. Earlier pages never change.
  useMeetingEvents((event) => {
    if (event.meetingId !== meetingId || event.type === 'caption_partial') return
    queries.setQueryData<typeof query.data>(
      queryKey,
      (current) => current && appendEvent(current, event),
    )
  })
  return (
    <QueryView query={query} label="the events">
      {({ pages }) => (
        <Stack gap="xs">
          <ol className="plain-list raw-events" aria-label="Events, oldest first">
            {pages
              .flatMap(({ events }) => events)
              .map((event) => (
                <li key={event.sequence}>
                  <details>
                    <summary>
                      <Text span size="sm" c="dimmed" className="figures">
                        {event.sequence}
                      </Text>{' '}
                      <Text span size="sm">
                        {event.type}
                      </Text>{' '}
                      <Text span size="xs" c="dimmed">
                        <TimeOfDay at={event.timestamp} />
                      </Text>
                    </summary>
                    <Code block className="wrap-code">
                      {JSON.stringify(event, null, 2)}
                    </Code>
                  </details>
                </li>
              ))}
          </ol>
          <LoadMoreButton query={query} size="xs">
            Load later events
          </LoadMoreButton>
        </Stack>
      )}
    </QueryView>
  )
}

function appendEvent<Data extends { pages: Array<{ events: ListedEvent[] }> }>(
  current: Data,
  event: ListedEvent,
): Data {
  const last = current.pages.at(-1)
  const newest = last?.events.at(-1)?.sequence ?? 0
  if (!last || last.events.length >= PAGE_SIZE || event.sequence <= newest) return current
  return { ...current, pages: [...current.pages.slice(0, -1), { events: [...last.events, event] }] }
}

import { Code, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { EventType, WireMeetingDetail } from '../../src/http/shapes/meetings.ts'
import { useApi } from '../app-state.tsx'
import { useLiveEvents } from '../live/live.tsx'
import { pathOf } from '../meetings/queries.ts'
import { Loaded } from '../ui/loaded.tsx'
import { ShortTime } from '../ui/time.tsx'
import { MoreButton } from '../ui/more-button.tsx'

type RawEvent = { type: EventType; sequence: number; timestamp: string; payload: object }

const PAGE = 200

/** Every stored event, as it is sent to the callback URL. */
export function RawEvents({ meeting: { meetingId } }: { meeting: WireMeetingDetail }) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = ['events', meetingId]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      api.get<{ events: RawEvent[] }>(
        `${pathOf(meetingId)}/events?after=${pageParam}&limit=${PAGE}`,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ events }) =>
      events.length < PAGE ? undefined : (events.at(-1)?.sequence ?? undefined),
  })
  // The last page grows; the pages before it never change.
  useLiveEvents((event) => {
    if (event.meetingId !== meetingId || event.type === 'caption_partial') return
    queries.setQueryData<typeof query.data>(queryKey, (known) => known && withEvent(known, event))
  })
  return (
    <Loaded query={query} what="the events">
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
                        <ShortTime at={event.timestamp} />
                      </Text>
                    </summary>
                    <Code block className="wrap-code">
                      {JSON.stringify(event, null, 2)}
                    </Code>
                  </details>
                </li>
              ))}
          </ol>
          <MoreButton of={query} size="xs">
            Show later events
          </MoreButton>
        </Stack>
      )}
    </Loaded>
  )
}

function withEvent<Data extends { pages: Array<{ events: RawEvent[] }> }>(
  known: Data,
  event: RawEvent,
): Data {
  const last = known.pages.at(-1)
  const newest = last?.events.at(-1)?.sequence ?? 0
  if (!last || last.events.length >= PAGE || event.sequence <= newest) return known
  return { ...known, pages: [...known.pages.slice(0, -1), { events: [...last.events, event] }] }
}

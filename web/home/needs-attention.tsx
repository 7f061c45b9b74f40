import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFailedEvents } from '../deliveries/queries.ts'
import { useActiveMeetings, useMeetingList } from '../meetings/queries.ts'
import { pluralize, MEETING_REASON_TEXTS } from '../meetings/meeting-labels.ts'
import { TextLink } from '../ui/links.tsx'
import { useNow } from '../ui/format/time.tsx'
import type { MeetingTab } from '../meetings/meeting/meeting-tab.ts'

const DAY_MS = 86_400_000
const MAX_FAILED_JOINS = 5

type AttentionItem = { key: string; text: ReactNode }

/** What waits for a person: bots at doors, joins that failed today, receivers that fail, events given up. */
export function NeedsAttention() {
  const waits = [...useMeetingItems(), ...useFailedJoinItems(), ...useFailedEventItems()]
  if (waits.length === 0) return null
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="needs-you">
      <Stack gap="sm">
        <Title order={2} id="needs-you">
          Needs you
        </Title>
        <ul className="plain-list needs">
          {waits.map(({ key, text }) => (
            <li key={key} className="break-anywhere">
              {text}
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  )
}

function useMeetingItems(): AttentionItem[] {
  const meetings = useActiveMeetings().data?.meetings ?? []
  return meetings.flatMap(({ meetingId, title, status, delivery }): AttentionItem[] => {
    const isFailing = delivery?.state === 'retrying' || delivery?.state === 'blocked'
    const lobby = {
      key: `lobby ${meetingId}`,
      text: (
        <>
          The bot waits in the lobby of <MeetingLink id={meetingId} title={title} />: ask the host
          to admit it.
        </>
      ),
    }
    const receiver = {
      key: `receiver ${meetingId}`,
      text: (
        <>
          The receiver of <MeetingLink id={meetingId} title={title} tab="callbacks" /> does not take
          its callbacks.
        </>
      ),
    }
    return [...(status === 'lobby' ? [lobby] : []), ...(isFailing ? [receiver] : [])]
  })
}

/** Of the last 24 hours, where somebody can do something about it. */
function useFailedJoinItems(): AttentionItem[] {
  const now = useNow()
  const failed = useMeetingList({ status: 'error' }).data?.pages[0]?.meetings ?? []
  return failed
    .filter(({ endedAt }) => endedAt !== null && now - Date.parse(endedAt) < DAY_MS)
    .slice(0, MAX_FAILED_JOINS)
    .flatMap(({ meetingId, title, reason }) =>
      reason !== null && MEETING_REASON_TEXTS[reason].todo !== undefined
        ? [
            {
              key: `join ${meetingId}`,
              text: (
                <>
                  <MeetingLink id={meetingId} title={title} /> failed:{' '}
                  {MEETING_REASON_TEXTS[reason].what}
                </>
              ),
            },
          ]
        : [],
    )
}

function useFailedEventItems(): AttentionItem[] {
  const { events = 0, meetings = 0 } = useFailedEvents().data ?? {}
  if (events === 0) return []
  const text = (
    <>
      {pluralize(events, 'event')} of {pluralize(meetings, 'meeting')} could not be delivered and{' '}
      {events === 1 ? 'was' : 'were'} given up.{' '}
      <TextLink to="/deliveries">See and replay them</TextLink>
    </>
  )
  return [{ key: 'given up', text }]
}

function MeetingLink({ id, title, tab }: { id: string; title: string; tab?: MeetingTab }) {
  return (
    <TextLink
      to="/meetings/$meetingId"
      params={{ meetingId: id }}
      {...(tab && { search: { tab } })}
    >
      {title}
    </TextLink>
  )
}

import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFailed } from '../deliveries/queries.ts'
import { useActiveMeetings, useHistory } from '../meetings/queries.ts'
import { counted, REASONS } from '../meetings/words.ts'
import { TextLink } from '../ui/links.tsx'
import { useNow } from '../ui/time.tsx'
import type { MeetingTab } from '../pages/meeting-tab.ts'

const DAY_MS = 86_400_000
const MOST_JOINS = 5

type Wait = { key: string; text: ReactNode }

/** What waits for a person: bots at doors, joins that failed today, receivers that fail, events given up. */
export function NeedsYou() {
  const waits = [...useMeetingWaits(), ...useFailedJoins(), ...useFailedEvents()]
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

function useMeetingWaits(): Wait[] {
  const meetings = useActiveMeetings().data?.meetings ?? []
  return meetings.flatMap(({ meetingId, title, status, delivery }): Wait[] => {
    const isFailing = delivery?.state === 'retrying' || delivery?.state === 'blocked'
    const lobby = {
      key: `lobby ${meetingId}`,
      text: (
        <>
          The bot waits in the lobby of <Meeting id={meetingId} title={title} />: ask the host to
          admit it.
        </>
      ),
    }
    const receiver = {
      key: `receiver ${meetingId}`,
      text: (
        <>
          The receiver of <Meeting id={meetingId} title={title} tab="callbacks" /> does not take its
          callbacks.
        </>
      ),
    }
    return [...(status === 'lobby' ? [lobby] : []), ...(isFailing ? [receiver] : [])]
  })
}

/** Of the last 24 hours, where somebody can do something about it. */
function useFailedJoins(): Wait[] {
  const now = useNow()
  const failed = useHistory({ status: 'error' }).data?.pages[0]?.meetings ?? []
  return failed
    .filter(({ endedAt }) => endedAt !== null && now - Date.parse(endedAt) < DAY_MS)
    .slice(0, MOST_JOINS)
    .flatMap(({ meetingId, title, reason }) =>
      reason !== null && REASONS[reason].todo !== undefined
        ? [
            {
              key: `join ${meetingId}`,
              text: (
                <>
                  <Meeting id={meetingId} title={title} /> failed: {REASONS[reason].what}
                </>
              ),
            },
          ]
        : [],
    )
}

function useFailedEvents(): Wait[] {
  const { events = 0, meetings = 0 } = useFailed().data ?? {}
  if (events === 0) return []
  const text = (
    <>
      {counted(events, 'event')} of {counted(meetings, 'meeting')} could not be delivered and{' '}
      {events === 1 ? 'was' : 'were'} given up.{' '}
      <TextLink to="/deliveries">See and replay them</TextLink>
    </>
  )
  return [{ key: 'given up', text }]
}

function Meeting({ id, title, tab }: { id: string; title: string; tab?: MeetingTab }) {
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

import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCalendars } from '../calendars/queries.ts'
import { useFailedEventTotals } from '../deliveries/queries.ts'
import { useActiveMeetings, useMeetingList } from '../meetings/queries.ts'
import { MEETING_END_REASON_TEXTS } from '../meetings/meeting-labels.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { TextLink } from '../ui/links.tsx'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import type { MeetingTab } from '../meetings/meeting/meeting-tab.ts'

const DAY_MS = 86_400_000
const MAX_FAILED_JOINS = 5

type AttentionItem = { key: string; text: ReactNode }

/**
 * Problems a user can solve: bots in a lobby, recent failed joins, calendars that cannot be read, failing receivers,
 * undelivered events.
 */
export function NeedsAttention() {
  const items = [
    ...useMeetingItems(),
    ...useFailedJoinItems(),
    ...useBrokenCalendarItems(),
    ...useFailedEventItems(),
  ]
  if (items.length === 0) return null
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="needs-attention">
      <Stack gap="sm">
        <Title order={2} id="needs-attention">
          Needs attention
        </Title>
        <ul className="plain-list attention-list">
          {items.map(({ key, text }) => (
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
    const isFailing =
      delivery !== null && ['waiting', 'retrying', 'blocked'].includes(delivery.state)
    const lobby = {
      key: `lobby ${meetingId}`,
      text: (
        <>
          The bot is waiting in the lobby of <MeetingLink id={meetingId} title={title} />. Ask the
          host to admit it.
        </>
      ),
    }
    const receiver = {
      key: `receiver ${meetingId}`,
      text: (
        <>
          Callbacks of <MeetingLink id={meetingId} title={title} tab="callbacks" /> are{' '}
          {delivery?.state === 'waiting' ? 'waiting' : 'failing'}.
        </>
      ),
    }
    return [...(status === 'lobby' ? [lobby] : []), ...(isFailing ? [receiver] : [])]
  })
}

/** Failed meetings of the last 24 hours for which there is a next step. */
function useFailedJoinItems(): AttentionItem[] {
  const now = useNowEvery30Seconds()
  const failed = useMeetingList({ status: 'error' }).data?.pages[0]?.meetings ?? []
  return failed
    .filter(({ endedAt }) => endedAt !== null && now - Date.parse(endedAt) < DAY_MS)
    .slice(0, MAX_FAILED_JOINS)
    .flatMap(({ meetingId, title, reason }) =>
      reason !== null && MEETING_END_REASON_TEXTS[reason].nextStep !== undefined
        ? [
            {
              key: `join ${meetingId}`,
              text: (
                <>
                  <MeetingLink id={meetingId} title={title} /> failed:{' '}
                  {MEETING_END_REASON_TEXTS[reason].what}
                </>
              ),
            },
          ]
        : [],
    )
}

function useBrokenCalendarItems(): AttentionItem[] {
  const calendars = useCalendars().data?.calendars ?? []
  return calendars
    .filter(({ brokenSince }) => brokenSince !== null)
    .map(({ id, name, problem }) => ({
      key: `calendar ${id}`,
      text: (
        <>
          The calendar <bdi>{name}</bdi> can’t be read.{problem !== null && ` ${problem}`}{' '}
          <TextLink to="/account" search={{ tab: 'calendars' }}>
            Calendar settings
          </TextLink>
        </>
      ),
    }))
}

function useFailedEventItems(): AttentionItem[] {
  const { events = 0, meetings = 0 } = useFailedEventTotals().data ?? {}
  if (events === 0) return []
  const text = (
    <>
      {formatCountWithNoun(events, 'event')} of {formatCountWithNoun(meetings, 'meeting')} could not
      be delivered. <TextLink to="/deliveries">View and replay</TextLink>
    </>
  )
  return [{ key: 'undelivered', text }]
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

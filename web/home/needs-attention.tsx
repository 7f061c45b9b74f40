import { CloseButton } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { useChangeMark, useMarks } from '../account/use-marks.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { useAction } from '../ui/forms.tsx'
import { HomeSection } from './home-sections.tsx'
import type { AttentionKind } from '../../src/http/shapes/values.ts'
import { useCalendars } from '../calendars/queries.ts'
import { receiverName } from '../deliveries/delivery-texts.tsx'
import { useFailedEventTotals, useReceivers } from '../deliveries/queries.ts'
import { ReceiverState } from '../deliveries/receivers.tsx'
import { useActiveMeetings, useMeetingList } from '../meetings/queries.ts'
import { MEETING_END_REASON_TEXTS } from '../meetings/meeting-labels.ts'
import { usePrompts, useTasks } from '../tasks/queries.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { formatLocalDay, Time, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { Name, TextLink, taskPage, meetingPage } from '../ui/links.tsx'

/** Problems that the user can do something about. A dismissed one comes back when something new happens. */
export function NeedsAttention() {
  const marks = useMarks()
  const items = useAttentionItems().filter(({ key }) => !marks.has('attention', key))
  const change = useChangeMark()
  const list = useRef<HTMLUListElement>(null)
  const dismiss = useAction(async (key: string) => {
    // The button disappears with its item, and the whole section with the last item.
    const next = list.current?.querySelector<HTMLButtonElement>(`button:not([data-item="${key}"])`)
    const target = next ?? document.getElementById('main')
    target?.focus()
    await change('attention', key, true)
  })
  if (!marks.isLoaded || items.length === 0) return null
  return (
    <HomeSection id="needs-attention" title="Needs attention">
      <ul className="plain-list home-rows" ref={list}>
        {items.map(({ key, name, text }) => (
          <li key={key} className="home-attention">
            <div className="break-anywhere">{text}</div>
            <CloseButton
              data-item={key}
              aria-label={`Dismiss: ${name}`}
              onClick={() => void dismiss.run(key)}
            />
          </li>
        ))}
      </ul>
      <ErrorBox error={dismiss.error} />
    </HomeSection>
  )
}

const WEEK_MS = 7 * 86_400_000
const MAX_OF_A_KIND = 5

/**
 * Something that needs attention. The key names what happened and, if known, when, so that a dismissed item comes back
 * when it happens again. A lobby or a missing language model stays dismissed for its meeting or task. `name` is read
 * aloud with the button that dismisses the item.
 */
type AttentionItem = { key: string; name: string; text: ReactNode }

function createKey(kind: AttentionKind, ...what: string[]): string {
  return [kind, ...what].join(':')
}

/**
 * Problems that a user can solve: bots in a lobby, failed joins of today, unreadable calendars, failing receivers,
 * undelivered events, failed tasks and tasks that need a language model.
 */
function useAttentionItems(): AttentionItem[] {
  return [
    ...useLobbyItems(),
    ...useFailedJoinItems(),
    ...useBrokenCalendarItems(),
    ...useFailingReceiverItems(),
    ...useTaskItems(),
    ...useFailedEventItems(),
  ]
}

function useLobbyItems(): AttentionItem[] {
  const meetings = useActiveMeetings().data?.meetings ?? []
  return meetings
    .filter(({ status }) => status === 'lobby')
    .map(({ meetingId, title }) => ({
      key: createKey('lobby', meetingId),
      name: `lobby of ${title}`,
      text: (
        <>
          Hansard is waiting in the lobby of <MeetingLink id={meetingId} title={title} />. Ask the
          host to let it in.
        </>
      ),
    }))
}

/** Receivers that fail, even for ended meetings, because their callbacks are retried for a day. */
function useFailingReceiverItems(): AttentionItem[] {
  const receivers = useReceivers().data ?? []
  return receivers
    .filter(({ problem }) => problem !== null)
    .slice(0, MAX_OF_A_KIND)
    .map((receiver) => {
      const { url, tokenName, failingSince } = receiver
      const who = `${url} ${tokenName ?? ''}`.replaceAll(/[^\w.-]+/g, '_').slice(0, 120)
      return {
        key: createKey('callbacks', who, failingSince ?? ''),
        name: `callbacks to ${receiverName(url)}`,
        text: (
          <>
            Callbacks to <b>{receiverName(url)}</b> fail. <ReceiverState receiver={receiver} />{' '}
            <TextLink to="/deliveries">View deliveries</TextLink>
          </>
        ),
      }
    })
}

/** Today's failed meetings that have a next step and were not tried again. */
function useFailedJoinItems(): AttentionItem[] {
  const today = formatLocalDay(new Date(useNowEvery30Seconds()))
  const failed =
    useMeetingList({ status: 'error', retried: 'false' }).data?.pages[0]?.meetings ?? []
  return failed
    .filter(({ endedAt }) => endedAt !== null && formatLocalDay(new Date(endedAt)) === today)
    .flatMap(({ meetingId, title, reason }) =>
      reason !== null && MEETING_END_REASON_TEXTS[reason].nextStep !== undefined
        ? [
            {
              key: createKey('join', meetingId),
              name: title,
              text: (
                <>
                  Hansard couldn’t record <MeetingLink id={meetingId} title={title} />.{' '}
                  {MEETING_END_REASON_TEXTS[reason].what}
                </>
              ),
            },
          ]
        : [],
    )
    .slice(0, MAX_OF_A_KIND)
}

function useBrokenCalendarItems(): AttentionItem[] {
  const calendars = useCalendars().data?.calendars ?? []
  return calendars.flatMap(({ id, name, problem, brokenSince }) =>
    brokenSince === null
      ? []
      : [
          {
            key: createKey('calendar', id, brokenSince),
            name: `calendar ${name}`,
            text: (
              <>
                The calendar <Name>{name}</Name> can’t be read.{problem !== null && ` ${problem}`}{' '}
                <TextLink to="/account" search={{ tab: 'calendars' }}>
                  Calendar settings
                </TextLink>
              </>
            ),
          },
        ],
  )
}

const FAILED_STATUSES: ReadonlySet<string | undefined> = new Set(['failed', 'timeout', 'stale'])

/** Active tasks that can't run without a language model, and tasks whose last run failed this week. */
function useTaskItems(): AttentionItem[] {
  const now = useNowEvery30Seconds()
  const tasks = useTasks().data?.tasks ?? []
  const prompts = usePrompts().data?.prompts ?? []
  const withoutModel = new Set(
    prompts
      .filter(({ problems }) => problems.some(({ path }) => path === 'model'))
      .map(({ name }) => name),
  )
  const needsModel = tasks.filter(({ promptName, enabled, isScheduled, trigger }) => {
    return enabled && (isScheduled || trigger !== undefined) && withoutModel.has(promptName)
  })
  const failed = tasks.filter(({ lastStatus, lastRunAt = '' }) => {
    return FAILED_STATUSES.has(lastStatus) && now - Date.parse(lastRunAt) < WEEK_MS
  })
  const model = needsModel.slice(0, MAX_OF_A_KIND).map(({ name }) => ({
    key: createKey('model', name),
    name: `task ${name} needs a language model`,
    text: (
      <>
        The task <TaskLink name={name} /> needs a language model, and none is set up for it.
      </>
    ),
  }))
  const others = failed.filter((task) => !needsModel.includes(task))
  const runs = others.slice(0, MAX_OF_A_KIND).map(({ name, lastRunAt = '' }) => ({
    key: createKey('task', name, lastRunAt),
    name: `task ${name} failed`,
    text: (
      <>
        The last run of the task <TaskLink name={name} /> failed <Time at={lastRunAt} show="ago" />.
      </>
    ),
  }))
  return [...model, ...runs]
}

function useFailedEventItems(): AttentionItem[] {
  const { events = 0, meetings = 0, lastFailedAt = null } = useFailedEventTotals().data ?? {}
  if (events === 0) return []
  const text = (
    <>
      {formatCountWithNoun(events, 'event')} of {formatCountWithNoun(meetings, 'meeting')} could not
      be delivered. <TextLink to="/deliveries">View and replay</TextLink>
    </>
  )
  // By day, because during an outage another event fails every few seconds.
  const day = lastFailedAt === null ? '' : formatLocalDay(new Date(lastFailedAt))
  return [{ key: createKey('undelivered', day), name: 'undelivered events', text }]
}

function TaskLink({ name }: { name: string }) {
  return <TextLink {...taskPage(name)}>{name}</TextLink>
}

function MeetingLink({ id, title }: { id: string; title: string }) {
  return (
    <TextLink {...meetingPage(id)}>
      <Name>{title}</Name>
    </TextLink>
  )
}

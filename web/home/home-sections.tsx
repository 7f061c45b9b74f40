import { Group, Title, Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import '../actions/actions.css'
import type { ApiListedAction } from '../../src/http/shapes/meetings/actions.ts'
import { DueDate } from '../actions/due-date.tsx'
import { useActionList, useActionState } from '../actions/queries.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { Name, TextLink, TitleLink, meetingPage, taskPage } from '../ui/links.tsx'
import type { MeetingPlatform } from '../../src/http/shapes/values.ts'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { Time, useNowEvery30Seconds } from '../ui/format/time.tsx'
import { useUpcomingMeetings } from '../upcoming/queries.ts'
import type { ApiTask } from '../../src/http/shapes/tasks.ts'
import { RunStatusBadge } from '../tasks/run-status-badge.tsx'
import { useTasks } from '../tasks/queries.ts'

interface HomeSectionProps {
  id: string
  title: string
  /** A link to the page with the full list. */
  more?: ReactNode
  children: ReactNode
}

/** A part of the home page with its heading. */
export function HomeSection({ id, title, more, children }: HomeSectionProps) {
  return (
    <section aria-labelledby={id} className="home-section">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {more}
      </Group>
      {children}
    </section>
  )
}

const MAX_SHOWN_ACTIONS = 5

/** The signed-in user's action items, earliest due date first. A ticked item can be unticked. */
export function MyActions() {
  const { data } = useActionList({ mine: true })
  const actions = (data?.pages ?? []).flatMap((page) => page.actions)
  if (actions.length === 0) return null
  return (
    <HomeSection
      id="my-actions"
      title="My open action items"
      more={
        <TextLink to="/actions" search={{ mine: true }} size="sm">
          {actions.length > MAX_SHOWN_ACTIONS ? 'All of mine' : 'Open the list'}
        </TextLink>
      }
    >
      <ul className="plain-list home-rows">
        {actions.slice(0, MAX_SHOWN_ACTIONS).map((action) => (
          <MyAction key={action.actionId} action={action} />
        ))}
      </ul>
    </HomeSection>
  )
}

function MyAction({ action }: { action: ApiListedAction }) {
  const { state, setState, error } = useActionState(action)
  const isDone = state === 'done'
  return (
    <li className="home-action">
      <Checkbox
        checked={isDone}
        onChange={(event) => setState(event.currentTarget.checked ? 'done' : 'open')}
        label={
          <bdi className={isDone ? 'action-text action-done' : 'action-text'}>{action.text}</bdi>
        }
      />
      <div className="action-facts">
        <DueDate action={action} isOpen={!isDone} />
        <TextLink {...meetingPage(action.meetingId)} inherit className="break-anywhere">
          <Name>{action.meetingTitle}</Name>
        </TextLink>
      </div>
      <ErrorBox error={error} />
    </li>
  )
}

const MAX_SHOWN_MEETINGS = 3

function describePlatform(platform: MeetingPlatform): string {
  return platform === 'practice' ? ' · practice meeting' : ` on ${PLATFORM_LABELS[platform]}`
}

/** The next meetings that Hansard joins automatically. */
export function NextMeetings() {
  const { data } = useUpcomingMeetings()
  const now = useNowEvery30Seconds()
  const next = (data?.pages ?? [])
    .flatMap((page) => page.upcoming)
    .filter(({ willJoin, startsAt }) => willJoin && Date.parse(startsAt) > now)
    .slice(0, MAX_SHOWN_MEETINGS)
  if (next.length === 0) return null
  return (
    <HomeSection
      id="upcoming"
      title="Upcoming"
      more={
        <TextLink to="/upcoming" size="sm">
          All upcoming
        </TextLink>
      }
    >
      <ul className="plain-list home-rows">
        {next.map(({ id, meetingId, title, startsAt, platform }) => (
          <li key={id} className="home-row home-row-upcoming">
            <div className="home-row-main">
              {meetingId === null ? (
                <span className="home-row-title">
                  <Name>{title}</Name>
                </span>
              ) : (
                <TitleLink {...meetingPage(meetingId)} className="home-row-title">
                  <Name>{title}</Name>
                </TitleLink>
              )}
              <p className="home-row-gist">
                Hansard joins <Time at={startsAt} show="relative" />
                {platform !== null && describePlatform(platform)}
              </p>
            </div>
            <div className="home-row-facts">
              <Time at={startsAt} show="near" />
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}

const MAX_SHOWN_RUNS = 3

export function NextRuns() {
  const { data } = useTasks()
  const next = (data?.tasks ?? [])
    .filter((task): task is ApiTask & { nextRunAt: string } => task.nextRunAt !== undefined)
    .toSorted((a, b) => Date.parse(a.nextRunAt) - Date.parse(b.nextRunAt))
    .slice(0, MAX_SHOWN_RUNS)
  if (next.length === 0) return null
  return (
    <HomeSection
      id="next-runs"
      title="Scheduled tasks"
      more={
        <TextLink to="/tasks" size="sm">
          All tasks
        </TextLink>
      }
    >
      <ul className="plain-list home-rows">
        {next.map(({ name, nextRunAt, lastStatus }) => (
          <li key={name} className="home-row home-row-upcoming">
            <div className="home-row-main">
              <TitleLink {...taskPage(name)} className="home-row-title">
                {name}
              </TitleLink>
              <p className="home-row-gist">
                Runs <Time at={nextRunAt} show="relative" />
              </p>
            </div>
            <div className="home-row-facts">
              {lastStatus === 'running' ? (
                <RunStatusBadge status="running" />
              ) : (
                <Time at={nextRunAt} show="near" />
              )}
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}

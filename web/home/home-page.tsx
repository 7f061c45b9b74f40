import { Anchor, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PrivateProjectsNotice } from '../access/private-projects-notice.tsx'
import { useApiTokens } from '../account/queries.ts'
import { useSignedInUser } from '../api/app-state.tsx'
import { useDeliveryFigures } from '../deliveries/queries.ts'
import { CallbacksCard } from './callbacks-card.tsx'
import { NeedsAttention } from './needs-attention.tsx'
import { LiveMeetings } from '../meetings/live-meetings.tsx'
import { REAL_PLATFORMS_TEXT } from '../meetings/meeting-labels.ts'
import { useActiveMeetings, useMeetingList } from '../meetings/queries.ts'
import { PRACTICE_MEETING_INPUT, useStartMeeting } from '../meetings/use-start-meeting.ts'
import { RunSampleTaskButton } from './sample-task-button.tsx'
import { NextMeetings } from './next-meetings.tsx'
import { NextRuns } from './next-runs.tsx'
import { useCalendars } from '../calendars/queries.ts'
import { useTasks } from '../tasks/queries.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { TextLink } from '../ui/links.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { useAction } from '../ui/forms/use-action.ts'

export function HomePage() {
  const user = useSignedInUser()
  const active = useActiveMeetings()
  return (
    <Stack gap="xl" maw={900}>
      <Stack gap={4}>
        <PageTitle>Home</PageTitle>
        <Text c="dimmed" className="break-anywhere">
          Signed in as {user.name} ({user.email}){user.role === 'admin' ? ', administrator' : ''}.
        </Text>
      </Stack>
      {user.role === 'admin' && <PrivateProjectsNotice />}
      <LiveMeetings meetings={active.data?.meetings ?? []} />
      <div className="home-cards">
        <NeedsAttention />
        <CallbacksCard />
        <NextMeetings />
        <NextRuns />
      </div>
      <GetStarted />
    </Stack>
  )
}

type GetStartedStep = { isDone: boolean; title: string; description: string; action: ReactNode }

/** A checklist for a new installation. A step is done when the user can see its result, no matter who created it. */
function GetStarted() {
  const history = useMeetingList({ begun: 'true' })
  const tokens = useApiTokens()
  const figures = useDeliveryFigures()
  const tasks = useTasks()
  const calendars = useCalendars()
  const meetings = history.data?.pages.flatMap((page) => page.meetings) ?? []
  const attended = meetings.filter(({ platform }) => platform !== 'imported')
  // What was done may be on a later page, behind many imported or practice meetings.
  const { hasNextPage } = history
  const hasAttended = attended.length > 0 || hasNextPage
  const newest = meetings.find(
    ({ platform, documentPath, status }) =>
      platform === 'practice' && documentPath && status !== 'error',
  )
  const steps: GetStartedStep[] = [
    {
      isDone: hasAttended,
      title: 'Watch a practice meeting',
      description:
        'Four participants, two minutes, no account needed: live transcript, insights, saved document.',
      action: <PracticeButton isPrimary={!hasAttended} />,
    },
    {
      isDone: newest?.status === 'ended' || hasNextPage,
      title: 'Read its document',
      description: 'Every meeting is saved as a Markdown file in a project.',
      action: newest && (
        <TextLink
          to="/meetings/$meetingId"
          params={{ meetingId: newest.meetingId }}
          search={{ tab: 'document' }}
        >
          Open the document
        </TextLink>
      ),
    },
    {
      isDone: (tokens.data?.tokens.length ?? 0) > 0,
      title: 'Create an API token',
      description:
        'Your programs use it to call the API and to verify callbacks. Comes with a curl command to try.',
      action: (
        <TextLink to="/account" search={{ tab: 'tokens' }}>
          Go to API tokens
        </TextLink>
      ),
    },
    {
      isDone: (figures.data?.delivered ?? 0) > 0,
      title: 'See what your program will receive',
      description: 'The console inbox receives signed callbacks, just like your own program would.',
      action: <TextLink to="/deliveries/inbox">Open the inbox</TextLink>,
    },
    {
      isDone: tasks.data?.tasks.some(({ lastRunAt }) => lastRunAt !== undefined) ?? false,
      title: 'Run your first task',
      description: 'A digest of your meetings. It needs no language model and no API key.',
      action: <RunSampleTaskButton />,
    },
    {
      isDone: attended.some(({ platform }) => platform !== 'practice') || hasNextPage,
      title: 'Send Hansard to a real meeting',
      description: `Paste the link of a ${REAL_PLATFORMS_TEXT} meeting.`,
      action: <TextLink to="/meetings">Paste a link</TextLink>,
    },
    {
      isDone: (calendars.data?.calendars.length ?? 0) > 0,
      title: 'Connect your calendar',
      description: 'Hansard then joins your meetings by itself. You choose which ones.',
      action: (
        <TextLink to="/account" search={{ tab: 'calendars' }}>
          Connect a calendar
        </TextLink>
      ),
    },
  ]
  if (!history.data || !tokens.data) return null
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Stack gap="sm" component="section" aria-labelledby="get-started">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="get-started">
          Get started
        </Title>
        <Text size="sm" c="dimmed">
          {done} of {steps.length} done
        </Text>
      </Group>
      <Progress value={(done / steps.length) * 100} size="sm" aria-label="Steps done" />
      <Stack component="ol" className="plain-list" gap="sm">
        {steps.map((step) => (
          <Step key={step.title} step={step} />
        ))}
      </Stack>
      <Text size="sm" c="dimmed">
        All API calls are documented in the <Anchor href="/docs">API reference</Anchor>.
      </Text>
    </Stack>
  )
}

function Step({ step: { isDone, title, description, action } }: { step: GetStartedStep }) {
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start" flex="1 1 260px">
          <span className={isDone ? 'step-mark step-done' : 'step-mark'} aria-hidden>
            {isDone && <CheckIcon />}
          </span>
          <div>
            <Text fw={600}>
              {title}
              {isDone && (
                <Text span size="sm" c="dimmed" fw={400}>
                  {' '}
                  · done
                </Text>
              )}
            </Text>
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          </div>
        </Group>
        {action}
      </Group>
    </Card>
  )
}

function PracticeButton({ isPrimary }: { isPrimary: boolean }) {
  const start = useStartMeeting()
  const action = useAction(() => start(PRACTICE_MEETING_INPUT))
  return (
    <Stack gap="xs">
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        loading={action.isRunning}
        onClick={() => void action.run()}
      >
        Start a practice meeting
      </Button>
      {action.error ? <ErrorBox error={action.error} /> : null}
    </Stack>
  )
}

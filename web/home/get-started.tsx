import { type ReactNode, useRef, useEffectEvent, useEffect, useState } from 'react'
import { Group, Title, Button, Text, Progress, Anchor } from '@mantine/core'
import type { ApiListedMeeting } from '../../src/http/shapes/meetings/meetings.ts'
import { CheckIcon } from '../ui/icons.tsx'
import type { GetStartedStep } from '../../src/http/shapes/values.ts'
import { GET_STARTED_STEPS, HIDDEN_LIST_KEY } from '../../src/http/shapes/values.ts'
import { useApiTokens } from '../account/queries.ts'
import { type Marks, useMarks, useMarkStepDone, useChangeMark } from '../account/use-marks.ts'
import { useSignedInUser } from '../api/use-api.tsx'
import { useCalendars } from '../calendars/queries.ts'
import { REAL_PLATFORMS_TEXT } from '../meetings/meeting-labels.ts'
import { useTasks } from '../tasks/queries.ts'
import { TextLink, meetingPage } from '../ui/links.tsx'
import { PRACTICE_MEETING_INPUT, useStartMeeting } from '../meetings/use-start-meeting.ts'
import { useAction, useLatestAction, ActionButtonWithError } from '../ui/forms.tsx'
import { useRunSampleTask } from '../tasks/use-run-task.ts'
import { Hint } from '../ui/text.tsx'

interface GetStartedProps {
  meetings: readonly ApiListedMeeting[]
  onHide: () => void
}

/** A person's first steps, until all are done or the person hides the list. */
export function GetStarted({ meetings, onHide }: GetStartedProps) {
  const steps = useSteps(meetings)
  if (steps === null) return null
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const next = steps.find(({ isDone, action }) => !isDone && action !== undefined)?.step
  return (
    <section aria-labelledby="get-started" className="home-section">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="get-started">
          Get started
        </Title>
        <Group gap="sm">
          <Hint>
            {done} of {steps.length} done
          </Hint>
          <Button variant="subtle" size="compact-sm" className="get-started-hide" onClick={onHide}>
            Hide this list
          </Button>
        </Group>
      </Group>
      <Progress value={(done / steps.length) * 100} size="sm" aria-label="Steps done" />
      <ol className="plain-list home-rows">
        {steps.map((step) => (
          <Step key={step.step} listed={step} isNext={step.step === next} />
        ))}
      </ol>
      <Hint>
        Building on Hansard? Every call is in the <Anchor href="/docs">API reference</Anchor>.
      </Hint>
    </section>
  )
}

function Step({ listed, isNext }: { listed: ListedStep; isNext: boolean }) {
  const { isDone, title, description, action } = listed
  return (
    <li className={isNext ? 'step step-next' : 'step'}>
      <span className={isDone ? 'step-mark step-done' : 'step-mark'} aria-hidden>
        {isDone && <CheckIcon />}
      </span>
      <div className="step-text">
        <Text fw={600}>
          {title}
          {isDone && (
            <Text span size="sm" c="dimmed" fw={400}>
              {' '}
              · done
            </Text>
          )}
        </Text>
        {!isDone && <Hint>{description}</Hint>}
      </div>
      <div className="step-action">{action}</div>
    </li>
  )
}

type ListedStep = {
  step: GetStartedStep
  isDone: boolean
  title: string
  description: string
  action: ReactNode
}

type StepTexts = { title: string; description: string }
const STEP_TEXTS: Record<GetStartedStep, StepTexts> = {
  practice: {
    title: 'Watch a practice meeting',
    description: 'Four people, two minutes, no account needed. You see every word as it is said.',
  },
  recap: {
    title: 'Read its recap',
    description:
      'When a meeting ends, Hansard sums it up: decisions, action items, open questions.',
  },
  real_meeting: {
    title: 'Send Hansard to a real meeting',
    description: `Paste the link of a ${REAL_PLATFORMS_TEXT} meeting.`,
  },
  calendar: {
    title: 'Connect your calendar',
    description: 'Hansard then joins your meetings by itself. You choose which ones.',
  },
  task: {
    title: 'Run your first task',
    description: 'A digest of your meetings. It needs no language model and no API key.',
  },
  token: {
    title: 'Create an API token',
    description: 'For your own programs. Comes with a command to try.',
  },
  inbox: {
    title: 'See what your program will receive',
    description: 'The inbox receives signed callbacks, just like your own program would.',
  },
}

/** The steps in the order of the list, with the person’s own results. A done step stays done. */
function useSteps(meetings: readonly ApiListedMeeting[]): ListedStep[] | null {
  const marks = useMarks()
  const found = useFoundSteps()
  const isDone = (step: GetStartedStep) => marks.has('get_started', step) || found.has(step)
  useMarkFoundSteps(marks, found)
  if (!marks.isLoaded) return null
  const newest = meetings.find(({ status, platform }) => {
    return status === 'ended' && platform !== 'imported'
  })
  const actions: Record<GetStartedStep, ReactNode> = {
    practice: <PracticeButton isPrimary={!isDone('practice')} />,
    recap: newest && <RecapLink meetingId={newest.meetingId} />,
    real_meeting: <TextLink to="/meetings">Paste a link</TextLink>,
    calendar: (
      <TextLink to="/account" search={{ tab: 'calendars' }}>
        Connect a calendar
      </TextLink>
    ),
    task: <RunSampleTaskButton />,
    token: (
      <TextLink to="/account" search={{ tab: 'tokens' }}>
        Go to API tokens
      </TextLink>
    ),
    inbox: <TextLink to="/deliveries/inbox">Open the inbox</TextLink>,
  }
  return (Object.keys(STEP_TEXTS) as GetStartedStep[]).map((step) => ({
    step,
    isDone: isDone(step),
    ...STEP_TEXTS[step],
    action: actions[step],
  }))
}

/** Remembers steps that were found done. Tries each only once, because after an error the marks are read again. */
function useMarkFoundSteps(marks: Marks, found: ReadonlySet<GetStartedStep>): void {
  const tried = useRef(new Set<GetStartedStep>())
  const unmarked = GET_STARTED_STEPS.filter(
    (step) => marks.isLoaded && found.has(step) && !marks.has('get_started', step),
  )
  const markStepDone = useMarkStepDone()
  const markOnce = useEffectEvent((step: GetStartedStep) => {
    if (tried.current.has(step)) return
    tried.current.add(step)
    markStepDone(step)
  })
  // As text, which stays the same on each render until a step is added.
  const names = unmarked.join(' ')
  useEffect(() => {
    const added = names.split(' ')
    for (const step of GET_STARTED_STEPS.filter((one) => added.includes(one))) markOnce(step)
  }, [names])
}

/** The steps for which the console can see a result of this person. */
function useFoundSteps(): ReadonlySet<GetStartedStep> {
  const user = useSignedInUser()
  const tokens = useApiTokens().data?.tokens ?? []
  const tasks = useTasks().data?.tasks ?? []
  const calendars = useCalendars().data?.calendars ?? []
  const isFound: Partial<Record<GetStartedStep, boolean>> = {
    token: tokens.some(({ creatorId }) => creatorId === user.id),
    task: tasks.some(({ owner, lastRunAt }) => owner?.id === user.id && lastRunAt !== undefined),
    calendar: calendars.length > 0,
  }
  return new Set(GET_STARTED_STEPS.filter((step) => isFound[step] === true))
}

function RecapLink({ meetingId }: { meetingId: string }) {
  return <TextLink {...meetingPage(meetingId)}>Open the recap</TextLink>
}

export function PracticeButton({ isPrimary }: { isPrimary: boolean }) {
  const start = useStartMeeting()
  const action = useAction(() => start(PRACTICE_MEETING_INPUT))
  return (
    <ActionButtonWithError variant={isPrimary ? 'filled' : 'default'} action={action}>
      Start a practice meeting
    </ActionButtonWithError>
  )
}

/** Creates a sample task, runs it and opens the page of the run. */
function RunSampleTaskButton() {
  const action = useAction(useRunSampleTask())
  return (
    <ActionButtonWithError variant="default" action={action}>
      Run a sample task
    </ActionButtonWithError>
  )
}

interface StepsVisibility {
  isLoaded: boolean
  isShown: boolean
  /** True if the user has hidden the list since the page was opened. */
  wasHidden: boolean
  setHidden: (isHidden: boolean) => void
  error: unknown
}

/**
 * Decides whether the page shows the list of first steps. This state belongs to the page instead of the list, because
 * an error must stay visible after the list, or the note in its place, has disappeared.
 */
export function useStepsVisibility(): StepsVisibility {
  const marks = useMarks()
  const change = useChangeMark()
  const [wasHidden, setWasHidden] = useState(false)
  const { run, error } = useLatestAction((isHidden: boolean) =>
    change('get_started', HIDDEN_LIST_KEY, isHidden),
  )
  return {
    isLoaded: marks.isLoaded,
    isShown: marks.isLoaded && !marks.has('get_started', HIDDEN_LIST_KEY),
    wasHidden,
    setHidden: (isHidden) => {
      if (isHidden) setWasHidden(true)
      void run(isHidden)
    },
    error,
  }
}

import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import type { ApiListedMeeting } from '../../../src/http/shapes/meetings/meetings.ts'
import { GET_STARTED_STEPS, type GetStartedStep } from '../../../src/http/shapes/values.ts'
import { useApiTokens } from '../../account/queries.ts'
import { useMarks, useMarkStepDone, type Marks } from '../../account/use-marks.ts'
import { useSignedInUser } from '../../api/app-state.tsx'
import { useCalendars } from '../../calendars/queries.ts'
import { REAL_PLATFORMS_TEXT } from '../../meetings/meeting-labels.ts'
import { useTasks } from '../../tasks/queries.ts'
import { TextLink } from '../../ui/links.tsx'
import { PracticeButton } from './practice-button.tsx'
import { RunSampleTaskButton } from './sample-task-button.tsx'

export type ListedStep = {
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
export function useSteps(meetings: readonly ApiListedMeeting[]): ListedStep[] | null {
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
  return (
    <TextLink to="/meetings/$meetingId" params={{ meetingId }}>
      Open the recap
    </TextLink>
  )
}

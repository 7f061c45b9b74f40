import { Text, Title, VisuallyHidden } from '@mantine/core'
import './live.css'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { formatSecondsAsClock } from '../../../ui/format/format-text.ts'
import { useNowEverySecond } from '../../../ui/format/time.tsx'
import { type JoinStep, JOIN_STEP_LABELS, listJoinSteps } from './join-steps.ts'

/** What happens in a step, and what the user can do meanwhile. */
const HINTS: Partial<Record<JoinStep['name'], (botName: string) => string>> = {
  opening: (botName) => `“${botName}” opens the meeting page. This can take up to a minute.`,
  waiting: (botName) => `Ask the host to admit “${botName}”.`,
  captions: () => 'The transcript appears here as soon as someone speaks.',
}

const STATE_TEXTS: Record<JoinStep['state'], string> = {
  done: 'done',
  current: 'now',
  ahead: 'not yet',
  skipped: 'not needed',
}

/** The bot's progress on its way into the meeting, until there are captions. */
export function JoinStepper({ meeting }: { meeting: ApiMeetingDetail }) {
  const steps = listJoinSteps(meeting)
  const current = steps.find(({ state }) => state === 'current')
  return (
    <section className="join-steps" aria-labelledby="joining">
      <Title order={2} size="h4" id="joining">
        {meeting.status === 'live' ? 'Waiting for the first words' : 'Joining the meeting'}
      </Title>
      <VisuallyHidden role="status">
        {current !== undefined && JOIN_STEP_LABELS[current.name]}
      </VisuallyHidden>
      <ol className="plain-list">
        {steps.map((step) => (
          <Step key={step.name} step={step} botName={meeting.botName} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step: { name, state, since }, botName }: { step: JoinStep; botName: string }) {
  const hint = state === 'current' ? HINTS[name]?.(botName) : undefined
  return (
    <li
      className={`join-step join-step-${state}`}
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <span className="join-mark" aria-hidden>
        {state === 'done' && '✓'}
      </span>
      <div>
        <div className="join-label">
          <span>{JOIN_STEP_LABELS[name]}</span>
          <VisuallyHidden>, {STATE_TEXTS[state]}</VisuallyHidden>
          {state === 'skipped' && (
            <Text span size="sm" c="dimmed" aria-hidden>
              {STATE_TEXTS.skipped}
            </Text>
          )}
          {since !== null && <Elapsed since={since} />}
        </div>
        {hint !== undefined && (
          <Text size="sm" className="break-anywhere" role="note">
            {hint}
          </Text>
        )}
      </div>
    </li>
  )
}

function Elapsed({ since }: { since: string }) {
  const seconds = (useNowEverySecond() - Date.parse(since)) / 1000
  return (
    <Text span size="sm" c="dimmed" className="figures">
      {formatSecondsAsClock(seconds)}
    </Text>
  )
}

import { Anchor, Button, Group, Progress, Text, Title } from '@mantine/core'
import type { ApiListedMeeting } from '../../../src/http/shapes/meetings/meetings.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { useSteps, type ListedStep } from './use-steps.tsx'

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
          <Text size="sm" c="dimmed">
            {done} of {steps.length} done
          </Text>
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
      <Text size="sm" c="dimmed">
        Building on Hansard? Every call is in the <Anchor href="/docs">API reference</Anchor>.
      </Text>
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
        {!isDone && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </div>
      <div className="step-action">{action}</div>
    </li>
  )
}

import { Progress, Stack, Text, Title } from '@mantine/core'
import type { WireFullExecution } from '../../src/http/shapes/tasks.ts'
import { clock } from '../meetings/words.ts'
import { STATUSES, duration, isWaiting } from '../tasks/words.ts'
import { ShortTime, useSeconds } from '../ui/time.tsx'

type Step = { what: string; at: string }

/** From the due time to the end, with how long each part took. */
export function Timeline({ execution, timeoutMs }: TimelineProps) {
  const steps = stepsOf(execution)
  return (
    <Stack gap="sm" component="section" aria-labelledby="timeline">
      <Title order={2} id="timeline">
        Timeline
      </Title>
      <ol className="plain-list run-steps">
        {steps.map(({ what, at }, i) => {
          const before = steps[i - 1]
          return (
            <li key={what}>
              <ShortTime at={at} /> {what}
              {before && (
                <Text span size="sm" c="dimmed" className="figures">
                  , {duration(Math.max(0, Date.parse(at) - Date.parse(before.at)))} later
                </Text>
              )}
            </li>
          )
        })}
      </ol>
      {execution.status === 'running' && !isWaiting(execution) && timeoutMs !== undefined && (
        <TimeLeft startedAt={execution.startedAt} timeoutMs={timeoutMs} />
      )}
    </Stack>
  )
}

interface TimelineProps {
  execution: WireFullExecution
  timeoutMs: number | undefined
}

function stepsOf(execution: WireFullExecution): Step[] {
  const { scheduledFor, requestedAt, startedAt, completedAt, status } = execution
  return [
    ...(scheduledFor === undefined ? [] : [{ what: 'due', at: scheduledFor }]),
    { what: execution.triggerType === 'manual' ? 'asked for' : 'put in line', at: requestedAt },
    ...(isWaiting(execution) ? [] : [{ what: 'begun', at: startedAt }]),
    ...(completedAt === undefined
      ? []
      : [{ what: STATUSES[status].label.toLowerCase(), at: completedAt }]),
  ]
}

function TimeLeft({ startedAt, timeoutMs }: { startedAt: string; timeoutMs: number }) {
  const ms = Math.max(0, useSeconds() - Date.parse(startedAt))
  return (
    <Stack gap={4}>
      <Progress
        value={Math.min(100, (ms / timeoutMs) * 100)}
        size="sm"
        aria-label="Share of the time-out that has passed"
      />
      <Text size="sm" className="figures">
        {clock(ms / 1000)} of at most {clock(timeoutMs / 1000)}
      </Text>
    </Stack>
  )
}

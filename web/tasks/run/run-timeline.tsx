import { Progress, Stack, Text, Title } from '@mantine/core'
import type { ApiFullExecution } from '../../../src/http/shapes/tasks.ts'
import { formatSecondsAsClock } from '../../ui/format/format-text.ts'
import { formatDuration, isRunQueued, labelRun } from '../task-labels.ts'
import { TimeOfDay, useNowEverySecond } from '../../ui/format/time.tsx'

/** `colour` is the colour of the run's final status. */
type TimelineStep = { label: string; at: string; colour?: string }

/** The steps of a run from its due time to its end, with the time between them. */
export function RunTimeline({ execution, timeoutMs }: RunTimelineProps) {
  const steps = toTimelineSteps(execution)
  return (
    <Stack gap="sm" component="section" aria-labelledby="timeline">
      <Title order={2} id="timeline">
        Timeline
      </Title>
      <ol className="plain-list run-steps">
        {steps.map(({ label, at, colour = 'gray' }, i) => {
          const before = steps[i - 1]
          return (
            <li key={label} className={`run-step-${colour}`}>
              <TimeOfDay at={at} /> {label}
              {before && (
                <Text span size="sm" c="dimmed" className="figures">
                  , {formatDuration(Math.max(0, Date.parse(at) - Date.parse(before.at)))} later
                </Text>
              )}
            </li>
          )
        })}
      </ol>
      {execution.status === 'running' && !isRunQueued(execution) && timeoutMs !== undefined && (
        <TimeoutProgress startedAt={execution.startedAt} timeoutMs={timeoutMs} />
      )}
    </Stack>
  )
}

interface RunTimelineProps {
  execution: ApiFullExecution
  timeoutMs: number | undefined
}

function toTimelineSteps(execution: ApiFullExecution): TimelineStep[] {
  const { scheduledFor, requestedAt, startedAt, completedAt } = execution
  return [
    ...(scheduledFor === undefined ? [] : [{ label: 'Due', at: scheduledFor }]),
    { label: execution.triggerType === 'manual' ? 'Requested' : 'Queued', at: requestedAt },
    ...(isRunQueued(execution) ? [] : [{ label: 'Started', at: startedAt }]),
    ...(completedAt === undefined ? [] : [{ ...labelRun(execution), at: completedAt }]),
  ]
}

function TimeoutProgress({ startedAt, timeoutMs }: { startedAt: string; timeoutMs: number }) {
  const ms = Math.max(0, useNowEverySecond() - Date.parse(startedAt))
  return (
    <Stack gap={4}>
      <Progress
        value={Math.min(100, (ms / timeoutMs) * 100)}
        size="sm"
        aria-label="Elapsed share of the timeout"
      />
      <Text size="sm" className="figures">
        {formatSecondsAsClock(ms / 1000)} of {formatSecondsAsClock(timeoutMs / 1000)} (timeout)
      </Text>
    </Stack>
  )
}

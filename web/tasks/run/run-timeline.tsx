import { Progress, Stack, Text, Title } from '@mantine/core'
import type { WireFullExecution } from '../../../src/http/shapes/tasks.ts'
import { formatClock } from '../../meetings/meeting-labels.ts'
import { RUN_STATUS_LABELS, formatDuration, isQueued } from '../task-labels.ts'
import { TimeOfDay, useNowEverySecond } from '../../ui/format/time.tsx'

type TimelineStep = { what: string; at: string }

/** From the due time to the end, with how long each part took. */
export function RunTimeline({ execution, timeoutMs }: RunTimelineProps) {
  const steps = toTimelineSteps(execution)
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
              <TimeOfDay at={at} /> {what}
              {before && (
                <Text span size="sm" c="dimmed" className="figures">
                  , {formatDuration(Math.max(0, Date.parse(at) - Date.parse(before.at)))} later
                </Text>
              )}
            </li>
          )
        })}
      </ol>
      {execution.status === 'running' && !isQueued(execution) && timeoutMs !== undefined && (
        <TimeoutProgress startedAt={execution.startedAt} timeoutMs={timeoutMs} />
      )}
    </Stack>
  )
}

interface RunTimelineProps {
  execution: WireFullExecution
  timeoutMs: number | undefined
}

function toTimelineSteps(execution: WireFullExecution): TimelineStep[] {
  const { scheduledFor, requestedAt, startedAt, completedAt, status } = execution
  return [
    ...(scheduledFor === undefined ? [] : [{ what: 'due', at: scheduledFor }]),
    { what: execution.triggerType === 'manual' ? 'asked for' : 'put in line', at: requestedAt },
    ...(isQueued(execution) ? [] : [{ what: 'begun', at: startedAt }]),
    ...(completedAt === undefined
      ? []
      : [{ what: RUN_STATUS_LABELS[status].label.toLowerCase(), at: completedAt }]),
  ]
}

function TimeoutProgress({ startedAt, timeoutMs }: { startedAt: string; timeoutMs: number }) {
  const ms = Math.max(0, useNowEverySecond() - Date.parse(startedAt))
  return (
    <Stack gap={4}>
      <Progress
        value={Math.min(100, (ms / timeoutMs) * 100)}
        size="sm"
        aria-label="Share of the time-out that has passed"
      />
      <Text size="sm" className="figures">
        {formatClock(ms / 1000)} of at most {formatClock(timeoutMs / 1000)}
      </Text>
    </Stack>
  )
}

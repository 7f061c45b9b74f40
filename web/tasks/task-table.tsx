import { Group, Stack, Text } from '@mantine/core'
import type { ApiTask, ApiRecentExecutions } from '../../src/http/shapes/tasks.ts'
import { usePromptsWithoutModel } from './model-needed.tsx'
import { RunStatusBadge } from './run-status-badge.tsx'
import { describeCron } from './schedule/describe-schedule.ts'
import { TRIGGER_EVENT_LABELS } from './schedule/describe-trigger.ts'
import { formatDuration, formatCompactNumber } from './task-labels.ts'
import { SparkBars } from '../ui/charts/spark-bars.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Time } from '../ui/format/time.tsx'
import { TextLink, TitleLink } from '../ui/links.tsx'
import { DataTable, RowButton, type Column } from '../ui/tables/data-table.tsx'

type Row = ApiTask & { id: string; figures: ApiRecentExecutions | undefined }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Task',
    cell: ({ name }) => (
      <TitleLink to="/tasks/$name" params={{ name }}>
        {name}
      </TitleLink>
    ),
  },
  { header: 'Last run', cell: (row) => <LastRun task={row} />, isShort: true, card: 'badge' },
  { header: 'Next run', cell: (row) => <NextRun task={row} />, isShort: true, priority: 'middle' },
  {
    header: 'Duration',
    cell: ({ figures }) => <DurationBars figures={figures} />,
    isShort: true,
    priority: 'low',
  },
  {
    header: 'Tokens',
    cell: ({ figures }) => <TokenBars figures={figures} />,
    isShort: true,
    priority: 'low',
  },
]

interface TaskTableProps {
  tasks: ApiTask[]
  figures: ReadonlyMap<string, ApiRecentExecutions>
  onRun: (name: string) => void
}

export function TaskTable({ tasks, figures, onRun }: TaskTableProps) {
  const withoutModel = usePromptsWithoutModel()
  const rows = tasks.map((task) => ({ ...task, id: task.name, figures: figures.get(task.name) }))
  return (
    <DataTable
      caption="Tasks by name"
      rows={rows}
      columns={COLUMNS}
      renderDetail={(row) => <ScheduleText task={row} />}
      renderActions={({ name, promptName }) =>
        withoutModel.has(promptName) ? (
          <TextLink to="/tasks/$name" params={{ name }} size="sm">
            Needs a model
          </TextLink>
        ) : (
          <RowButton label="Run now" ariaLabel={`Run now: ${name}`} onClick={() => onRun(name)} />
        )
      }
      rowMenu={({ id, name }) => ({
        id,
        rowName: name,
        curlApiPath: `/tasks/${encodeURIComponent(name)}`,
      })}
    />
  )
}

/** When the task runs: "Every day at 07:00 · Europe/Berlin · project sales". */
function ScheduleText({ task }: { task: ApiTask }) {
  const { cronExpression, trigger, timezone, enabled, project } = task
  const texts = [
    ...(cronExpression === undefined ? [] : [describeCron(cronExpression), timezone]),
    ...(trigger === undefined ? [] : [TRIGGER_EVENT_LABELS[trigger.on]]),
    ...(cronExpression === undefined && trigger === undefined ? ['On demand'] : []),
    ...(enabled ? [] : ['paused']),
    ...(project === undefined ? [] : [`project ${project}`]),
  ]
  return texts.join(' · ')
}

function NextRun({ task: { nextRunAt } }: { task: ApiTask }) {
  if (nextRunAt === undefined) return <>–</>
  return (
    <Stack gap={2}>
      <Text size="sm">
        <Time at={nextRunAt} show="minute" />
      </Text>
      <Text size="xs" c="dimmed">
        <Time at={nextRunAt} show="relative" />
      </Text>
    </Stack>
  )
}

function LastRun({ task: { lastStatus, lastCancelled, lastRunAt } }: { task: ApiTask }) {
  if (lastStatus === undefined || lastRunAt === undefined) return <>never</>
  return (
    <Group gap={6}>
      <RunStatusBadge status={lastStatus} cancelled={lastCancelled} />
      <Text span size="xs" c="dimmed">
        <Time at={lastRunAt} show="ago" />
      </Text>
    </Group>
  )
}

type Recent = ApiRecentExecutions['recent'][number]

/** Durations of the latest runs as small bars. Runs that did not complete have another colour. */
function DurationBars({ figures }: { figures: ApiRecentExecutions | undefined }) {
  const ended = (figures?.recent ?? []).filter(
    (run): run is Recent & { durationMs: number } => run.durationMs !== null,
  )
  if (ended.length === 0) return <>–</>
  const times = ended.map(({ durationMs }) => durationMs)
  const isFailed = ({ status, isCancelled }: Recent) => status !== 'completed' && !isCancelled
  const failed = ended.filter(isFailed).length
  const canceled = ended.filter(({ isCancelled }) => isCancelled).length
  return (
    <SparkBars
      bars={ended.map((run) => ({
        value: run.durationMs,
        isBad: isFailed(run),
        isMuted: run.isCancelled,
        text: formatDuration(run.durationMs),
      }))}
      label={`Last ${formatCountWithNoun(ended.length, 'run')}: ${formatDuration(Math.min(...times))} to ${formatDuration(
        Math.max(...times),
      )}${failed > 0 ? `, ${failed} not completed` : ''}${canceled > 0 ? `, ${canceled} canceled` : ''}`}
    />
  )
}

function TokenBars({ figures }: { figures: ApiRecentExecutions | undefined }) {
  const runs = figures?.recent ?? []
  const [input, output] = [sum(runs, 'inputTokens'), sum(runs, 'outputTokens')]
  if (input + output === 0) return <>–</>
  return (
    <SparkBars
      bars={runs.map(({ inputTokens, outputTokens }) => ({
        value: inputTokens + outputTokens,
        overlayValue: outputTokens,
        text: `${formatCompactNumber(inputTokens)} input tokens, ${formatCompactNumber(outputTokens)} output tokens`,
      }))}
      label={`Last ${formatCountWithNoun(runs.length, 'run')}: ${formatCompactNumber(input)} input tokens, ${formatCompactNumber(output)} output tokens`}
    />
  )
}

function sum(runs: readonly Recent[], field: 'inputTokens' | 'outputTokens'): number {
  return runs.reduce((total, run) => total + run[field], 0)
}

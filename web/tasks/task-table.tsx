import { Group, Stack, Text } from '@mantine/core'
import type { WireTask, WireRecentExecutions } from '../../src/http/shapes/tasks.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { TextLink, TitleLink } from '../ui/links.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { Time } from '../ui/format/time.tsx'
import { usePromptsWithoutModel } from './model-needed.tsx'
import { RunStatusBadge } from './run-status-badge.tsx'
import { describeCron } from './schedule/describe-schedule.ts'
import { TRIGGER_EVENT_LABELS } from './schedule/describe-trigger.ts'
import { DurationBars, TokenBars } from './task-figures.tsx'

type Row = WireTask & { id: string; figures: WireRecentExecutions | undefined }

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
  tasks: WireTask[]
  figures: ReadonlyMap<string, WireRecentExecutions>
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
function ScheduleText({ task }: { task: WireTask }) {
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

function NextRun({ task: { nextRunAt } }: { task: WireTask }) {
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

function LastRun({ task: { lastStatus, lastCancelled, lastRunAt } }: { task: WireTask }) {
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

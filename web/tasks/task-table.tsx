import { Group, Stack, Text } from '@mantine/core'
import type { WireTask, WireRecentExecutions } from '../../src/http/shapes/tasks.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { TextLink } from '../ui/links.tsx'
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
    cell: ({ name, project }) => (
      <Stack gap={2}>
        <TextLink to="/tasks/$name" params={{ name }} fw={600}>
          {name}
        </TextLink>
        {project !== undefined && (
          <Text size="xs" c="dimmed" className="break-anywhere">
            project {project}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: 'Schedule', cell: (row) => <ScheduleCell task={row} /> },
  { header: 'Next run', cell: (row) => <NextRun task={row} /> },
  { header: 'Last run', cell: (row) => <LastRun task={row} /> },
  { header: 'Duration', cell: ({ figures }) => <DurationBars figures={figures} /> },
  { header: 'Tokens', cell: ({ figures }) => <TokenBars figures={figures} /> },
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

function ScheduleCell({ task }: { task: WireTask }) {
  const { cronExpression, trigger } = task
  const notes = [
    ...(cronExpression === undefined ? [] : [task.timezone]),
    ...(task.enabled ? [] : ['paused']),
  ]
  if (cronExpression === undefined && trigger === undefined) return <Text size="sm">On demand</Text>
  return (
    <Stack gap={2}>
      {cronExpression !== undefined && <Text size="sm">{describeCron(cronExpression)}</Text>}
      {trigger !== undefined && <Text size="sm">{TRIGGER_EVENT_LABELS[trigger.on]}</Text>}
      {notes.length > 0 && (
        <Text size="xs" c="dimmed" className="break-anywhere">
          {notes.join(' · ')}
        </Text>
      )}
    </Stack>
  )
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

import { Stack, Group, Button, TextInput, Text, Card, Title, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, getRouteApi } from '@tanstack/react-router'
import './tasks.css'
import type { ApiTask, ApiPrompt, ApiRecentExecutions } from '../../src/http/shapes/tasks.ts'
import { useTaskFiguresByName, useTasks, usePrompts } from './queries.ts'
import { useRunTask, useRunPrompt } from './use-run-task.ts'
import { TaskDialog } from './task-dialog.tsx'
import { TotalTokenUsage } from './usage-summary.tsx'
import { ButtonLink, TextLink, TitleLink, taskPage } from '../ui/links.tsx'
import { ErrorBox, QueryView, EmptyState } from '../ui/feedback/feedback.tsx'
import { type Column, Pagination, RowButton, DataTable } from '../ui/tables/data-table.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { parsePageNumberAboveOne } from '../api/url-parameters.ts'
import { useAction, ActionButton } from '../ui/forms.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import {
  findModelProblem,
  ModelNeededBadge,
  ModelNeededByMarked,
  usePromptsWithoutModel,
} from './model-needed.tsx'
import { PromptSummary } from './prompt-field.tsx'
import { RunStatusBadge } from './run-status-badge.tsx'
import { describeCron } from './schedule/describe-schedule.ts'
import { TRIGGER_EVENT_LABELS } from './schedule/describe-trigger.ts'
import { formatDuration, formatCompactNumber } from './task-labels.ts'
import { SparkBars } from '../ui/charts/charts.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Time } from '../ui/format/time.tsx'
import { Hint } from '../ui/text.tsx'

const route = getRouteApi('/signed-in/tasks')

/** The API returns figures for at most 50 tasks per request. */
const PAGE_SIZE = 50
/** With fewer tasks than this, the page shows no filter field. */
const MIN_TASKS_FOR_FILTER = 10

export function TasksPage() {
  const query = useTasks()
  const navigate = useNavigate()
  const [making, setMaking] = useState<{ promptName?: string } | null>(null)
  useShortcuts({ n: () => setMaking({}) })
  return (
    <Stack gap="lg" maw={1200}>
      <Group justify="space-between" gap="sm">
        <PageTitle>Tasks</PageTitle>
        <Group gap="xs">
          <ButtonLink to="/prompts" variant="default">
            Prompts
          </ButtonLink>
          <Button onClick={() => setMaking({})}>New task</Button>
        </Group>
      </Group>
      <TotalTokenUsage />
      <QueryView query={query} label="the tasks">
        {({ tasks }) =>
          tasks.length === 0 ? (
            <NoTasks onSchedule={(promptName) => setMaking({ promptName })} />
          ) : (
            <TaskList tasks={tasks} />
          )
        }
      </QueryView>
      {making && (
        <TaskDialog
          {...making}
          onClose={() => setMaking(null)}
          onSaved={({ name }) => void navigate(taskPage(name))}
        />
      )}
    </Stack>
  )
}

function TaskList({ tasks }: { tasks: ApiTask[] }) {
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const found = tasks.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const figures = useTaskFiguresByName(shown.map(({ name }) => name))
  const run = useAction(useRunTask())
  const set = (search: { q?: string | undefined; page?: number | undefined }) =>
    void navigate({ search, replace: true })
  return (
    <Stack gap="md">
      {tasks.length > MIN_TASKS_FOR_FILTER && (
        <TextInput
          label="Name contains"
          maw={320}
          value={q}
          onChange={(event) => set({ q: event.currentTarget.value || undefined })}
        />
      )}
      <ErrorBox error={run.error} />
      <div role="status">{run.isRunning && 'Starting the run…'}</div>
      {found.length === 0 ? (
        <EmptyState drawing="search" title="No tasks match this filter" />
      ) : (
        <TaskTable tasks={shown} figures={figures} onRun={(name) => void run.run(name)} />
      )}
      <Pagination
        page={page}
        pageSize={PAGE_SIZE}
        total={found.length}
        onPage={(next) => set({ q: q || undefined, page: parsePageNumberAboveOne(next) })}
      />
    </Stack>
  )
}

/** Shown before the first task: the available prompts, each with buttons to run or schedule it. */
function NoTasks({ onSchedule }: { onSchedule: (promptName: string) => void }) {
  const query = usePrompts()
  return (
    <Stack gap="md">
      <Text maw={680}>
        A task runs a prompt over your meetings and documents, on a schedule or on demand, and saves
        the result as a document. Start with one of these prompts, or{' '}
        <TextLink to="/new-prompt">write your own</TextLink>.
      </Text>
      <QueryView query={query} label="the prompts">
        {({ prompts }) => (
          <Stack gap="md">
            {prompts.some((prompt) => findModelProblem(prompt) !== null) && <ModelNeededByMarked />}
            <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" className="plain-list">
              {prompts.toSorted(runnableFirst).map((prompt) => (
                <PromptCard
                  key={prompt.name}
                  prompt={prompt}
                  onSchedule={() => onSchedule(prompt.name)}
                />
              ))}
            </SimpleGrid>
          </Stack>
        )}
      </QueryView>
    </Stack>
  )
}

/** Sorts prompts that run without a language model first. */
function runnableFirst(a: ApiPrompt, b: ApiPrompt): number {
  return Number(a.builtin === undefined) - Number(b.builtin === undefined)
}

function PromptCard({ prompt, onSchedule }: { prompt: ApiPrompt; onSchedule: () => void }) {
  const { name, problems } = prompt
  const run = useRunPrompt()
  const action = useAction(() => run(name))
  return (
    <Card component="li" withBorder padding="md">
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Title order={2} size="h4" className="break-anywhere" flex="1 1 8rem">
            {name}
          </Title>
          {findModelProblem(prompt) !== null && <ModelNeededBadge />}
        </Group>
        <PromptSummary prompt={prompt} isInList />
        {problems.length === 0 && (
          <Group gap="xs" mt="auto">
            <ActionButton size="xs" action={action} aria-label={`Run now: ${name}`}>
              Run now
            </ActionButton>
            <RowButton label="Schedule" of={name} onClick={onSchedule} />
          </Group>
        )}
        <ErrorBox error={action.error} />
      </Stack>
    </Card>
  )
}

type Row = ApiTask & { id: string; figures: ApiRecentExecutions | undefined }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Task',
    cell: ({ name }) => <TitleLink {...taskPage(name)}>{name}</TitleLink>,
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

function TaskTable({ tasks, figures, onRun }: TaskTableProps) {
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
          <TextLink {...taskPage(name)} size="sm">
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
      <Hint size="xs">
        <Time at={nextRunAt} show="relative" />
      </Hint>
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

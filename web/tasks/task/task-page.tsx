import { getRouteApi } from '@tanstack/react-router'
import { useState, useMemo } from 'react'
import { Stack, Group, Title, Text } from '@mantine/core'
import '../tasks.css'
import type { ApiTask, ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { LoadFailedHeader } from './load-failed-header.tsx'
import { RUNS_PER_PAGE, useTask, useTaskHistory } from '../queries.ts'
import { describeTrigger } from '../schedule/describe-trigger.ts'
import { ValidSchedulePreview } from '../schedule/schedule-preview.tsx'
import { TaskHeader } from './task-header.tsx'
import { TaskTokenUsage } from '../usage-summary.tsx'
import {
  formatDuration,
  SKIP_REASON_LABELS,
  formatRunCost,
  isRunQueued,
  stripMarkdown,
  formatRunTokens,
  RUN_TRIGGER_LABELS,
  formatCompactNumber,
  labelRun,
} from '../task-labels.ts'
import { CopyButton } from '../../ui/copy.tsx'
import {
  EmptyState,
  NotFoundNotice,
  QueryView,
  StatusMessage,
} from '../../ui/feedback/feedback.tsx'
import { ButtonLink, TitleLink } from '../../ui/links.tsx'
import { type Column, Pagination, DataTable } from '../../ui/tables/data-table.tsx'
import { Time } from '../../ui/format/time.tsx'
import { parsePageNumberAboveOne } from '../../api/url-parameters.ts'
import { RunStatusBadge } from '../run-status-badge.tsx'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { type BarChartProps, type BarSeries, BarChart } from '../../ui/charts/charts.tsx'
import { Hint, Notice } from '../../ui/text.tsx'
import { Section } from '../../ui/layout.tsx'

const route = getRouteApi('/signed-in/tasks/$name')

export function TaskPage() {
  const { name } = route.useParams()
  const query = useTask(name)
  return (
    <Stack key={name} gap="md">
      <QueryView
        query={query}
        label="the task"
        fallbackHeader={<LoadFailedHeader title="Task" />}
        notFound={
          <NotFoundNotice what="Task">
            <ButtonLink to="/tasks">Go to tasks</ButtonLink>
          </NotFoundNotice>
        }
      >
        {({ task }) => <TaskContent task={task} />}
      </QueryView>
    </Stack>
  )
}

function TaskContent({ task }: { task: ApiTask }) {
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg" maw={1200}>
      <TaskHeader task={task} onStatusMessage={setNote} />
      <StatusMessage>{note}</StatusMessage>
      <ScheduleSection task={task} />
      <RunsSection name={task.name} />
      <Group gap="xs">
        <CopyButton text={task.name} what="name" showsLabel />
        <CopyButton
          text={`curl -X POST -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/tasks/${task.name}/run`}
          what="run as curl"
          showsLabel
        />
      </Group>
    </Stack>
  )
}

function ScheduleSection({ task }: { task: ApiTask }) {
  const { cronExpression, trigger, timezone, enabled, timeoutMs } = task
  const { lastSkippedAt, lastSkipReason } = task
  return (
    <Section id="schedule" title="Schedule" maw={640}>
      {cronExpression === undefined ? (
        <Text>No schedule. This task runs on demand{trigger === undefined && ' only'}.</Text>
      ) : (
        <>
          <Hint>
            <code>{cronExpression}</code> in {timezone}
            {!enabled && '. Paused: no scheduled runs until you resume it.'}
          </Hint>
          {enabled && <ValidSchedulePreview expression={cronExpression} zone={timezone} />}
        </>
      )}
      {trigger !== undefined && (
        <Text size="sm" className="break-anywhere">
          {describeTrigger(trigger)}.{!enabled && ' Paused.'}
        </Text>
      )}
      <Text size="sm">Timeout: {formatDuration(timeoutMs)}.</Text>
      {lastSkippedAt !== undefined && lastSkipReason !== undefined && (
        <Notice>
          The run due <Time at={lastSkippedAt} show="minute" /> was skipped because{' '}
          {SKIP_REASON_LABELS[lastSkipReason]}.
        </Notice>
      )}
    </Section>
  )
}

function RunsSection({ name }: { name: string }) {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useTaskHistory(name, page)
  const newest = useTaskHistory(name, 1)
  return (
    <Section id="history" title="Runs" gap="md">
      <TaskTokenUsage name={name} />
      <TaskCharts executions={newest.data?.executions ?? []} />
      <QueryView query={query} label="the runs">
        {({ executions, total }) => (
          <>
            {executions.length === 0 ? (
              <EmptyState
                drawing="clock"
                title={total === 0 ? 'No runs yet' : 'No runs on this page'}
              />
            ) : (
              <RunTable executions={executions} />
            )}
            <Pagination
              page={page}
              pageSize={RUNS_PER_PAGE}
              total={total}
              onPage={(next) =>
                void navigate({ search: { page: parsePageNumberAboveOne(next) }, replace: true })
              }
            />
          </>
        )}
      </QueryView>
    </Section>
  )
}

type Row = ApiExecutionWithSummary & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Started',
    cell: ({ executionId, startedAt }) => (
      <TitleLink to="/runs/$executionId" params={{ executionId }}>
        <Time at={startedAt} show="minute" />
      </TitleLink>
    ),
  },
  {
    header: 'Status',
    cell: (row) => (
      <RunStatusBadge
        status={row.status}
        cancelled={row.cancelled}
        truncatedBy={row.truncatedBy}
        isWaiting={isRunQueued(row)}
      />
    ),
    isShort: true,
    card: 'badge',
  },
  {
    header: 'Duration',
    cell: ({ durationMs }) => (
      <span className="figures">{durationMs === undefined ? '–' : formatDuration(durationMs)}</span>
    ),
    isShort: true,
    card: 'line',
  },
  {
    header: 'Trigger',
    cell: (row) => <TriggerCell execution={row} />,
    isShort: true,
    priority: 'middle',
    card: 'line',
  },
  {
    header: 'Tokens in / out',
    cell: (row) => <span className="figures">{formatRunTokens(row)}</span>,
    isShort: true,
    priority: 'low',
  },
  {
    header: 'Cost',
    cell: (row) => <span className="figures">{formatRunCost(row)}</span>,
    isShort: true,
    priority: 'low',
  },
]

function RunTable({ executions }: { executions: ApiExecutionWithSummary[] }) {
  const rows = executions.map((execution) => ({ ...execution, id: execution.executionId }))
  return (
    <DataTable
      caption="Runs, newest first"
      rows={rows}
      columns={COLUMNS}
      renderDetail={(row) => <ResultLine execution={row} />}
      rowMenu={({ id, startedAt }) => ({
        id,
        rowName: `run of ${startedAt}`,
        curlApiPath: `/executions/${id}`,
      })}
    />
  )
}

function TriggerCell({
  execution: { triggerType, missed },
}: {
  execution: ApiExecutionWithSummary
}) {
  return (
    <Text size="sm">
      {RUN_TRIGGER_LABELS[triggerType]}
      {missed !== undefined && `, ${missed} missed runs before`}
    </Text>
  )
}

/** The beginning of the result, on one line. */
function ResultLine({ execution: { resultSummary } }: { execution: ApiExecutionWithSummary }) {
  if (resultSummary === undefined) return null
  return (
    <Text size="sm" lineClamp={1} dir="auto">
      {stripMarkdown(resultSummary)}
    </Text>
  )
}

const RUN_AXIS = {
  barName: (index: number, count: number) => `Run ${index + 1} of ${count}`,
  xLabels: ['Oldest run', 'Latest run'],
}

/** Charts of duration and tokens of the latest runs. The run table shows the same numbers. */
function TaskCharts({ executions }: { executions: ApiExecutionWithSummary[] }) {
  const { times, tokens, ended } = useMemo(() => toSeries(executions), [executions])
  if (ended.length === 0) return null
  const count = formatCountWithNoun(ended.length, 'run')
  const longest = Math.max(...ended.map(({ durationMs = 0 }) => durationMs))
  const usesTokens = ended.some(({ inputTokens }) => inputTokens > 0)
  return (
    <>
      {ended.length > 1 && (
        <Text size="sm">
          Latest {count}: {countByStatus(ended)}.
        </Text>
      )}
      <div className="task-columns">
        <OneChart
          title="Duration"
          label={`Duration of the last ${count}, up to ${formatDuration(longest)}`}
          series={times}
          format={formatDuration}
          {...RUN_AXIS}
        />
        {usesTokens ? (
          <OneChart
            title="Tokens"
            label={`Tokens of the last ${count}, by input and output`}
            unit="Tokens per run"
            series={tokens}
            format={formatCompactNumber}
            {...RUN_AXIS}
          />
        ) : (
          <Stack gap="xs">
            <Title order={3} fz="md">
              Tokens
            </Title>
            <Hint>These runs used no language model.</Hint>
          </Stack>
        )}
      </div>
    </>
  )
}

/** Counts the runs by label, as text: "28 completed, 1 failed". */
function countByStatus(ended: readonly ApiExecutionWithSummary[]): string {
  const counts = new Map<string, number>()
  for (const run of ended) {
    const label = labelRun(run).label.toLowerCase()
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return Array.from(counts, ([label, count]) => `${count} ${label}`).join(', ')
}

function OneChart({ title, ...chart }: { title: string } & BarChartProps) {
  return (
    <Stack gap="xs" miw={0}>
      <Title order={3} fz="md">
        {title}
      </Title>
      <BarChart {...chart} />
    </Stack>
  )
}

function toSeries(executions: ApiExecutionWithSummary[]) {
  const ended = executions.filter(({ durationMs }) => durationMs !== undefined).toReversed()
  const timesWhere = (isCompleted: boolean) =>
    ended.map(({ status, durationMs = 0 }) =>
      (status === 'completed') === isCompleted ? durationMs : null,
    )
  const inputs = ended.map(({ inputTokens }) => inputTokens)
  const outputs = ended.map(({ outputTokens }) => outputTokens)
  const times: BarSeries[] = [
    { name: 'Completed', colour: 'good', values: timesWhere(true) },
    { name: 'Not completed', colour: 'bad', values: timesWhere(false) },
  ]
  const tokens: BarSeries[] = [
    {
      name: 'Input',
      colour: 'good',
      values: inputs.map((input, i) => input + (outputs[i] ?? 0)),
      tooltipValues: inputs,
    },
    { name: 'Output', colour: 'dark', values: outputs },
  ]
  return { times, tokens, ended }
}

import { Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { ApiExecutionWithSummary } from '../../../src/http/shapes/tasks.ts'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { BarChart, type BarChartProps, type BarSeries } from '../../ui/charts/bar-chart.tsx'
import { formatDuration, formatCompactNumber, labelRun } from '../task-labels.ts'

const RUN_AXIS = {
  barName: (index: number, count: number) => `Run ${index + 1} of ${count}`,
  xLabels: ['Oldest run', 'Latest run'],
}

/** Charts of duration and tokens of the latest runs. The run table shows the same numbers. */
export function TaskCharts({ executions }: { executions: ApiExecutionWithSummary[] }) {
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
            <Text size="sm" c="dimmed">
              These runs used no language model.
            </Text>
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

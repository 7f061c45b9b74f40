import { Stack, Text, Title } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { WireExecution } from '../../src/http/shapes/tasks.ts'
import { counted } from '../meetings/words.ts'
import { Waiting } from '../ui/waiting.tsx'
import type { ChartProps, Series } from './chart.tsx'
import { duration, short, STATUSES } from './words.ts'

const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

/** How long the latest runs took and what they used. The table below has the same numbers. */
export function TaskCharts({ executions }: { executions: WireExecution[] }) {
  const { times, tokens, ended } = useMemo(() => seriesOf(executions), [executions])
  if (ended.length === 0) return null
  const count = counted(ended.length, 'run')
  const longest = Math.max(...ended.map(({ durationMs = 0 }) => durationMs))
  const usesTokens = ended.some(({ inputTokens }) => inputTokens > 0)
  return (
    <>
      {ended.length > 1 && (
        <Text size="sm">
          The latest {count}: {outcomes(ended)}.
        </Text>
      )}
      <div className="task-columns">
        <OneChart
          title="Duration"
          label={`Duration of the last ${count}, at most ${duration(longest)}`}
          series={times}
          format={duration}
        />
        {usesTokens ? (
          <OneChart
            title="Tokens"
            label={`Tokens of the last ${count}, by input and output`}
            series={tokens}
            format={short}
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

/** "28 completed, 1 failed". */
function outcomes(ended: readonly WireExecution[]): string {
  return Object.entries(STATUSES)
    .map(([status, { label }]) => ({
      count: ended.filter((execution) => execution.status === status).length,
      label: label.toLowerCase(),
    }))
    .filter(({ count }) => count > 0)
    .map(({ count, label }) => `${count} ${label}`)
    .join(', ')
}

function OneChart({ title, ...chart }: { title: string } & ChartProps) {
  return (
    <Stack gap="xs" miw={0}>
      <Title order={3} fz="md">
        {title}
      </Title>
      {/* A chart is worth less than the page around it: the library trips over languages it does not know. */}
      <CatchBoundary getResetKey={() => title} errorComponent={NoChart}>
        <Suspense fallback={<Waiting what="Preparing the chart" />}>
          <Chart {...chart} />
        </Suspense>
      </CatchBoundary>
    </Stack>
  )
}

function NoChart() {
  return (
    <Text size="sm" c="dimmed">
      This browser could not draw the chart. The table below has its numbers.
    </Text>
  )
}

function seriesOf(executions: WireExecution[]) {
  const ended = executions.filter(({ durationMs }) => durationMs !== undefined).toReversed()
  const timesWhere = (isCompleted: boolean) =>
    ended.map(({ status, durationMs = 0 }) =>
      (status === 'completed') === isCompleted ? durationMs : null,
    )
  const inputs = ended.map(({ inputTokens }) => inputTokens)
  const outputs = ended.map(({ outputTokens }) => outputTokens)
  const times: Series[] = [
    { name: 'Completed', colour: 'good', values: timesWhere(true) },
    { name: 'Not completed', colour: 'bad', values: timesWhere(false) },
  ]
  const tokens: Series[] = [
    {
      name: 'Input',
      colour: 'good',
      values: inputs.map((input, i) => input + (outputs[i] ?? 0)),
      told: inputs,
    },
    { name: 'Output', colour: 'dark', values: outputs },
  ]
  return { times, tokens, ended }
}

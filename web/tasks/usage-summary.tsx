import { Anchor, Text } from '@mantine/core'
import type { ApiTaskUsage } from '../../src/http/shapes/usage.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { useTokenUsageLast30Days } from './queries.ts'
import { formatDollars, formatCompactNumber } from './task-labels.ts'

type Total = ApiTaskUsage['total']

/** Token usage and cost of all tasks in the last 30 days. */
export function TotalTokenUsage() {
  const { data } = useTokenUsageLast30Days()
  if (!data || data.total.executions === 0) return null
  return (
    <Text size="sm">
      Last 30 days: {describeUsage(data.total)}.{' '}
      <Anchor href="/web/usage?format=csv" download="usage.csv" size="sm">
        Download CSV by day, task and model
      </Anchor>
    </Text>
  )
}

export function TaskTokenUsage({ name }: { name: string }) {
  const { data } = useTokenUsageLast30Days()
  const rows = data?.usage.filter(({ task }) => task === name) ?? []
  if (rows.length === 0) return null
  return <Text size="sm">Last 30 days: {describeUsage(sumUsage(rows))}.</Text>
}

function describeUsage({
  executions,
  inputTokens,
  outputTokens,
  costUsd,
  unpriced,
  estimated,
}: Total): string {
  const runs = formatCountWithNoun(executions, 'run')
  if (inputTokens + outputTokens === 0) return `${runs}, no tokens used`
  const price = unpriced === executions ? 'no price set' : formatDollars(costUsd ?? 0)
  const rest = unpriced > 0 && unpriced < executions ? ` (${unpriced} without a price)` : ''
  const note = estimated > 0 ? `, partly estimated in ${formatCountWithNoun(estimated, 'run')}` : ''
  return `${runs}, ${formatCompactNumber(inputTokens)} input tokens, ${formatCompactNumber(outputTokens)} output tokens, ${price}${rest}${note}`
}

function sumUsage(rows: readonly Total[]): Total {
  const total = (count: keyof Total) => rows.reduce((sum, row) => sum + (row[count] ?? 0), 0)
  return {
    executions: total('executions'),
    inputTokens: total('inputTokens'),
    cachedInputTokens: total('cachedInputTokens'),
    outputTokens: total('outputTokens'),
    costUsd: total('costUsd'),
    unpriced: total('unpriced'),
    estimated: total('estimated'),
  }
}

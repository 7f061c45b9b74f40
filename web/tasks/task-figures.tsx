import type { WireRecentExecutions } from '../../src/http/shapes/tasks.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { SparkBars } from '../ui/charts/spark-bars.tsx'
import { formatDuration, formatCompactNumber } from './task-labels.ts'

type Recent = WireRecentExecutions['recent'][number]

/** Durations of the latest runs as small bars. Runs that did not complete have another colour. */
export function DurationBars({ figures }: { figures: WireRecentExecutions | undefined }) {
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

export function TokenBars({ figures }: { figures: WireRecentExecutions | undefined }) {
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

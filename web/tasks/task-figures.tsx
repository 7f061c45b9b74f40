import type { WireTaskFigures } from '../../src/http/shapes/tasks.ts'
import { counted } from '../meetings/words.ts'
import { SparkBars } from './spark-bars.tsx'
import { duration, short } from './words.ts'

type Recent = WireTaskFigures['recent'][number]

/** How long the latest runs took; those that did not complete in another colour. */
export function DurationBars({ figures }: { figures: WireTaskFigures | undefined }) {
  const ended = (figures?.recent ?? []).filter(
    (run): run is Recent & { durationMs: number } => run.durationMs !== null,
  )
  if (ended.length === 0) return <>–</>
  const times = ended.map(({ durationMs }) => durationMs)
  const bad = ended.filter(({ status }) => status !== 'completed').length
  return (
    <SparkBars
      bars={ended.map(({ durationMs, status }) => ({
        value: durationMs,
        isBad: status !== 'completed',
      }))}
      label={`Last ${counted(ended.length, 'run')}: ${duration(Math.min(...times))} to ${duration(
        Math.max(...times),
      )}${bad > 0 ? `, ${bad} not completed` : ''}`}
    />
  )
}

export function TokenBars({ figures }: { figures: WireTaskFigures | undefined }) {
  const runs = figures?.recent ?? []
  const [input, output] = [sum(runs, 'inputTokens'), sum(runs, 'outputTokens')]
  if (input + output === 0) return <>–</>
  return (
    <SparkBars
      bars={runs.map(({ inputTokens, outputTokens }) => ({
        value: inputTokens + outputTokens,
        part: outputTokens,
      }))}
      label={`Last ${counted(runs.length, 'run')}: ${short(input)} tokens in, ${short(output)} out`}
    />
  )
}

function sum(runs: readonly Recent[], field: 'inputTokens' | 'outputTokens'): number {
  return runs.reduce((total, run) => total + run[field], 0)
}

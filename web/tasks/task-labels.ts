import type { WireExecution, WireTask } from '../../src/http/shapes/tasks.ts'

type RunStatusLabel = { label: string; colour: string }

export const RUN_STATUS_LABELS: Record<WireExecution['status'], RunStatusLabel> = {
  running: { label: 'Running', colour: 'blue' },
  completed: { label: 'Completed', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  timeout: { label: 'Timed out', colour: 'orange' },
  stale: { label: 'Given up', colour: 'orange' },
}

export const TRIGGER_LABELS: Record<WireExecution['triggerType'], string> = {
  scheduled: 'by schedule',
  manual: 'by hand',
}

export const SKIP_REASON_LABELS: Record<NonNullable<WireTask['lastSkipReason']>, string> = {
  overlap: 'the run before was still going',
  missed: 'Hansard was not running',
  budget: 'the budget for language models was used up',
}

const BUILTIN_MODEL_PREFIX = 'builtin/'

/** It waits for room until a node takes it. */
export function isQueued({ status, attempts }: WireExecution): boolean {
  return status === 'running' && attempts === 0
}

export function usedNoModel({ model }: Pick<WireExecution, 'model'>): boolean {
  return model?.startsWith(BUILTIN_MODEL_PREFIX) ?? false
}

/** 400 → "400 ms", 1,400 → "1.4 s", 312,000 → "5 min 12 s". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** 3,102 → "3.1K". */
export function formatCompact(count: number): string {
  return compact.format(count)
}

/** The beginning of a result in one line: without the marks of markdown that are in the way of reading. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/^#+ |\*\*|`|(?<=^|\s)_|_(?=\s|$)/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** What a provider has counted, or that it has not. */
export function formatTokens(execution: WireExecution): string {
  if (execution.usageMissing) return 'not reported'
  if (usedNoModel(execution)) return 'none'
  const { inputTokens, outputTokens } = execution
  return inputTokens + outputTokens === 0
    ? '–'
    : `${formatCompact(inputTokens)} / ${formatCompact(outputTokens)}`
}

/** Small sums need more places. */
export function formatDollars(usd: number): string {
  const places = usd !== 0 && usd < 1 ? 4 : 2
  return `$${usd.toFixed(places)}`
}

export function formatCost(execution: WireExecution): string {
  if (usedNoModel(execution)) return 'none'
  const { costUsd, model } = execution
  if (costUsd !== undefined) return formatDollars(costUsd)
  return model === undefined ? '–' : 'price not known'
}

import type { WireExecution } from '../../src/http/shapes/tasks.ts'
import type { ExecutionStatus, SkipReason, TriggerType } from '../../src/http/shapes/values.ts'

type RunStatusLabel = { label: string; colour: string }

export const RUN_STATUS_LABELS: Record<ExecutionStatus, RunStatusLabel> = {
  running: { label: 'Running', colour: 'blue' },
  completed: { label: 'Completed', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  timeout: { label: 'Timed out', colour: 'orange' },
  stale: { label: 'Interrupted', colour: 'orange' },
}

export const RUN_TRIGGER_LABELS: Record<TriggerType, string> = {
  scheduled: 'Scheduled',
  manual: 'Started manually',
}

export const SKIP_REASON_LABELS: Record<SkipReason, string> = {
  overlap: 'the previous run was still in progress',
  missed: 'Hansard was not running',
  budget: 'the budget for language models was used up',
}

const BUILTIN_MODEL_PREFIX = 'builtin/'

/** Whether the execution waits for a node with free capacity. */
export function isRunQueued({ status, attempts }: WireExecution): boolean {
  return status === 'running' && attempts === 0
}

export function isRunWithBuiltinRules({ model }: Pick<WireExecution, 'model'>): boolean {
  return model?.startsWith(BUILTIN_MODEL_PREFIX) ?? false
}

/** Formats milliseconds: 400 → "400 ms", 1,400 → "1.4 s", 312,000 → "5 min 12 s". */
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

/** Shortens a large number: 3,102 → "3.1K". */
export function formatCompactNumber(count: number): string {
  return compact.format(count)
}

/** Removes the most common Markdown syntax and line breaks, for a one-line summary. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/^#+ |\*\*|`|(?<=^|\s)_|_(?=\s|$)/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Input and output tokens as the provider reported them. */
export function formatRunTokens(execution: WireExecution): string {
  if (execution.usageMissing) return 'not reported'
  if (isRunWithBuiltinRules(execution)) return 'none'
  const { inputTokens, outputTokens } = execution
  return inputTokens + outputTokens === 0
    ? '–'
    : `${formatCompactNumber(inputTokens)} / ${formatCompactNumber(outputTokens)}`
}

/** Amounts below one dollar get four decimal places. */
export function formatDollars(usd: number): string {
  const places = usd !== 0 && usd < 1 ? 4 : 2
  return `$${usd.toFixed(places)}`
}

export function formatRunCost(execution: WireExecution): string {
  if (isRunWithBuiltinRules(execution)) return 'none'
  const { costUsd, model } = execution
  if (costUsd !== undefined) return formatDollars(costUsd)
  return model === undefined ? '–' : 'No price set'
}

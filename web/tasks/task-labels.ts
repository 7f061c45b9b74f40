import type { ApiExecutionWithSummary } from '../../src/http/shapes/tasks.ts'
import type {
  ExecutionStatus,
  SkipReason,
  TriggerType,
  TruncationReason,
} from '../../src/http/shapes/values.ts'

type RunStatusLabel = { label: string; colour: string }

const RUN_STATUS_LABELS: Record<ExecutionStatus, RunStatusLabel> = {
  running: { label: 'Running', colour: 'blue' },
  completed: { label: 'Completed', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  timeout: { label: 'Timed out', colour: 'orange' },
  stale: { label: 'Interrupted', colour: 'orange' },
}

/** Replaces the label of a failed run that a person canceled. */
const CANCELED_RUN_LABEL: RunStatusLabel = { label: 'Canceled', colour: 'gray' }

/** Replaces the label of a completed run whose answer is incomplete. */
const INCOMPLETE_RUN_LABEL: RunStatusLabel = { label: 'Incomplete', colour: 'orange' }

/** The label of a run that is not waiting. */
export function labelRun({
  status,
  cancelled,
  truncatedBy,
}: Pick<ApiExecutionWithSummary, 'status' | 'cancelled' | 'truncatedBy'>): RunStatusLabel {
  if (cancelled) return CANCELED_RUN_LABEL
  return truncatedBy === undefined ? RUN_STATUS_LABELS[status] : INCOMPLETE_RUN_LABEL
}

/** Why the answer is incomplete, and what the user can do. */
export const TRUNCATION_LABELS: Record<TruncationReason, { reason: string; nextStep: string }> = {
  length: {
    reason: 'The model reached its length limit.',
    nextStep: 'Increase “maxOutputTokens” in the prompt, or ask for a shorter answer.',
  },
  max_tokens: {
    reason: 'The run used up its tokens.',
    nextStep: 'Increase “maxTokens” in the prompt, or let it read less.',
  },
  max_steps: {
    reason: 'The model wanted to call more tools.',
    nextStep: 'Increase “maxSteps” in the prompt.',
  },
  content_filter: {
    reason: 'The provider withheld the rest of the answer.',
    nextStep: 'Change the prompt, or use another model.',
  },
}

export const RUN_TRIGGER_LABELS: Record<TriggerType, string> = {
  scheduled: 'Scheduled',
  manual: 'Started manually',
  meeting_ended: 'A meeting ended',
  document_saved: 'A document was saved',
  before_meeting: 'A meeting is about to start',
}

export const SKIP_REASON_LABELS: Record<SkipReason, string> = {
  overlap: 'the previous run was still in progress',
  owner_removed: 'the person it ran for was removed',
  missed: 'Hansard was not running',
  budget: 'the budget for language models was used up',
}

const BUILTIN_MODEL_PREFIX = 'builtin/'

/** True if the execution waits for a node with free capacity. */
export function isRunQueued({ status, attempts }: ApiExecutionWithSummary): boolean {
  return status === 'running' && attempts === 0
}

export function isRunWithBuiltinRules({ model }: Pick<ApiExecutionWithSummary, 'model'>): boolean {
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

/** Input and output tokens, as the provider reported them or estimated. */
export function formatRunTokens(execution: ApiExecutionWithSummary): string {
  const { inputTokens, outputTokens, usageMissing, tokensEstimated } = execution
  if (usageMissing && !tokensEstimated) return 'not reported'
  const isEnded = execution.status !== 'running'
  if (isRunWithBuiltinRules(execution)) return 'none'
  return inputTokens + outputTokens === 0
    ? isEnded
      ? 'none'
      : '–'
    : `${tokensEstimated ? '≈ ' : ''}${formatCompactNumber(inputTokens)} / ${formatCompactNumber(outputTokens)}`
}

/** Amounts below one dollar get four decimal places. */
export function formatDollars(usd: number): string {
  const places = usd !== 0 && usd < 1 ? 4 : 2
  return `$${usd.toFixed(places)}`
}

export function formatRunCost(execution: ApiExecutionWithSummary): string {
  const { costUsd, model, usageMissing, tokensEstimated, inputTokens, outputTokens } = execution
  const isEnded = execution.status !== 'running'
  const hasNoTokens = inputTokens + outputTokens === 0 && !usageMissing
  if (isRunWithBuiltinRules(execution) || (isEnded && hasNoTokens)) return 'none'
  if (costUsd !== undefined) return `${tokensEstimated ? '≈ ' : ''}${formatDollars(costUsd)}`
  if (usageMissing && !tokensEstimated) return 'unknown'
  return model === undefined ? '–' : 'No price set'
}

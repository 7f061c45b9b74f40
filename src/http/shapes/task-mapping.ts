import type { z } from 'zod'
import * as area from '../../tasks/task.ts'
import type { ExecutionDetails as AreaFullExecution } from '../../tasks/executions/executions.ts'
import type { ListedPrompt } from '../../tasks/prompts/prompt-files.ts'
import type {
  Execution,
  FullExecution,
  ExecutionWithSummary,
  PromptsResponse,
  Task,
} from './tasks.ts'

/** The fields of a task or execution that are not null, because the API leaves out null fields of tasks. */
type WithoutNulls<T> = { [K in keyof T]?: Exclude<T[K], null> }
function omitNulls<T extends object>(fields: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>
}

export function toApiTask(task: area.Task): z.output<typeof Task> {
  const { cronExpression, trigger, lastRunAt, lastStatus, nextRunAt } = task
  const { lastSkippedAt, lastSkipReason, project, ownerId, ownerName } = task
  return {
    name: task.name,
    promptName: task.promptName,
    timezone: task.timezone,
    enabled: task.enabled,
    timeoutMs: task.timeoutMs,
    owner: ownerId === null || ownerName === null ? null : { id: ownerId, name: ownerName },
    canRun: !area.isOwnerRemoved(task),
    ...(task.wasLastCancelled === true && { lastCancelled: true }),
    isScheduled: cronExpression !== null,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    ...omitNulls({
      cronExpression,
      trigger,
      project,
      lastRunAt,
      lastStatus,
      nextRunAt,
      lastSkippedAt,
      lastSkipReason,
    }),
  }
}

export function toApiExecution(execution: area.Execution): z.output<typeof Execution> {
  const { startedAt, completedAt, usageMissing, tokensEstimated, missed } = execution
  const { cachedInputTokens, model, costUsd, scheduledFor, documentPath, promptHash } = execution
  const { truncatedBy, triggeredBy } = execution
  // Earlier versions stored the cost 0 if the provider did not report tokens.
  const isCostKnown = !usageMissing || tokensEstimated
  return {
    executionId: execution.id,
    executionType: execution.executionType,
    name: execution.taskName,
    status: execution.status,
    ...(execution.isCancelled && { cancelled: true }),
    triggerType: execution.triggerType,
    startedAt,
    inputTokens: execution.inputTokens,
    outputTokens: execution.outputTokens,
    attempts: execution.attempts,
    ...(completedAt !== null && {
      completedAt,
      durationMs: Math.max(0, completedAt.getTime() - startedAt.getTime()),
    }),
    ...(cachedInputTokens > 0 && { cachedInputTokens }),
    ...(usageMissing && { usageMissing }),
    ...(tokensEstimated && { tokensEstimated }),
    ...(missed > 0 && { missed }),
    ...(isCostKnown && omitNulls({ costUsd })),
    ...omitNulls({ model, scheduledFor, triggeredBy, documentPath, promptHash, truncatedBy }),
  }
}

export function toApiExecutionWithSummary(
  execution: area.Execution,
): z.output<typeof ExecutionWithSummary> {
  const { resultSummary } = execution
  return { ...toApiExecution(execution), ...omitNulls({ resultSummary }) }
}

export function toApiFullExecution(execution: AreaFullExecution): z.output<typeof FullExecution> {
  const { promptText: prompt, output, requestedAt } = execution
  const { previousExecutionId, nextExecutionId } = execution
  return {
    ...toApiExecutionWithSummary(execution),
    output,
    requestedAt,
    ...omitNulls({ prompt, previousExecutionId, nextExecutionId }),
  }
}

export function toApiPrompt(
  listed: ListedPrompt,
): z.output<typeof PromptsResponse>['prompts'][number] {
  const { name, settings, problems } = listed
  const { description, model, builtin, project } = settings ?? {}
  return { name, problems, ...omitNulls({ description, model, builtin, project }) }
}

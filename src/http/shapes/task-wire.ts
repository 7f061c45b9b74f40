import type { z } from 'zod'
import type * as area from '../../tasks/task.ts'
import type { FullExecution as AreaFullExecution } from '../../tasks/executions.ts'
import type { ListedPrompt } from '../../tasks/prompts/files.ts'
import type { Execution, FullExecution, PastExecution, PromptsAnswer, Task } from './tasks.ts'

/** The fields that have a value: on the wire of tasks an unknown one is absent, not null. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], null> }
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<T>
}

export function toTask(task: area.Task): z.output<typeof Task> {
  const { cronExpression, lastRunAt, lastStatus, nextRunAt, lastSkippedAt, lastSkipReason } = task
  return {
    name: task.name,
    promptName: task.promptName,
    timezone: task.timezone,
    enabled: task.enabled,
    timeoutMs: task.timeoutMs,
    isScheduled: cronExpression !== null,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    ...present({
      cronExpression,
      lastRunAt,
      lastStatus,
      nextRunAt,
      lastSkippedAt,
      lastSkipReason,
    }),
  }
}

export function toExecution(execution: area.Execution): z.output<typeof Execution> {
  const { startedAt, completedAt, usageMissing, missed, cachedInputTokens } = execution
  const { model, costUsd, scheduledFor, documentPath, promptHash } = execution
  return {
    executionId: execution.id,
    executionType: execution.executionType,
    name: execution.taskName,
    status: execution.status,
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
    ...(missed > 0 && { missed }),
    ...present({ model, costUsd, scheduledFor, documentPath, promptHash }),
  }
}

export function toPastExecution(execution: area.Execution): z.output<typeof PastExecution> {
  const { resultSummary } = execution
  return { ...toExecution(execution), ...present({ resultSummary }) }
}

export function toFullExecution(execution: AreaFullExecution): z.output<typeof FullExecution> {
  const { promptText: prompt, output, requestedAt } = execution
  const { previousExecutionId, nextExecutionId } = execution
  return {
    ...toPastExecution(execution),
    output,
    requestedAt,
    ...present({ prompt, previousExecutionId, nextExecutionId }),
  }
}

export function toPrompt(listed: ListedPrompt): z.output<typeof PromptsAnswer>['prompts'][number] {
  const { name, settings, problems } = listed
  const { description, model, builtin, project } = settings ?? {}
  return { name, problems, ...present({ description, model, builtin, project }) }
}

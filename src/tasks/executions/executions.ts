import { executionNotFoundError } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newOrderedId } from '../../lib/crypto.ts'
import { requireReadablePrompt } from '../prompts/check-prompts.ts'
import type { PromptFiles } from '../prompts/store/prompt-storage.ts'
import { requireTaskOwner } from '../task-store.ts'
import { isOwnerRemoved, toTaskViewer, type Execution, type Task } from '../task.ts'
import type { BeforeCommitHook } from '../tasks.ts'
import { findNewestSource } from '../triggers/occurrences.ts'
import type { TriggerSource } from '../triggers/task-trigger.ts'
import { findExecution, listExecutionsOfTask } from './execution-reads.ts'
import type { AreaContext } from '../../db/context.ts'
import { tryCancelExecution, countQueuedExecutions, insertExecutions } from './execution-store.ts'

export type ExecutionDetails = Execution & {
  promptText: string | null
  output: string
  requestedAt: Date
  /** The task's previous execution that the viewer may read, or null. */
  previousExecutionId: string | null
  /** The task's next execution that the viewer may read, or null. */
  nextExecutionId: string | null
}

type Parts = AreaContext & {
  promptFiles: PromptFiles
  /** Throws `database_unavailable` if this node cannot accept work. */
  requireFreshHeartbeat(): Promise<void>
  /** Throws `task_not_found` if the task does not exist. */
  getTask(name: string): Promise<Task>
  /** Returns the prompts that may not run now because the budget is used up. */
  overBudget(promptNames: readonly string[]): Promise<ReadonlySet<string>>
  /** Called with new executions, which are queued. */
  onFired(executionIds: readonly string[]): void
  /** Called with executions that ended while a node may still be running them. */
  onEnded(executionIds: readonly string[]): void
}

const MAX_QUEUED_EXECUTIONS = 100
const EXECUTION_ID = /^execution_[0-9A-Za-z]{20,60}$/

/** Starts, reads and cancels executions for the API. */
export function createExecutions(parts: Parts) {
  const { db, clock, getTask } = parts
  return {
    /** Starts a task. Resolves with the id of the execution, which is running or queued. */
    async run(name: string, beforeCommit: BeforeCommitHook<string>): Promise<string> {
      const task = await getTask(name)
      const { promptName, trigger } = task
      if (isOwnerRemoved(task)) throw new ServiceError('task_owner_removed')
      await requireReadablePrompt(parts.promptFiles, promptName)
      if ((await parts.overBudget([promptName])).has(promptName)) {
        throw new ServiceError('over_budget', { retryAfterSeconds: 3600 })
      }
      if ((await countQueuedExecutions(db)) >= MAX_QUEUED_EXECUTIONS) {
        throw new ServiceError('too_many_executions', { retryAfterSeconds: 30 })
      }
      await parts.requireFreshHeartbeat()
      const now = clock.now()
      const triggeredBy = await findNewestSource(db, toTaskViewer(task), trigger, now)
      const id = await db.transaction().execute(async (tx) => {
        const executionId = await insertManualExecution(tx, name, triggeredBy, now)
        // The task was removed after it was read and before its execution was inserted.
        if (executionId === null) throw new ServiceError('task_not_found')
        await beforeCommit(tx, executionId)
        return executionId
      })
      parts.onFired([id])
      return id
    },
    async history(viewer: Viewer, name: string, page: { limit: number; offset: number }) {
      const { id } = await getTask(name)
      return listExecutionsOfTask(db, viewer, id, page)
    },
    get: (viewer: Viewer, id: string) => getExecution(db, viewer, id),
    async cancel(viewer: Viewer, name: string, executionId: string): Promise<ExecutionDetails> {
      await getTask(name)
      const { taskName } = await getExecution(db, viewer, executionId)
      if (taskName !== name) throw executionNotFoundError(executionId)
      if (!(await tryCancelExecution(db, executionId, 'Cancelled', clock.now()))) {
        throw new ServiceError('execution_over')
      }
      parts.onEnded([executionId])
      return getExecution(db, viewer, executionId)
    },
  }
}

export type Executions = ReturnType<typeof createExecutions>

async function insertManualExecution(
  tx: Tx,
  name: string,
  triggeredBy: TriggerSource | null,
  now: Date,
): Promise<string | null> {
  const task = await tx
    .updateTable('task')
    .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
    .where('name', '=', name)
    .returning(['id', 'last_number', 'cron_expression', 'owner_id'])
    .executeTakeFirst()
  if (task === undefined) return null
  await requireTaskOwner(tx, task.owner_id)
  const id = newOrderedId('execution', now)
  await insertExecutions(tx, [
    {
      id,
      taskId: task.id,
      number: task.last_number,
      executionType: task.cron_expression === null ? 'on_demand' : 'schedule',
      triggerType: 'manual',
      scheduledFor: null,
      missed: 0,
      isCatchUp: false,
      at: now,
      triggeredBy,
    },
  ])
  return id
}

async function getExecution(db: Db, viewer: Viewer, id: string): Promise<ExecutionDetails> {
  const execution = EXECUTION_ID.test(id) ? await findExecution(db, viewer, id) : null
  if (execution === null) throw executionNotFoundError(id)
  return execution
}

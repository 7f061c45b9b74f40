import { ServiceError } from '../../errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import { newOrderedId } from '../../lib/crypto/random.ts'
import {
  tryCancelExecution,
  countQueuedExecutions,
  findExecution,
  insertExecutions,
  listExecutionsOfTask,
} from './execution-store.ts'
import { requireReadablePrompt } from '../prompts/require-prompt.ts'
import type { ExecutionQueue } from '../running/execution-queue.ts'
import type { Execution, Task } from '../task.ts'
import type { BeforeCommitHook } from '../tasks.ts'
import { findNewestSource } from '../triggers/newest-source.ts'
import type { TriggerSource } from '../triggers/task-trigger.ts'

export type ExecutionDetails = Execution & {
  promptText: string | null
  output: string
  requestedAt: Date
  /** The execution of the same task before this one, or null. */
  previousExecutionId: string | null
  /** The execution of the same task after this one, or null. */
  nextExecutionId: string | null
}

/** Starts, reads and cancels executions for the API. */
export interface Executions {
  /** Starts a task and resolves with the id of the execution, which is running or queued. */
  run(name: string, beforeCommit: BeforeCommitHook<string>): Promise<string>
  history(
    name: string,
    page: { limit: number; offset: number },
  ): Promise<{ executions: Execution[]; total: number }>
  get(id: string): Promise<ExecutionDetails>
  cancel(name: string, executionId: string): Promise<ExecutionDetails>
}

type Parts = {
  db: Db
  queue: ExecutionQueue
  promptsDir: string
  time(): Promise<Date>
  /** Throws `database_unavailable` when this node cannot accept work. */
  requireFreshHeartbeat(): Promise<void>
  /** Throws `task_not_found` when the task does not exist. */
  getTask(name: string): Promise<Task>
  /** Returns those of the prompts that may not run now, because the budget is used up. */
  overBudget(promptNames: readonly string[]): Promise<ReadonlySet<string>>
  /** Called with new executions, which wait in the queue. */
  onFired(executionIds: readonly string[]): void
  /** Called with executions that ended while a node may still be running them. */
  onEnded(executionIds: readonly string[]): void
}

const MAX_QUEUED_EXECUTIONS = 100
const EXECUTION_ID = /^execution_[0-9A-Za-z]{20,60}$/

export function createExecutions(parts: Parts): Executions {
  const { db, queue, time, getTask } = parts
  return {
    async run(name, beforeCommit) {
      const { promptName, trigger } = await getTask(name)
      await requireReadablePrompt(parts.promptsDir, promptName)
      if ((await parts.overBudget([promptName])).has(promptName)) {
        throw new ServiceError('over_budget', { retryAfterSeconds: 3600 })
      }
      if ((await countQueuedExecutions(db)) >= MAX_QUEUED_EXECUTIONS) {
        throw new ServiceError('too_many_executions', { retryAfterSeconds: 30 })
      }
      await parts.requireFreshHeartbeat()
      const triggeredBy = await findNewestSource(db, trigger)
      const now = await time()
      const id = await db.transaction().execute(async (tx) => {
        const executionId = await insertManualExecution(tx, name, triggeredBy, now)
        // The task was removed between reading it and inserting its execution.
        if (executionId === null) throw new ServiceError('task_not_found')
        await queue.enqueue(tx, [executionId])
        await beforeCommit(tx, executionId)
        return executionId
      })
      parts.onFired([id])
      return id
    },
    async history(name, page) {
      const { id } = await getTask(name)
      return listExecutionsOfTask(db, id, page)
    },
    get: (id) => getExecution(db, id),
    async cancel(name, executionId) {
      await getTask(name)
      const { taskName } = await getExecution(db, executionId)
      if (taskName !== name) throw executionNotFound(executionId)
      if (!(await tryCancelExecution(db, executionId, 'Cancelled', await time()))) {
        throw new ServiceError('execution_over')
      }
      parts.onEnded([executionId])
      return getExecution(db, executionId)
    },
  }
}

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
    .returning(['id', 'last_number', 'cron_expression'])
    .executeTakeFirst()
  if (task === undefined) return null
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

async function getExecution(db: Db, id: string): Promise<ExecutionDetails> {
  const execution = EXECUTION_ID.test(id) ? await findExecution(db, id) : null
  if (execution === null) throw executionNotFound(id)
  return execution
}

function executionNotFound(id: string): ServiceError {
  return new ServiceError('execution_not_found', {
    text: `Execution not found: ${id.slice(0, 64)}`,
  })
}

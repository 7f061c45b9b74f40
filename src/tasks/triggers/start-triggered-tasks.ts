import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { newOrderedId } from '../../lib/crypto/random.ts'
import { insertExecutions, type NewExecution } from '../executions/execution-store.ts'
import type { ExecutionQueue } from '../running/execution-queue.ts'
import type { Task, TaskRights, TriggerEvent } from '../task.ts'
import type { TaskTrigger, TriggerSource } from './task-trigger.ts'

export type TriggerMatcher = (trigger: TaskTrigger) => boolean

/** A meeting that ended or a document that was saved. */
export type TriggerOccurrence = {
  event: TriggerEvent
  /** Identifies the occurrence: a task has at most one execution with this key. */
  key: string
  /** The project of the meeting or document. */
  project: string
  source: TriggerSource
  /** The task that the meeting names to run after it, whatever its trigger is; null for none. */
  namedTask: string | null
  /** Reads what conditions can refer to, and returns the function that compares it with a trigger. */
  loadMatcher(): Promise<TriggerMatcher>
  /** Marks the occurrence as handled in the transaction. False when another node has done so or it is gone. */
  claim(tx: Tx): Promise<boolean>
}

export type TriggeredTask = Pick<Task, 'id' | 'name' | 'promptName' | 'trigger'> & TaskRights

export type TriggeredExecutions = {
  /** Executions that wait in the queue. */
  queuedIds: string[]
  /** Names of the tasks whose execution was stored as failed, because the budget is used up. */
  overBudget: string[]
}

const NO_EXECUTIONS: TriggeredExecutions = { queuedIds: [], overBudget: [] }
const OVER_BUDGET_SUMMARY = 'Not run: the budget for language models is used up'

/** The enabled tasks that this kind of event can start, and those with one of these names. */
export function findTriggeredTasks(
  db: Db,
  event: TriggerEvent,
  names: readonly string[],
): Promise<TriggeredTask[]> {
  return db
    .selectFrom('task')
    .select(['id', 'name', 'prompt_name as promptName', 'trigger'])
    .select(['owner_id as ownerId', 'project', 'projects'])
    .where(sql<boolean>`(trigger ->> 'on' = ${event} or name = any(${names}::text[]))`)
    .where('enabled', '=', true)
    .execute()
}

/** Whether an occurrence starts a task: it names the task, or matches its trigger. */
export function isStartedBy(
  { namedTask }: Pick<TriggerOccurrence, 'namedTask'>,
  { name, trigger }: Pick<TriggeredTask, 'name' | 'trigger'>,
  matches: TriggerMatcher,
): boolean {
  return name === namedTask || (trigger !== null && matches(trigger))
}

/** What the caller found out about an occurrence before the transaction. */
export type OccurrenceAssessment = {
  taskIds: readonly string[]
  matches: TriggerMatcher
  /** Names of prompts that may not run now. */
  overBudget: ReadonlySet<string>
}

/**
 * Claims an occurrence and creates one execution for each of these tasks whose trigger still matches, in one
 * transaction. A task over budget gets a failed execution, so that people see what was not run.
 */
export function startTriggeredTasks(
  db: Db,
  queue: ExecutionQueue,
  occurrence: TriggerOccurrence,
  { taskIds, matches, overBudget }: OccurrenceAssessment,
  now: Date,
): Promise<TriggeredExecutions> {
  return db.transaction().execute(async (tx) => {
    if (!(await occurrence.claim(tx)) || taskIds.length === 0) return NO_EXECUTIONS
    const tasks = (await lockTasksWithoutExecution(tx, taskIds, occurrence.key)).filter((task) =>
      isStartedBy(occurrence, task, matches),
    )
    if (tasks.length === 0) return NO_EXECUTIONS
    await tx
      .updateTable('task')
      .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
      .where(
        'id',
        'in',
        tasks.map(({ id }) => id),
      )
      .execute()
    const executions = tasks.map((task) => ({
      ...toExecution(occurrence, task, now),
      ...(overBudget.has(task.promptName) && { refusal: OVER_BUDGET_SUMMARY }),
    }))
    await insertExecutions(tx, executions)
    const queuedIds = executions.flatMap(({ id, refusal }) => (refusal === undefined ? [id] : []))
    await queue.enqueue(tx, queuedIds)
    const refused = tasks.filter(({ promptName }) => overBudget.has(promptName))
    return { queuedIds, overBudget: refused.map(({ name }) => name) }
  })
}

type LockedTask = Awaited<ReturnType<typeof lockTasksWithoutExecution>>[number]

/** Locks the tasks that are still enabled and have no execution for this occurrence. */
function lockTasksWithoutExecution(tx: Tx, ids: readonly string[], key: string) {
  return tx
    .selectFrom('task')
    .select(['id', 'name', 'prompt_name as promptName', 'trigger'])
    .select(['cron_expression as cronExpression', 'last_number as lastNumber'])
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .where(
      sql<boolean>`not exists (select from execution where task_id = task.id and trigger_key = ${key})`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

function toExecution(
  { event, key, source }: TriggerOccurrence,
  { id: taskId, cronExpression, lastNumber }: LockedTask,
  now: Date,
): NewExecution {
  return {
    id: newOrderedId('execution', now),
    taskId,
    number: lastNumber + 1,
    executionType: cronExpression === null ? 'on_demand' : 'schedule',
    triggerType: event,
    scheduledFor: null,
    missed: 0,
    isCatchUp: false,
    at: now,
    triggerKey: key,
    triggeredBy: source,
  }
}

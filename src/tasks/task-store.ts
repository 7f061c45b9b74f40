import type { Db, Tx } from '../db/database.ts'
import type { TaskPlan } from './scheduling/task-planner.ts'
import type { Task } from './task.ts'

export type NewTask = Pick<
  Task,
  'id' | 'name' | 'promptName' | 'cronExpression' | 'trigger' | 'timezone' | 'enabled' | 'timeoutMs'
>

/** Inserts a task. False when a task with this name exists. */
export async function insertTaskUnlessNameTaken(
  tx: Tx,
  task: NewTask,
  plan: TaskPlan,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('task')
    .values({
      id: task.id,
      name: task.name,
      prompt_name: task.promptName,
      cron_expression: task.cronExpression,
      trigger: toStoredTrigger(task),
      timezone: task.timezone,
      enabled: task.enabled,
      timeout_ms: task.timeoutMs,
      next_run_at: plan.nextRunAt,
      due_at: plan.schedulerActsAt,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function selectTasks(db: Db) {
  return db
    .selectFrom('task')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('execution')
          .select(['started_at', 'status'])
          .whereRef('execution.task_id', '=', 'task.id')
          .whereRef('execution.number', '=', 'task.last_number')
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select([
      'task.id',
      'task.name',
      'task.prompt_name as promptName',
      'task.cron_expression as cronExpression',
      'task.trigger',
      'task.timezone',
      'task.enabled',
      'task.timeout_ms as timeoutMs',
      'task.next_run_at as nextRunAt',
      'newest.started_at as lastRunAt',
      'newest.status as lastStatus',
      'task.last_skipped_at as lastSkippedAt',
      'task.last_skip_reason as lastSkipReason',
      'task.created_at as createdAt',
      'task.updated_at as updatedAt',
    ])
}

export async function findTask(db: Db, name: string): Promise<Task | null> {
  return (await selectTasks(db).where('task.name', '=', name).executeTakeFirst()) ?? null
}

/** All tasks, or only those with or without a schedule, sorted by name. */
export function listTasks(db: Db, isScheduled: boolean | undefined): Promise<Task[]> {
  return selectTasks(db)
    .$if(isScheduled === true, (query) => query.where('task.cron_expression', 'is not', null))
    .$if(isScheduled === false, (query) => query.where('task.cron_expression', 'is', null))
    .orderBy('task.name')
    .execute()
}

export type LockedTask = NewTask & { nextRunAt: Date | null }

/** Locks the row of a task: until the transaction ends, nothing else can change it or start its due executions. */
export async function lockTask(tx: Tx, name: string): Promise<LockedTask | null> {
  const row = await tx
    .selectFrom('task')
    .select([
      'id',
      'name',
      'prompt_name as promptName',
      'cron_expression as cronExpression',
      'trigger',
      'timezone',
      'enabled',
      'timeout_ms as timeoutMs',
      'next_run_at as nextRunAt',
    ])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Updates a task. A null `plan` leaves its next run unchanged. A new plan resets the missed due times. */
export async function updateTask(
  tx: Tx,
  task: NewTask,
  plan: TaskPlan | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('task')
    .set({
      prompt_name: task.promptName,
      cron_expression: task.cronExpression,
      trigger: toStoredTrigger(task),
      timezone: task.timezone,
      enabled: task.enabled,
      timeout_ms: task.timeoutMs,
      updated_at: now,
      ...(plan !== null && {
        next_run_at: plan.nextRunAt,
        due_at: plan.schedulerActsAt,
        catch_up_for: null,
        missed: 0,
      }),
    })
    .where('id', '=', task.id)
    .execute()
}

function toStoredTrigger({ trigger }: NewTask): string | null {
  return trigger === null ? null : JSON.stringify(trigger)
}

export async function deleteTask(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('task').where('name', '=', name).executeTakeFirst()
  return numDeletedRows > 0n
}

import { sql, type RawBuilder } from 'kysely'
import { readsProjectOrNone } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { randomBase62 } from '../lib/crypto.ts'
import type { TaskPlan } from './scheduling/task-planner.ts'
import type { Task } from './task.ts'

export type NewTask = Pick<
  Task,
  | 'id'
  | 'name'
  | 'promptName'
  | 'cronExpression'
  | 'trigger'
  | 'timezone'
  | 'enabled'
  | 'timeoutMs'
  | 'ownerId'
  | 'project'
  | 'projects'
>

/**
 * "Try it" runs a prompt through a separate task, which a later trial removes after it has ended. Its name contains the
 * person's id, so that it cannot belong to anyone else.
 */
const PREFIX = 'trial-'
const TRIAL_NAME = /^trial-usr_/

/** Inserts a task. False if a task with this name exists. */
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
      owner_id: task.ownerId,
      project: task.project,
      projects: task.projects,
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
    .leftJoin('app_user', 'app_user.id', 'task.owner_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('execution')
          .select(['started_at', 'status', 'is_cancelled'])
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
      'task.owner_id as ownerId',
      'app_user.name as ownerName',
      'task.project',
      'task.projects',
      'task.next_run_at as nextRunAt',
      'newest.started_at as lastRunAt',
      'newest.status as lastStatus',
      'newest.is_cancelled as wasLastCancelled',
      'task.last_skipped_at as lastSkippedAt',
      'task.last_skip_reason as lastSkipReason',
      'task.created_at as createdAt',
      'task.updated_at as updatedAt',
    ])
}

export async function findTask(db: Db, name: string): Promise<Task | null> {
  return (await selectTasks(db).where('task.name', '=', name).executeTakeFirst()) ?? null
}

/** The task, if the viewer may read it; otherwise null. */
export async function findReadableTask(db: Db, viewer: Viewer, name: string): Promise<Task | null> {
  const row = await selectTasks(db)
    .where('task.name', '=', name)
    .where(readsProjectOrNone(viewer, 'task.project'))
    .executeTakeFirst()
  return row ?? null
}

/** The tasks that the viewer may read, by name: all, or only those with or without a schedule. Excludes trials. */
export function listTasks(
  db: Db,
  viewer: Viewer,
  isScheduled: boolean | undefined,
): Promise<Task[]> {
  return selectTasks(db)
    .where(readsProjectOrNone(viewer, 'task.project'))
    .where((eb) => eb.not(isTrialTask()))
    .$if(isScheduled === true, (query) => query.where('task.cron_expression', 'is not', null))
    .$if(isScheduled === false, (query) => query.where('task.cron_expression', 'is', null))
    .orderBy('task.name')
    .execute()
}

export type LockedTask = NewTask & { nextRunAt: Date | null }

/** Locks a task's row. Until the transaction ends, nothing else can change it or start its due executions. */
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
      'owner_id as ownerId',
      'project',
      'projects',
      'next_run_at as nextRunAt',
    ])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Updates a task. If `plan` is null, its next run stays. A new plan resets the missed due times. */
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
  return db.transaction().execute(async (tx) => {
    // Executions are locked before their task, in the same order as where a dead node's executions end.
    await tx
      .selectFrom('execution')
      .select('id')
      .where('status', '=', 'running')
      .where('task_id', 'in', (eb) => eb.selectFrom('task').select('id').where('name', '=', name))
      .orderBy('id')
      .forUpdate()
      .execute()
    const { numDeletedRows } = await tx
      .deleteFrom('task')
      .where('name', '=', name)
      .executeTakeFirst()
    return numDeletedRows > 0n
  })
}

/** Throws if a task would run with the rights of a removed or deactivated user. The caller must hold the task's lock. */
export async function requireTaskOwner(tx: Tx, ownerId: string | null): Promise<void> {
  if (ownerId === null) return
  const owner = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', ownerId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (owner === undefined) throw new ServiceError('task_owner_removed')
}

/** Locks the user's row: either the task exists when the user is removed, and is disabled, or it is not stored. */
export async function lockOwnerAndReadName(tx: Tx, ownerId: string | null): Promise<string | null> {
  if (ownerId === null) return null
  const owner = await tx
    .selectFrom('app_user')
    .select('name')
    .where('id', '=', ownerId)
    .where('deactivated_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (owner === undefined) throw new ServiceError('not_signed_in')
  return owner.name
}

/** Makes a task run with the rights of another user or of the instance. */
export async function setTaskOwner(
  tx: Tx,
  id: string,
  { ownerId, projects }: Pick<Task, 'ownerId' | 'projects'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('task')
    .set({ owner_id: ownerId, projects, updated_at: now })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('task')
    .set({ last_skipped_at: null, last_skip_reason: null })
    .where('id', '=', id)
    .where('last_skip_reason', '=', 'owner_removed')
    .execute()
}

const OWNER_REMOVED_SUMMARY =
  'Ended, because the user with whose rights it ran was removed or deactivated'

/**
 * Called in the transaction that removes or deactivates a user, whose row is locked. The user's tasks would have no rights to run
 * with. The nodes that run them notice.
 */
export async function disableTasksOfUser(tx: Db, userId: string, now: Date): Promise<void> {
  // Executions are locked before their task, in the same order as where a dead node's executions end.
  await endRunningExecutionsOfUser(tx, userId, now)
  await tx
    .updateTable('task')
    .set({ enabled: false, next_run_at: null, due_at: null, catch_up_for: null })
    .set({ last_skipped_at: now, last_skip_reason: 'owner_removed', updated_at: now })
    .where('owner_id', '=', userId)
    .execute()
  // The executions that began before the tasks were disabled.
  await endRunningExecutionsOfUser(tx, userId, now)
}

async function endRunningExecutionsOfUser(tx: Db, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('execution')
    .set({ status: 'failed', completed_at: now, result_summary: OWNER_REMOVED_SUMMARY })
    .where('status', '=', 'running')
    .where('task_id', 'in', (eb) =>
      eb.selectFrom('task').select('id').where('owner_id', '=', userId),
    )
    .execute()
}

export function createTrialTaskName(userId: string): string {
  return `${PREFIX}${userId}.${randomBase62(8)}`
}

/** A person's trials that have ended. */
export async function listEndedTrials(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('task')
    .select('name')
    .where('owner_id', '=', userId)
    .where(isTrialTask())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('execution')
            .select('id')
            .whereRef('task_id', '=', 'task.id')
            .where('status', '=', 'running'),
        ),
      ),
    )
    // A trial without executions is about to run, unless its node was killed.
    .where(({ eb, or }) =>
      or([eb('last_number', '>', 0), eb('created_at', '<', sql<Date>`now() - interval '1 hour'`)]),
    )
    .execute()
  return rows.map(({ name }) => name)
}

/** True if the name is reserved for another person's trials. `userId` is null for a caller that is not a person. */
export function isTrialNameOfOthers(name: string, userId: string | null): boolean {
  return TRIAL_NAME.test(name) && (userId === null || !name.startsWith(`${PREFIX}${userId}`))
}

/**
 * SQL condition: a row of `task` is a trial. It reads only what every person may read and never starts by itself. A
 * trial that someone enabled, scheduled or took over is an ordinary task.
 */
export function isTrialTask(): RawBuilder<boolean> {
  return sql<boolean>`(task.owner_id is not null and starts_with(task.name, ${PREFIX} || task.owner_id)
    and not task.enabled and task.cron_expression is null and task.project is null)`
}

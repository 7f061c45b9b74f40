import { ServiceError, throwIfAnyErrors, type ErrorDetail } from '../errors.ts'
import type { Db, Tx } from '../db/database.ts'
import { newId } from '../lib/crypto/random.ts'
import {
  NO_SCHEDULED_RUN_PLAN,
  type TaskPlan,
  type TaskPlanner,
} from './scheduling/task-planner.ts'
import type { TemplateRenderer } from './prompts/template/template-renderer.ts'
import {
  deleteTask,
  findTask,
  lockTask,
  insertTaskUnlessNameTaken,
  listTasks,
  updateTask,
  type NewTask,
} from './task-store.ts'
import {
  createTaskCheck,
  taskExistsError,
  YEARLY_CRON,
  type TaskFieldsToCheck,
} from './task-check.ts'
import { isTaskName, TASK_TIMEOUT_LIMITS_MS, type Task } from './task.ts'
import type { TaskTrigger } from './triggers/task-trigger.ts'

export type EditableTaskFields = {
  promptName: string
  /** Null or empty for a task that runs only on demand. */
  cronExpression: string | null
  /** Null for a task that no event starts. */
  trigger: TaskTrigger | null
  timezone: string
  enabled: boolean
  timeoutMs: number
}
export type TaskChange = { [K in keyof EditableTaskFields]?: EditableTaskFields[K] | undefined }

/** Runs in the transaction of the change, to store the response for the Idempotency-Key together with it. */
export type BeforeCommitHook<T> = (tx: Tx, result: T) => Promise<void>

/** Creates, reads, changes and removes tasks for the API. */
export interface Tasks {
  list(isScheduled: boolean | undefined): Promise<Task[]>
  get(name: string): Promise<Task>
  /** One error for each problem with which `create` would refuse a task with these fields. */
  findCreateProblems(fields: TaskFieldsToCheck): Promise<ServiceError[]>
  /** One error for each problem with which `update` would refuse these fields; none when there is no such task. */
  findUpdateProblems(name: string, fields: TaskFieldsToCheck): Promise<ServiceError[]>
  create(
    name: string,
    request: TaskChange & { promptName: string },
    beforeCommit: BeforeCommitHook<Task>,
  ): Promise<Task>
  update(name: string, change: TaskChange): Promise<Task>
  setEnabled(name: string, enabled: boolean): Promise<Task>
  remove(name: string): Promise<void>
}

type Parts = {
  db: Db
  planner: TaskPlanner
  promptsDir: string
  /** Renders templates with sample data. */
  checkRenderer: TemplateRenderer
  time(): Promise<Date>
  /** Called when the schedule of a task may have changed. */
  onChanged(): void
  /** Called with executions that ended or were deleted while a node may still be running them. */
  onEnded(executionIds: readonly string[]): void
}

export function createTasks(parts: Parts): Tasks {
  const { db, planner, time } = parts
  const check = createTaskCheck(parts)

  const find = async (name: string) => (isTaskName(name) ? findTask(db, name) : null)
  const get = async (name: string): Promise<Task> => {
    const task = await find(name)
    if (task === null) throw taskNotFound(name)
    return task
  }
  const validateAndPlan = (task: NewTask, now: Date): { task: NewTask; plan: TaskPlan } => {
    if (task.cronExpression === null) {
      const timezone = requireValid(planner.checkSchedule(YEARLY_CRON, task.timezone), [
        'timezone',
      ]).timeZone
      return { task: { ...task, timezone }, plan: NO_SCHEDULED_RUN_PLAN }
    }
    const schedule = requireValid(planner.checkSchedule(task.cronExpression, task.timezone))
    const validTask = { ...task, cronExpression: schedule.expression, timezone: schedule.timeZone }
    return {
      task: validTask,
      plan: task.enabled ? planner.planAfter(task.name, schedule, now) : NO_SCHEDULED_RUN_PLAN,
    }
  }
  const change = async (name: string, requested: TaskChange): Promise<Task> => {
    const now = await time()
    await db.transaction().execute(async (tx) => {
      const locked = await lockTask(tx, name)
      if (locked === null) throw taskNotFound(name)
      const { nextRunAt: _, ...before } = locked
      const changed: NewTask = { ...before, ...omitUndefined(requested) }
      const { task, plan } = validateAndPlan(emptyScheduleToNull(changed), now)
      await updateTask(tx, task, hasSameSchedule(before, task) ? null : plan, now)
    })
    parts.onChanged()
    return get(name)
  }

  return {
    list: (isScheduled) => listTasks(db, isScheduled),
    get,
    findCreateProblems: check.findCreateProblems,
    async findUpdateProblems(name, fields) {
      const task = await find(name)
      return task === null ? [] : check.findUpdateProblems(task, fields)
    },
    async create(name, { promptName, ...request }, beforeCommit) {
      throwIfAnyErrors(await check.findCreateProblems({ name, promptName, ...request }))
      const now = await time()
      const { task, plan } = validateAndPlan(
        emptyScheduleToNull({
          id: newId('task'),
          name,
          promptName,
          cronExpression: request.cronExpression ?? null,
          trigger: request.trigger ?? null,
          timezone: request.timezone ?? 'UTC',
          enabled: request.enabled ?? true,
          timeoutMs: request.timeoutMs ?? TASK_TIMEOUT_LIMITS_MS.default,
        }),
        now,
      )
      const created: Task = {
        ...task,
        nextRunAt: plan.nextRunAt,
        lastRunAt: null,
        lastStatus: null,
        lastSkippedAt: null,
        lastSkipReason: null,
        createdAt: now,
        updatedAt: now,
      }
      await db.transaction().execute(async (tx) => {
        if (!(await insertTaskUnlessNameTaken(tx, task, plan, now))) throw taskExistsError(name)
        await beforeCommit(tx, created)
      })
      parts.onChanged()
      return created
    },
    async update(name, requested) {
      throwIfAnyErrors(await check.findUpdateProblems(await get(name), requested))
      return change(name, requested)
    },
    async setEnabled(name, enabled) {
      const { cronExpression, trigger } = await get(name)
      if (cronExpression === null && trigger === null) {
        throw new ServiceError('task_not_scheduled', { text: `Task has no schedule: ${name}` })
      }
      return change(name, { enabled })
    },
    async remove(name) {
      const { id } = await get(name)
      const running = await findRunningExecutionIds(db, id)
      if (!(await deleteTask(db, name))) throw taskNotFound(name)
      parts.onEnded(running)
      parts.onChanged()
    },
  }
}

async function findRunningExecutionIds(db: Db, taskId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('execution')
    .select('id')
    .where('task_id', '=', taskId)
    .where('status', '=', 'running')
    .execute()
  return rows.map(({ id }) => id)
}

/** Treats an empty expression like null: the task has no schedule. */
function emptyScheduleToNull(task: NewTask): NewTask {
  return task.cronExpression === '' ? { ...task, cronExpression: null } : task
}

function hasSameSchedule(before: NewTask, after: NewTask): boolean {
  return (['cronExpression', 'timezone', 'enabled'] as const).every(
    (field) => before[field] === after[field],
  )
}

function omitUndefined(change: TaskChange): Partial<EditableTaskFields> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/** Returns the schedule, or throws `invalid_request` with its problems. `paths` selects the problems that count. */
function requireValid<T>(scheduleOrProblems: T | ErrorDetail[], paths?: readonly string[]): T {
  if (!Array.isArray(scheduleOrProblems)) return scheduleOrProblems
  const details = scheduleOrProblems.filter(
    ({ path }) => paths === undefined || paths.includes(path),
  )
  throw new ServiceError('invalid_request', { details })
}

function taskNotFound(name: string): ServiceError {
  return new ServiceError('task_not_found', { text: `Task not found: ${name.slice(0, 64)}` })
}

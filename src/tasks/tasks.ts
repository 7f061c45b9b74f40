import { ServiceError, type ErrorDetail } from '../errors.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../lib/crypto/random.ts'
import type { TaskPlan, TaskPlanner } from './scheduling/task-planner.ts'
import { requirePrompt } from './prompts/require-prompt.ts'
import {
  deleteTask,
  findTask,
  lockTask,
  insertTask,
  listTasks,
  updateTask,
  type NewTask,
  type Tx,
} from './task-store.ts'
import { isTaskName, TASK_TIMEOUT_MS, type Task } from './task.ts'

export type TaskRequest = {
  promptName: string
  /** Null or empty: on demand. */
  cronExpression: string | null
  timezone: string
  enabled: boolean
  timeoutMs: number
}
export type TaskChange = { [K in keyof TaskRequest]?: TaskRequest[K] | undefined }

/** Stored in the transaction of the effect: a repeated request finds both or neither. */
export type BeforeCommit<T> = (tx: Tx, done: T) => Promise<void>

/** What a program can do with tasks. */
export interface Tasks {
  list(isScheduled: boolean | undefined): Promise<Task[]>
  get(name: string): Promise<Task>
  create(
    name: string,
    request: TaskChange & { promptName: string },
    onDone: BeforeCommit<Task>,
  ): Promise<Task>
  update(name: string, change: TaskChange): Promise<Task>
  setEnabled(name: string, enabled: boolean): Promise<Task>
  remove(name: string): Promise<void>
}

type Parts = {
  db: Db
  planner: TaskPlanner
  promptsDir: string
  time(): Promise<Date>
  /** Schedules have changed. */
  onChanged(): void
  /** Executions are over, or gone, while somebody may still be at them. */
  onEnded(executionIds: readonly string[]): void
}

const NO_PLAN: TaskPlan = { nextRunAt: null, dueAt: null }
/** Never too often: for looking at a time zone alone. */
const YEARLY_CRON = '0 0 1 1 *'

export function createTasks(parts: Parts): Tasks {
  const { db, planner, time } = parts

  const get = async (name: string): Promise<Task> => {
    const task = isTaskName(name) ? await findTask(db, name) : null
    if (task === null) throw taskNotFound(name)
    return task
  }
  const planOf = (task: NewTask, now: Date): { task: NewTask; plan: TaskPlan } => {
    if (task.cronExpression === null) {
      const timezone = requireValid(planner.checkSchedule(YEARLY_CRON, task.timezone), [
        'timezone',
      ]).timeZone
      return { task: { ...task, timezone }, plan: NO_PLAN }
    }
    const schedule = requireValid(planner.checkSchedule(task.cronExpression, task.timezone))
    const checked = { ...task, cronExpression: schedule.expression, timezone: schedule.timeZone }
    return {
      task: checked,
      plan: task.enabled ? planner.planAfter(task.name, schedule, now) : NO_PLAN,
    }
  }
  const change = async (name: string, given: TaskChange): Promise<Task> => {
    const now = await time()
    await db.transaction().execute(async (tx) => {
      const held = await lockTask(tx, name)
      if (held === null) throw taskNotFound(name)
      const { nextRunAt: _, ...before } = held
      const wanted: NewTask = { ...before, ...omitUndefined(given) }
      const { task, plan } = planOf(emptyScheduleToNull(wanted), now)
      await updateTask(tx, task, hasSameSchedule(before, task) ? null : plan, now)
    })
    parts.onChanged()
    return get(name)
  }

  return {
    list: (isScheduled) => listTasks(db, isScheduled),
    get,
    async create(name, { promptName, ...given }, onDone) {
      const now = await time()
      const { task, plan } = planOf(
        emptyScheduleToNull({
          id: newId('task'),
          name,
          promptName,
          cronExpression: given.cronExpression ?? null,
          timezone: given.timezone ?? 'UTC',
          enabled: given.enabled ?? true,
          timeoutMs: given.timeoutMs ?? TASK_TIMEOUT_MS.default,
        }),
        now,
      )
      if ((await findTask(db, name)) !== null) throw taskExists(name)
      await requirePrompt(parts.promptsDir, promptName)
      const made: Task = {
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
        if (!(await insertTask(tx, task, plan, now))) throw taskExists(name)
        await onDone(tx, made)
      })
      parts.onChanged()
      return made
    },
    async update(name, given) {
      await get(name)
      if (given.promptName !== undefined) await requirePrompt(parts.promptsDir, given.promptName)
      return change(name, given)
    },
    async setEnabled(name, enabled) {
      const { cronExpression } = await get(name)
      if (cronExpression === null) {
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

/** An empty text is no schedule, like null. */
function emptyScheduleToNull(task: NewTask): NewTask {
  return task.cronExpression === '' ? { ...task, cronExpression: null } : task
}

function hasSameSchedule(before: NewTask, after: NewTask): boolean {
  return (['cronExpression', 'timezone', 'enabled'] as const).every(
    (field) => before[field] === after[field],
  )
}

function omitUndefined(given: TaskChange): Partial<TaskRequest> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** A schedule, or the answer that names what is wrong with it. */
function requireValid<T>(checked: T | ErrorDetail[], paths?: readonly string[]): T {
  if (!Array.isArray(checked)) return checked
  const details = checked.filter(({ path }) => paths === undefined || paths.includes(path))
  throw new ServiceError('invalid_request', { details })
}

function taskNotFound(name: string): ServiceError {
  return new ServiceError('task_not_found', { text: `Task not found: ${name.slice(0, 64)}` })
}
function taskExists(name: string): ServiceError {
  return new ServiceError('task_exists', { text: `Task already exists: ${name}` })
}

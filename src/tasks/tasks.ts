import type { AreaContext } from '../db/context.ts'
import { isDeepStrictEqual } from 'node:util'
import type { ProjectAccessStore } from '../access/project-access.ts'
import { taskNotFoundError, requireAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError, throwIfAnyErrors, type ErrorDetail } from '../errors.ts'
import { newId } from '../lib/crypto.ts'
import { keepUnchanged } from '../projects/files/concurrent-writes.ts'
import { requireReadablePrompt } from './prompts/check-prompts.ts'
import { toPromptLockName } from './prompts/prompt-name.ts'
import type { PromptFiles } from './prompts/store/prompt-storage.ts'
import type { TemplateRenderer } from './prompts/template/template-renderer.ts'
import {
  NO_SCHEDULED_RUN_PLAN,
  type TaskPlan,
  type TaskPlanner,
} from './scheduling/task-planner.ts'
import {
  createTaskCheck,
  taskExistsError,
  YEARLY_CRON,
  type TaskFieldsToCheck,
} from './task-check.ts'
import {
  deleteTask,
  findReadableTask,
  findTask,
  lockOwnerAndReadName,
  lockTask,
  insertTaskUnlessNameTaken,
  listTasks,
  requireTaskOwner,
  setTaskOwner,
  updateTask,
  type NewTask,
  isTrialNameOfOthers,
} from './task-store.ts'
import { isTaskName, TASK_TIMEOUT_LIMITS_MS, type Task } from './task.ts'
import type { TaskTrigger } from './triggers/task-trigger.ts'

export type EditableTaskFields = {
  promptName: string
  /** Null or empty for a task that only runs on demand. */
  cronExpression: string | null
  /** Null for a task without a trigger. */
  trigger: TaskTrigger | null
  timezone: string
  enabled: boolean
  timeoutMs: number
}
export type TaskChange = { [K in keyof EditableTaskFields]?: EditableTaskFields[K] | undefined }

/** Runs in the transaction of the change, to store the response for the Idempotency-Key with it. */
export type BeforeCommitHook<T> = (tx: Tx, result: T) => Promise<void>

/** Creates, reads, changes and removes tasks for the API. */
export interface Tasks {
  list(viewer: Viewer, isScheduled: boolean | undefined): Promise<Task[]>
  get(name: string): Promise<Task>
  /** Returns an error for each reason why `create` would refuse these fields. */
  findCreateProblems(fields: TaskFieldsToCheck): Promise<ServiceError[]>
  /**
   * Returns an error for each reason why `update` would refuse these fields. Empty if the viewer cannot read such a
   * task.
   */
  findUpdateProblems(
    viewer: Viewer,
    name: string,
    fields: TaskFieldsToCheck,
  ): Promise<ServiceError[]>
  create(
    viewer: Viewer,
    name: string,
    request: TaskChange & { promptName: string; project?: string | undefined },
    beforeCommit: BeforeCommitHook<Task>,
  ): Promise<Task>
  update(viewer: Viewer, name: string, change: TaskChange): Promise<Task>
  setEnabled(viewer: Viewer, name: string, enabled: boolean): Promise<Task>
  /** Makes a task run with the viewer's rights. */
  takeOver(
    viewer: Viewer,
    name: string,
    beforeCommit: BeforeCommitHook<{ taskId: string; previousOwnerId: string | null }>,
  ): Promise<Task>
  remove(name: string): Promise<void>
}

type Parts = AreaContext & {
  planner: TaskPlanner
  promptFiles: PromptFiles
  /** Renders templates with sample data. */
  checkRenderer: TemplateRenderer
  registerProject: ProjectAccessStore['registerProject']
  /** Called if the schedule of a task may have changed. */
  onChanged(): void
  /** Called with executions that ended or were deleted while a node may still be running them. */
  onEnded(executionIds: readonly string[]): void
}

export function createTasks(parts: Parts): Tasks {
  const { db, planner, clock } = parts
  const check = createTaskCheck(parts)

  const find = async (name: string) => (isTaskName(name) ? findTask(db, name) : null)
  const get = async (name: string): Promise<Task> => {
    const task = await find(name)
    if (task === null) throw taskNotFoundError(name)
    return task
  }
  /** The lock keeps the prompt from being removed or replaced before others can see that the task uses it. */
  const keepPrompt = async (tx: Tx, promptName: string) => {
    await keepUnchanged(tx, toPromptLockName(promptName))
    await requireReadablePrompt(parts.promptFiles.inTransaction(tx), promptName)
  }
  const validateAndPlan = (task: NewTask, now: Date) => validateAndPlanTask(planner, task, now)
  const change = async (viewer: Viewer, name: string, requested: TaskChange): Promise<Task> => {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      const locked = await lockTask(tx, name)
      if (locked === null) throw taskNotFoundError(name)
      const { nextRunAt: _, ...before } = locked
      const changed: NewTask = { ...before, ...omitUndefined(requested) }
      const { task, plan } = validateAndPlan(emptyScheduleToNull(changed), now)
      if (!hasSameContent(before, task) && !mayDecideContent(viewer, before))
        throw new ServiceError('forbidden')
      if (task.promptName !== before.promptName) await keepPrompt(tx, task.promptName)
      if (task.enabled) await requireTaskOwner(tx, task.ownerId)
      await updateTask(tx, task, hasSameSchedule(before, task) ? null : plan, now)
    })
    parts.onChanged()
    return get(name)
  }

  return {
    list: (viewer, isScheduled) => listTasks(db, viewer, isScheduled),
    get,
    findCreateProblems: check.findCreateProblems,
    async findUpdateProblems(viewer, name, fields) {
      const task = isTaskName(name) ? await findReadableTask(db, viewer, name) : null
      return task === null ? [] : check.findUpdateProblems(task, fields)
    },
    async create(viewer, name, { promptName, ...request }, beforeCommit) {
      if (isTrialNameOfOthers(name, ownerOf(viewer).ownerId)) throw taskExistsError(name)
      throwIfAnyErrors(await check.findCreateProblems({ name, promptName, ...request }))
      const now = clock.now()
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
          ...ownerOf(viewer),
          project: request.project ?? null,
        }),
        now,
      )
      const created = await db.transaction().execute(async (tx) => {
        await keepPrompt(tx, promptName)
        const ownerName = await lockOwnerAndReadName(tx, task.ownerId)
        if (task.project !== null) await parts.registerProject(tx, viewer, task.project)
        if (!(await insertTaskUnlessNameTaken(tx, task, plan, now))) throw taskExistsError(name)
        const inserted = toNewTask(task, { ownerName, nextRunAt: plan.nextRunAt }, now)
        await beforeCommit(tx, inserted)
        return inserted
      })
      parts.onChanged()
      return created
    },
    async update(viewer, name, requested) {
      throwIfAnyErrors(await check.findUpdateProblems(await get(name), requested))
      return change(viewer, name, requested)
    },
    async setEnabled(viewer, name, enabled) {
      const { cronExpression, trigger } = await get(name)
      if (cronExpression === null && trigger === null) {
        throw new ServiceError('task_not_scheduled', { text: `Task has no schedule: ${name}` })
      }
      return change(viewer, name, { enabled })
    },
    async takeOver(viewer, name, beforeCommit) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockOwnerAndReadName(tx, ownerOf(viewer).ownerId)
        const task = await lockTask(tx, name)
        if (task === null) throw taskNotFoundError(name)
        await requireAccess(tx, viewer, { kind: 'task', id: name, action: 'edit' })
        await setTaskOwner(tx, task.id, ownerOf(viewer), now)
        await beforeCommit(tx, { taskId: task.id, previousOwnerId: task.ownerId })
      })
      return get(name)
    },
    async remove(name) {
      const { id } = await get(name)
      const running = await findRunningExecutionIds(db, id)
      if (!(await deleteTask(db, name))) throw taskNotFoundError(name)
      parts.onEnded(running)
      parts.onChanged()
    },
  }
}

function validateAndPlanTask(
  planner: TaskPlanner,
  task: NewTask,
  now: Date,
): { task: NewTask; plan: TaskPlan } {
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

/** A task runs with the rights of the viewer who created it or took it over. */
function ownerOf(viewer: Viewer): Pick<Task, 'ownerId' | 'projects'> {
  return {
    ownerId: viewer.kind === 'user' ? viewer.userId : null,
    projects: viewer.projects === null ? null : [...viewer.projects],
  }
}

function toNewTask(
  task: NewTask,
  known: Pick<Task, 'ownerName' | 'nextRunAt'>,
  createdAt: Date,
): Task {
  return {
    ...task,
    ...known,
    lastRunAt: null,
    lastStatus: null,
    wasLastCancelled: null,
    lastSkippedAt: null,
    lastSkipReason: null,
    createdAt,
    updatedAt: createdAt,
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

/** An empty expression means the same as null: the task has no schedule. */
function emptyScheduleToNull(task: NewTask): NewTask {
  return task.cronExpression === '' ? { ...task, cronExpression: null } : task
}

function hasSameSchedule(before: NewTask, after: NewTask): boolean {
  return (['cronExpression', 'timezone', 'enabled'] as const).every(
    (field) => before[field] === after[field],
  )
}

/** True if the prompt and the trigger stay the same. They determine what the task reads. */
function hasSameContent(before: NewTask, after: NewTask): boolean {
  return before.promptName === after.promptName && isDeepStrictEqual(before.trigger, after.trigger)
}

/** A token that is limited to some projects must not use a task to read others. */
function mayDecideContent({ projects }: Viewer, task: NewTask): boolean {
  return projects === null || (task.projects?.every((id) => projects.includes(id)) ?? false)
}

function omitUndefined(change: TaskChange): Partial<EditableTaskFields> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/** Returns the schedule, or throws `invalid_request` with its problems. `paths` limits which problems are reported. */
function requireValid<T>(scheduleOrProblems: T | ErrorDetail[], paths?: readonly string[]): T {
  if (!Array.isArray(scheduleOrProblems)) return scheduleOrProblems
  const details = scheduleOrProblems.filter(
    ({ path }) => paths === undefined || paths.includes(path),
  )
  throw new ServiceError('invalid_request', { details })
}

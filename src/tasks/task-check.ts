import type { Db } from '../db/database.ts'
import { ServiceError, type ErrorDetail } from '../errors.ts'
import { findPromptError } from './prompts/check-prompts.ts'
import type { PromptFiles } from './prompts/store/prompt-storage.ts'
import type { TemplateRenderer } from './prompts/template/template-renderer.ts'
import type { TaskPlanner } from './scheduling/task-planner.ts'
import { findTask } from './task-store.ts'
import { isTaskName, type Task } from './task.ts'

/** The fields of a task to check. Fields that are absent or malformed are not checked. */
export type TaskFieldsToCheck = {
  name?: string | undefined
  promptName?: string | undefined
  cronExpression?: string | null | undefined
  timezone?: string | undefined
}

type Parts = {
  db: Db
  planner: TaskPlanner
  promptFiles: PromptFiles
  /** Renders templates with sample data. */
  checkRenderer: TemplateRenderer
}

/** A schedule that is always allowed. Used to validate only a time zone. */
export const YEARLY_CRON = '0 0 1 1 *'

/** Checks fields of a task that need more than a check of their format. The first problem decides the response. */
export function createTaskCheck({ db, planner, promptFiles, checkRenderer }: Parts) {
  const findScheduleError = (fields: TaskFieldsToCheck): ServiceError | null => {
    const details = findScheduleProblems(planner, fields)
    return details.length === 0 ? null : new ServiceError('invalid_request', { details })
  }
  const findNameError = async (name: string | undefined): Promise<ServiceError | null> => {
    if (name === undefined || !isTaskName(name)) return null
    return (await findTask(db, name)) === null ? null : taskExistsError(name)
  }
  const findProblems = async (fields: TaskFieldsToCheck): Promise<ServiceError[]> => {
    const { name, promptName } = fields
    const errors = [
      findScheduleError(fields),
      await findNameError(name),
      promptName === undefined
        ? null
        : await findPromptError(promptFiles, promptName, checkRenderer),
    ]
    return errors.filter((error) => error !== null)
  }
  return {
    /** Returns an error for each problem of a new task. */
    findCreateProblems: findProblems,
    /** Returns an error for each problem of a change. The schedule is checked together with the fields that stay. */
    findUpdateProblems: (task: Task, { promptName, cronExpression, timezone }: TaskFieldsToCheck) =>
      findProblems({
        promptName,
        cronExpression: cronExpression === undefined ? task.cronExpression : cronExpression,
        timezone: timezone ?? task.timezone,
      }),
  }
}

export type TaskProblemFinder = ReturnType<typeof createTaskCheck>

export function taskExistsError(name: string): ServiceError {
  return new ServiceError('task_exists', {
    text: `Task already exists: ${name}`,
    details: [{ path: 'name', message: 'A task with this name already exists' }],
  })
}

/** Without an expression the task only runs on demand, so only its time zone is checked. */
function findScheduleProblems(
  planner: TaskPlanner,
  { cronExpression, timezone = 'UTC' }: TaskFieldsToCheck,
): ErrorDetail[] {
  const checked = planner.checkSchedule(cronExpression || YEARLY_CRON, timezone)
  return Array.isArray(checked) ? checked : []
}

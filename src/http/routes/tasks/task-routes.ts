import type { z } from 'zod'
import { appendAudit } from '../../../accounts/audit.ts'
import { ServiceError, throwIfAnyErrors } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Executions } from '../../../tasks/executions/executions.ts'
import type { Task } from '../../../tasks/task.ts'
import type { BeforeCommitHook, TaskChange, Tasks } from '../../../tasks/tasks.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { TASK_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import { toApiExecution, toApiExecutionWithSummary, toApiTask } from '../../shapes/task-mapping.ts'
import {
  CreateTaskBody,
  RunTaskResponse,
  TaskResponse,
  TaskDetailResponse,
  TaskActionResponse,
  TaskHistoryResponse,
  TaskHistoryQuery,
  TaskNameParams,
  TasksResponse,
  TasksQuery,
  ChangedTaskResponse,
  UpdateTaskBody,
} from '../../shapes/tasks.ts'

const RECENT_EXECUTIONS = 10
const BUDGET_ERRORS = ['too_many_executions', 'over_budget'] as const

type Parts = { tasks: Tasks; executions: Executions; clock: Clock }
type UpdateFields = Partial<z.output<typeof UpdateTaskBody>>

/** Reading, changing and running tasks. Routes for executions are in execution-routes.ts. */
export function taskRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { tasks, executions, clock }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Tasks')

  routes.get('/tasks', {
    subject: 'list',
    summary: 'Tasks by name',
    description: 'All tasks, or only those with or without a schedule.',
    query: TasksQuery,
    response: TasksResponse,
    handler: async (request) => {
      const { scheduled } = request.query
      const list = await tasks.list(
        request.viewer,
        scheduled === undefined ? undefined : scheduled === 'true',
      )
      return { tasks: list.map(toApiTask) }
    },
  })

  routes.get('/tasks/:name', {
    subject: TASK_SUBJECT.read,
    summary: 'A task and its latest executions',
    description: 'The ten most recent executions, newest first.',
    params: TaskNameParams,
    response: TaskDetailResponse,
    handler: async (request) => {
      const { name } = request.params
      const task = await tasks.get(name)
      const page = { limit: RECENT_EXECUTIONS, offset: 0 }
      const recent = await executions.history(request.viewer, name, page)
      return { task: toApiTask(task), recentExecutions: recent.executions.map(toApiExecution) }
    },
  })

  routes.get('/tasks/:name/history', {
    subject: TASK_SUBJECT.read,
    summary: 'Executions of a task, newest first',
    description: 'Page by page, with `limit` and `offset`.',
    params: TaskNameParams,
    query: TaskHistoryQuery,
    response: TaskHistoryResponse,
    handler: async (request) => {
      const { limit, offset = 0 } = request.query
      const page = { limit: resolvePageSize(limit), offset }
      const history = await executions.history(request.viewer, request.params.name, page)
      return {
        executions: history.executions.map(toApiExecutionWithSummary),
        total: history.total,
        ...page,
      }
    },
  })

  routes.idempotentPost('/tasks', {
    subject: ['list', TASK_SUBJECT.project],
    findFieldProblems: tasks.findCreateProblems,
    errorCodes: ['invalid_prompt', 'prompt_not_found', 'task_exists'],
    summary: 'Create a task',
    description:
      'With `cronExpression` it runs on a schedule, with `trigger` when something happens, without both only on demand.',
    body: CreateTaskBody,
    status: 201,
    response: TaskResponse,
    run(request, beforeCommit: BeforeCommitHook<Task>) {
      const { name, timeout: timeoutMs, ...settings } = request.body
      return tasks.create(request.viewer, name, { ...settings, timeoutMs }, beforeCommit)
    },
    toResponse: (task) => ({ task: toApiTask(task) }),
  })
  taskChangeRoutes(app, surface, tasks)
  routes.post('/tasks/:name/take-over', {
    subject: TASK_SUBJECT.edit,
    summary: 'Let a task run with your rights',
    description:
      'A task runs with the rights of the user who created it. After that user was removed it is disabled and does not run until someone takes it over and enables it.',
    params: TaskNameParams,
    response: ChangedTaskResponse,
    handler: async (request) => {
      const { name } = request.params
      const actor = readAuditActor(request)
      const task = await tasks.takeOver(request.viewer, name, (tx, { taskId, previousOwnerId }) =>
        appendAudit(tx, clock.now(), actor, 'task taken over', taskId, previousOwnerId),
      )
      return { success: true as const, message: `Task taken over: ${name}`, task: toApiTask(task) }
    },
  })

  routes.idempotentPost('/tasks/:name/run', {
    subject: TASK_SUBJECT.edit,
    errorCodes: ['invalid_prompt', 'prompt_not_found', 'task_owner_removed', ...BUDGET_ERRORS],
    summary: 'Run a task now',
    description:
      'Returns when the execution has started or is queued, not when it ends; read its outcome from the execution.',
    params: TaskNameParams,
    response: RunTaskResponse,
    run: (request, beforeCommit: BeforeCommitHook<string>) =>
      executions.run(request.params.name, beforeCommit),
    toResponse(executionId, request) {
      const { name } = request.params
      return {
        success: true as const,
        message: `Task started: ${name}`,
        taskName: name,
        executionId,
      }
    },
  })
}

function taskChangeRoutes(app: FastifyApp, surface: ApiSurface, tasks: Tasks): void {
  const routes = defineRoutes(app, surface, 'Tasks')

  routes.put('/tasks/:name', {
    subject: TASK_SUBJECT.edit,
    async findFieldProblems(fields: UpdateFields, request: ApiRequest) {
      const { name } = request.params as z.output<typeof TaskNameParams>
      return [
        ...findRenameProblems(name, fields),
        ...(await tasks.findUpdateProblems(request.viewer, name, fields)),
      ]
    },
    errorCodes: ['invalid_prompt', 'prompt_not_found', 'task_owner_removed'],
    summary: 'Update a task; only the sent fields change',
    description: 'A task can be sent as it was read: fields that cannot be changed are ignored.',
    params: TaskNameParams,
    body: UpdateTaskBody,
    response: TaskResponse,
    handler: async (request) => {
      const { name } = request.params
      const renameProblems = findRenameProblems(name, request.body)
      if (renameProblems.length > 0)
        throwIfAnyErrors([
          ...renameProblems,
          ...(await tasks.findUpdateProblems(request.viewer, name, request.body)),
        ])
      const change = toTaskChange(request.body)
      return { task: toApiTask(await tasks.update(request.viewer, name, change)) }
    },
  })

  routes.delete('/tasks/:name', {
    subject: TASK_SUBJECT.edit,
    summary: 'Delete a task with its history',
    description: 'Stops its executions. The usage still includes them.',
    params: TaskNameParams,
    response: TaskActionResponse,
    handler: async (request) => {
      const { name } = request.params
      await tasks.remove(name)
      return { success: true as const, message: `Task deleted: ${name}` }
    },
  })

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    routes.post(`/tasks/:name/${verb}`, {
      subject: TASK_SUBJECT.edit,
      errorCodes: ['task_not_scheduled', 'task_owner_removed'],
      summary: enabled ? 'Enable the schedule of a task' : 'Pause the schedule of a task',
      description:
        'And its trigger. The task must have one of both. Runs on demand work in both cases.',
      params: TaskNameParams,
      response: ChangedTaskResponse,
      handler: async (request) => {
        const { name } = request.params
        const task = await tasks.setEnabled(request.viewer, name, enabled)
        return { success: true as const, message: `Task ${verb}d: ${name}`, task: toApiTask(task) }
      },
    })
  }
}

function findRenameProblems(name: string, fields: UpdateFields): ServiceError[] {
  if (fields.name === undefined || fields.name === name) return []
  const details = [{ path: 'name', message: 'A task cannot be renamed' }]
  return [new ServiceError('invalid_request', { details })]
}

function toTaskChange(body: z.output<typeof UpdateTaskBody>): TaskChange {
  const { promptName, cronExpression, trigger, timezone, enabled, timeout, timeoutMs } = body
  return { promptName, cronExpression, trigger, timezone, enabled, timeoutMs: timeout ?? timeoutMs }
}

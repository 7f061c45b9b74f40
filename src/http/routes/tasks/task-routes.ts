import type { z } from 'zod'
import { ServiceError, throwAll } from '../../../errors.ts'
import type { Executions } from '../../../tasks/executions.ts'
import type { Task } from '../../../tasks/task.ts'
import type { BeforeCommitHook, TaskChange, Tasks } from '../../../tasks/tasks.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { addIdempotentPostRoute } from '../../pipeline/idempotency.ts'
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
  TaskParams,
  TasksResponse,
  TasksQuery,
  SetTaskEnabledResponse,
  UpdateTaskBody,
} from '../../shapes/tasks.ts'
import type { FastifyApp } from '../../fastify-app.ts'

const TAGS = ['Tasks']
const RECENT_EXECUTIONS = 10

type Parts = { tasks: Tasks; executions: Executions }
type UpdateFields = Partial<z.output<typeof UpdateTaskBody>>

/** Reading, changing and running tasks. The routes of executions are in execution-routes.ts. */
export function taskRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const { tasks } = parts
  taskReadRoutes(app, surface, parts)
  createTaskRoute(app, surface, tasks)
  taskChangeRoutes(app, surface, tasks)
  runTaskRoute(app, surface, parts.executions)
}

function taskReadRoutes(app: FastifyApp, surface: ApiSurface, { tasks, executions }: Parts): void {
  const tags = TAGS
  app.get(
    `${surface.prefix}/tasks`,
    {
      config: surface.read,
      schema: {
        summary: 'Tasks by name',
        tags,
        querystring: TasksQuery,
        response: { 200: TasksResponse },
      },
    },
    async (request) => {
      const { scheduled } = request.query
      const list = await tasks.list(scheduled === undefined ? undefined : scheduled === 'true')
      return { tasks: list.map(toApiTask) }
    },
  )
  app.get(
    `${surface.prefix}/tasks/:name`,
    {
      config: surface.read,
      schema: {
        summary: 'A task and its latest executions',
        tags,
        params: TaskParams,
        response: { 200: TaskDetailResponse },
      },
    },
    async (request) => {
      const { name } = request.params
      const task = await tasks.get(name)
      const recent = await executions.history(name, { limit: RECENT_EXECUTIONS, offset: 0 })
      return { task: toApiTask(task), recentExecutions: recent.executions.map(toApiExecution) }
    },
  )
  app.get(
    `${surface.prefix}/tasks/:name/history`,
    {
      config: surface.read,
      schema: {
        summary: 'Executions of a task, newest first',
        tags,
        params: TaskParams,
        querystring: TaskHistoryQuery,
        response: { 200: TaskHistoryResponse },
      },
    },
    async (request) => {
      const { limit, offset = 0 } = request.query
      const page = { limit: resolvePageSize(limit), offset }
      const history = await executions.history(request.params.name, page)
      return {
        executions: history.executions.map(toApiExecutionWithSummary),
        total: history.total,
        ...page,
      }
    },
  )
}

function createTaskRoute(app: FastifyApp, surface: ApiSurface, tasks: Tasks): void {
  addIdempotentPostRoute(app, `${surface.prefix}/tasks`, {
    config: {
      ...surface.change,
      errorCodes: ['prompt_not_found', 'task_exists'],
      findFieldProblems: tasks.findCreateProblems,
    },
    schema: { summary: 'Create a task', tags: TAGS, body: CreateTaskBody },
    status: 201,
    response: TaskResponse,
    run(request, beforeCommit: BeforeCommitHook<Task>) {
      const { name, timeout: timeoutMs, ...settings } = request.body
      return tasks.create(name, { ...settings, timeoutMs }, beforeCommit)
    },
    toResponse: (task) => ({ task: toApiTask(task) }),
  })
}

function taskChangeRoutes(app: FastifyApp, surface: ApiSurface, tasks: Tasks): void {
  const tags = TAGS
  app.put(
    `${surface.prefix}/tasks/:name`,
    {
      config: {
        ...surface.change,
        async findFieldProblems(fields: UpdateFields, { params }) {
          const { name } = params as z.output<typeof TaskParams>
          return [
            ...findRenameProblems(name, fields),
            ...(await tasks.findUpdateProblems(name, fields)),
          ]
        },
      },
      schema: {
        summary: 'Update a task; only the sent fields change',
        tags,
        params: TaskParams,
        body: UpdateTaskBody,
        response: { 200: TaskResponse },
      },
    },
    async (request) => {
      const { name } = request.params
      const renameProblems = findRenameProblems(name, request.body)
      if (renameProblems.length > 0)
        throwAll([...renameProblems, ...(await tasks.findUpdateProblems(name, request.body))])
      return { task: toApiTask(await tasks.update(name, toTaskChange(request.body))) }
    },
  )
  app.delete(
    `${surface.prefix}/tasks/:name`,
    {
      config: surface.change,
      schema: {
        summary: 'Delete a task with its history',
        tags,
        params: TaskParams,
        response: { 200: TaskActionResponse },
      },
    },
    async (request) => {
      const { name } = request.params
      await tasks.remove(name)
      return { success: true as const, message: `Task deleted: ${name}` }
    },
  )
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    app.post(
      `${surface.prefix}/tasks/:name/${verb}`,
      {
        config: surface.change,
        schema: {
          summary: enabled ? 'Enable the schedule of a task' : 'Pause the schedule of a task',
          tags,
          params: TaskParams,
          response: { 200: SetTaskEnabledResponse },
        },
      },
      async (request) => {
        const { name } = request.params
        const task = await tasks.setEnabled(name, enabled)
        return { success: true as const, message: `Task ${verb}d: ${name}`, task: toApiTask(task) }
      },
    )
  }
}

function runTaskRoute(app: FastifyApp, surface: ApiSurface, executions: Executions): void {
  addIdempotentPostRoute(app, `${surface.prefix}/tasks/:name/run`, {
    config: surface.change,
    schema: { summary: 'Run a task now', tags: TAGS, params: TaskParams },
    status: 200,
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

function findRenameProblems(name: string, fields: UpdateFields): ServiceError[] {
  if (fields.name === undefined || fields.name === name) return []
  const details = [{ path: 'name', message: 'A task cannot be renamed' }]
  return [new ServiceError('invalid_request', { details })]
}

function toTaskChange(body: z.output<typeof UpdateTaskBody>): TaskChange {
  const { promptName, cronExpression, timezone, enabled, timeout, timeoutMs } = body
  return { promptName, cronExpression, timezone, enabled, timeoutMs: timeout ?? timeoutMs }
}

import type { z } from 'zod'
import { appendAudit } from '../../../accounts/audit.ts'
import { ServiceError, throwIfAnyErrors } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Executions } from '../../../tasks/executions/executions.ts'
import type { Task } from '../../../tasks/task.ts'
import type { BeforeCommitHook, TaskChange, Tasks } from '../../../tasks/tasks.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor, requireViewer } from '../../pipeline/access/caller.ts'
import { TASK_SUBJECT } from '../../pipeline/access/subject-access.ts'
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
  TaskNameParams,
  TasksResponse,
  TasksQuery,
  ChangedTaskResponse,
  UpdateTaskBody,
} from '../../shapes/tasks.ts'

const TAGS = ['Tasks']
const RECENT_EXECUTIONS = 10
const BUDGET_ERRORS = ['too_many_executions', 'over_budget'] as const

type Parts = { tasks: Tasks; executions: Executions; clock: Clock }
type UpdateFields = Partial<z.output<typeof UpdateTaskBody>>

/** Reading, changing and running tasks. Routes for executions are in execution-routes.ts. */
export function taskRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const { tasks } = parts
  taskReadRoutes(app, surface, parts)
  createTaskRoute(app, surface, tasks)
  taskChangeRoutes(app, surface, tasks)
  takeOverTaskRoute(app, surface, parts)
  runTaskRoute(app, surface, parts.executions)
}

function taskReadRoutes(app: FastifyApp, surface: ApiSurface, { tasks, executions }: Parts): void {
  const tags = TAGS
  app.get(
    `${surface.prefix}/tasks`,
    {
      config: { ...surface.read, subject: 'list' },
      schema: {
        summary: 'Tasks by name',
        description: 'All tasks, or only those with or without a schedule.',
        tags,
        querystring: TasksQuery,
        response: { 200: TasksResponse },
      },
    },
    async (request) => {
      const { scheduled } = request.query
      const list = await tasks.list(
        requireViewer(request),
        scheduled === undefined ? undefined : scheduled === 'true',
      )
      return { tasks: list.map(toApiTask) }
    },
  )
  app.get(
    `${surface.prefix}/tasks/:name`,
    {
      config: {
        ...surface.read,
        subject: TASK_SUBJECT.read,
        errorCodes: ['task_not_found'],
      },
      schema: {
        summary: 'A task and its latest executions',
        description: 'The ten most recent executions, newest first.',
        tags,
        params: TaskNameParams,
        response: { 200: TaskDetailResponse },
      },
    },
    async (request) => {
      const { name } = request.params
      const task = await tasks.get(name)
      const page = { limit: RECENT_EXECUTIONS, offset: 0 }
      const recent = await executions.history(requireViewer(request), name, page)
      return { task: toApiTask(task), recentExecutions: recent.executions.map(toApiExecution) }
    },
  )
  app.get(
    `${surface.prefix}/tasks/:name/history`,
    {
      config: {
        ...surface.read,
        subject: TASK_SUBJECT.read,
        errorCodes: ['task_not_found'],
      },
      schema: {
        summary: 'Executions of a task, newest first',
        description: 'Page by page, with `limit` and `offset`.',
        tags,
        params: TaskNameParams,
        querystring: TaskHistoryQuery,
        response: { 200: TaskHistoryResponse },
      },
    },
    async (request) => {
      const { limit, offset = 0 } = request.query
      const page = { limit: resolvePageSize(limit), offset }
      const history = await executions.history(requireViewer(request), request.params.name, page)
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
      subject: ['list', TASK_SUBJECT.project],
      errorCodes: ['invalid_prompt', 'prompt_not_found', 'task_exists'],
      findFieldProblems: tasks.findCreateProblems,
    },
    schema: {
      summary: 'Create a task',
      description:
        'With `cronExpression` it runs on a schedule, with `trigger` when something happens, without both only on demand.',
      tags: TAGS,
      body: CreateTaskBody,
    },
    status: 201,
    response: TaskResponse,
    run(request, beforeCommit: BeforeCommitHook<Task>) {
      const { name, timeout: timeoutMs, ...settings } = request.body
      return tasks.create(requireViewer(request), name, { ...settings, timeoutMs }, beforeCommit)
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
        subject: TASK_SUBJECT.edit,
        errorCodes: ['invalid_prompt', 'task_not_found', 'prompt_not_found', 'task_owner_removed'],
        async findFieldProblems(fields: UpdateFields, request) {
          const { name } = request.params as z.output<typeof TaskNameParams>
          return [
            ...findRenameProblems(name, fields),
            ...(await tasks.findUpdateProblems(requireViewer(request), name, fields)),
          ]
        },
      },
      schema: {
        summary: 'Update a task; only the sent fields change',
        description:
          'A task can be sent as it was read: fields that cannot be changed are ignored.',
        tags,
        params: TaskNameParams,
        body: UpdateTaskBody,
        response: { 200: TaskResponse },
      },
    },
    async (request) => {
      const { name } = request.params
      const renameProblems = findRenameProblems(name, request.body)
      if (renameProblems.length > 0)
        throwIfAnyErrors([
          ...renameProblems,
          ...(await tasks.findUpdateProblems(requireViewer(request), name, request.body)),
        ])
      const change = toTaskChange(request.body)
      return { task: toApiTask(await tasks.update(requireViewer(request), name, change)) }
    },
  )
  app.delete(
    `${surface.prefix}/tasks/:name`,
    {
      config: {
        ...surface.change,
        subject: TASK_SUBJECT.edit,
        errorCodes: ['task_not_found'],
      },
      schema: {
        summary: 'Delete a task with its history',
        description: 'Stops its executions. The usage still includes them.',
        tags,
        params: TaskNameParams,
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
        config: {
          ...surface.change,
          subject: TASK_SUBJECT.edit,
          errorCodes: ['task_not_scheduled', 'task_not_found', 'task_owner_removed'],
        },
        schema: {
          summary: enabled ? 'Enable the schedule of a task' : 'Pause the schedule of a task',
          description:
            'And its trigger. The task must have one of both. Runs on demand work in both cases.',
          tags,
          params: TaskNameParams,
          response: { 200: ChangedTaskResponse },
        },
      },
      async (request) => {
        const { name } = request.params
        const task = await tasks.setEnabled(requireViewer(request), name, enabled)
        return { success: true as const, message: `Task ${verb}d: ${name}`, task: toApiTask(task) }
      },
    )
  }
}

function takeOverTaskRoute(app: FastifyApp, surface: ApiSurface, { tasks, clock }: Parts): void {
  app.post(
    `${surface.prefix}/tasks/:name/take-over`,
    {
      config: {
        ...surface.change,
        subject: TASK_SUBJECT.edit,
        errorCodes: ['task_not_found'],
      },
      schema: {
        summary: 'Let a task run with your rights',
        description:
          'A task runs with the rights of the user who created it. After that user was removed it is disabled and does not run until someone takes it over and enables it.',
        tags: TAGS,
        params: TaskNameParams,
        response: { 200: ChangedTaskResponse },
      },
    },
    async (request) => {
      const { name } = request.params
      const actor = readAuditActor(request)
      const task = await tasks.takeOver(
        requireViewer(request),
        name,
        (tx, { taskId, previousOwnerId }) =>
          appendAudit(tx, clock.now(), actor, 'task taken over', taskId, previousOwnerId),
      )
      return { success: true as const, message: `Task taken over: ${name}`, task: toApiTask(task) }
    },
  )
}

function runTaskRoute(app: FastifyApp, surface: ApiSurface, executions: Executions): void {
  addIdempotentPostRoute(app, `${surface.prefix}/tasks/:name/run`, {
    config: {
      ...surface.change,
      subject: TASK_SUBJECT.edit,
      errorCodes: [
        'invalid_prompt',
        'task_not_found',
        'prompt_not_found',
        'task_owner_removed',
        ...BUDGET_ERRORS,
      ],
    },
    schema: {
      summary: 'Run a task now',
      description:
        'Returns when the execution has started or is queued, not when it ends; read its outcome from the execution.',
      tags: TAGS,
      params: TaskNameParams,
    },
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
  const { promptName, cronExpression, trigger, timezone, enabled, timeout, timeoutMs } = body
  return { promptName, cronExpression, trigger, timezone, enabled, timeoutMs: timeout ?? timeoutMs }
}

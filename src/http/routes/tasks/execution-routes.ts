import type { Viewer } from '../../../access/viewer.ts'
import type { TasksArea } from '../../../tasks/area.ts'
import type { RecentTaskExecutions } from '../../../tasks/executions/execution-reads.ts'
import {
  parseOutputPosition,
  OUTPUT_START_POSITION,
  formatOutputPosition,
  type OutputStreamItem,
} from '../../../tasks/running/live-output.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { type ApiSurface, MEETING_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { EXECUTION_SUBJECT, TASK_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  readLastEventId,
  type SseSender,
  type SseMessageOrHeartbeat,
} from '../../pipeline/event-streams.ts'
import {
  toApiFullExecution,
  toApiExecutionWithSummary,
  toApiPrompt,
} from '../../shapes/task-mapping.ts'
import {
  CancelExecutionResponse,
  ExecutionResponse,
  ExecutionStreamQuery,
  PromptsResponse,
  RecentExecutionsResponse,
  RecentExecutionsQuery,
  TaskNameParams,
} from '../../shapes/tasks.ts'

type Parts = { area: TasksArea; streams: SseSender }

type TaskFigureRoutesParts = {
  figures(viewer: Viewer, names: readonly string[]): Promise<RecentTaskExecutions[]>
}

/** Routes that read, stream and cancel executions of tasks, and that list the prompts. */
export function executionReadAndCancelRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { area, streams }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Tasks')

  const { executions } = area

  routes.post('/tasks/:name/executions/:executionId/cancel', {
    subject: [TASK_SUBJECT.edit, EXECUTION_SUBJECT],
    errorCodes: ['execution_over'],
    summary: 'Cancel a running or queued execution',
    description: 'It ends as `failed`.',
    params: TaskNameParams,
    response: CancelExecutionResponse,
    handler: async (request) => {
      const { name, executionId } = request.params
      const cancelled = await executions.cancel(request.viewer, name, executionId)
      const execution = toApiExecutionWithSummary(cancelled)
      return { success: true as const, message: `Execution cancelled: ${executionId}`, execution }
    },
  })

  routes.get('/executions/:executionId', {
    subject: EXECUTION_SUBJECT,
    summary: 'One execution, with its prompt and its whole output',
    description: 'While it runs, the answer has the output so far.',
    response: ExecutionResponse,
    handler: async (request) => {
      const { executionId } = request.params
      const execution = await executions.get(request.viewer, executionId)
      return { execution: toApiFullExecution(execution) }
    },
  })

  routes.get('/executions/:executionId/stream', {
    subject: EXECUTION_SUBJECT,
    produces: 'text/event-stream',
    streamExample: 'id: 120-9f86d081884c\nevent: text\ndata: {"text":"The budget"}\n\n',
    summary: 'The output of an execution while it runs (server-sent events)',
    description:
      'Messages `text` with more output, `reset` to discard the output so far, and `end` with the status.',
    query: ExecutionStreamQuery,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { executionId } = request.params
      await executions.get(request.viewer, executionId)
      const after =
        readLastEventId(request, parseOutputPosition) ??
        parseOutputPosition(request.query.after ?? '') ??
        OUTPUT_START_POSITION
      return streams.send(request, reply, (signal) =>
        toStreamMessages(area.streamOutput(executionId, after, signal)),
      )
    },
  })

  routes.get('/prompts', {
    subject: 'none',
    summary: 'Prompts by name, with the problems that prevent them from running',
    description: 'A prompt is a file in the folder scheduled-prompts of the instance.',
    response: PromptsResponse,
    handler: async () => ({ prompts: (await area.listPrompts()).map(toApiPrompt) }),
  })
}

async function* toStreamMessages(
  items: AsyncIterable<OutputStreamItem>,
): AsyncGenerator<SseMessageOrHeartbeat> {
  for await (const item of items) yield item === null ? null : toStreamMessage(item)
}

function toStreamMessage(item: Exclude<OutputStreamItem, null>): SseMessageOrHeartbeat {
  if (item.kind === 'text') {
    const { position, text } = item
    return { id: formatOutputPosition(position), event: 'text', data: JSON.stringify({ text }) }
  }
  if (item.kind === 'reset')
    return { id: formatOutputPosition(OUTPUT_START_POSITION), event: 'reset', data: '{}' }
  const { status, summary } = item
  return { event: 'end', data: JSON.stringify({ status, resultSummary: summary }) }
}

/** Recent executions for the charts of the task list. Not below /tasks, where any word can be a task name. */
export function recentTaskExecutionRoutes(
  app: FastifyApp,
  { figures }: TaskFigureRoutesParts,
): void {
  const routes = defineRoutes(app, MEETING_SURFACES.consoleApi)

  routes.get('/task-figures', {
    subject: 'list',
    query: RecentExecutionsQuery,
    response: RecentExecutionsResponse,
    handler: async (request) => ({ figures: await figures(request.viewer, request.query.of) }),
  })
}

import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../errors.ts'
import type { TasksArea } from '../../../tasks/area.ts'
import {
  parseOutputPosition,
  OUTPUT_START,
  formatOutputPosition,
} from '../../../tasks/running/output-position.ts'
import type { OutputStreamItem } from '../../../tasks/running/output-stream.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import type { EventStreams, SseMessage } from '../../pipeline/event-streams.ts'
import { toFullExecution, toPastExecution, toListedPrompt } from '../../shapes/task-mapping.ts'
import {
  CancelExecutionResponse,
  ExecutionResponse,
  ExecutionParams,
  ExecutionStreamQuery,
  PromptsResponse,
  TaskExecutionParams,
} from '../../shapes/tasks.ts'
import type { FastifyApp } from '../../fastify-app.ts'

type Parts = { area: TasksArea; streams: EventStreams }

/** What becomes of the runs of tasks, and the prompts they read. */
export function executionRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { area, streams }: Parts,
): void {
  const { executions } = area
  const tags = ['Tasks']

  app.post(
    `${surface.prefix}/tasks/:name/executions/:executionId/cancel`,
    {
      config: { ...surface.change, errorCodes: ['execution_not_found', 'execution_over'] },
      schema: {
        summary: 'Stop an execution that runs or waits',
        tags,
        params: TaskExecutionParams,
        response: { 200: CancelExecutionResponse },
      },
    },
    async (request) => {
      const { name, executionId } = request.params
      const execution = toPastExecution(await executions.cancel(name, executionId))
      return { success: true as const, message: `Execution cancelled: ${executionId}`, execution }
    },
  )
  app.get(
    `${surface.prefix}/executions/:executionId`,
    {
      config: surface.read,
      schema: {
        summary: 'One execution, with its prompt and all of its output',
        tags,
        params: ExecutionParams,
        response: { 200: ExecutionResponse },
      },
    },
    async (request) => ({
      execution: toFullExecution(await executions.get(request.params.executionId)),
    }),
  )
  app.get(
    `${surface.prefix}/executions/:executionId/stream`,
    {
      config: { ...surface.read, produces: 'text/event-stream' },
      exposeHeadRoute: false,
      schema: {
        summary: 'What an execution says while it says it (server-sent events)',
        tags,
        params: ExecutionParams,
        querystring: ExecutionStreamQuery,
      },
    },
    async (request, reply) => {
      const { executionId } = request.params
      await executions.get(executionId)
      const after =
        parseOutputPosition(readLastEventId(request) ?? request.query.after ?? '') ?? OUTPUT_START
      return streams.send(request, reply, (signal) =>
        toStreamMessages(area.streamOutput(executionId, after, signal)),
      )
    },
  )
  app.get(
    `${surface.prefix}/prompts`,
    {
      config: surface.read,
      schema: {
        summary: 'Prompts by name, with what keeps them from running',
        tags,
        response: { 200: PromptsResponse },
      },
    },
    async () => ({ prompts: (await area.listPrompts()).map(toListedPrompt) }),
  )
}

async function* toStreamMessages(
  pieces: AsyncIterable<OutputStreamItem>,
): AsyncGenerator<SseMessage> {
  for await (const piece of pieces) yield piece === null ? null : toStreamMessage(piece)
}

function toStreamMessage(piece: Exclude<OutputStreamItem, null>): SseMessage {
  if (piece.kind === 'text') {
    const { position, text } = piece
    return { id: formatOutputPosition(position), event: 'text', data: JSON.stringify({ text }) }
  }
  if (piece.kind === 'reset')
    return { id: formatOutputPosition(OUTPUT_START), event: 'reset', data: '{}' }
  const { status, summary } = piece
  return { event: 'end', data: JSON.stringify({ status, resultSummary: summary }) }
}

function readLastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  if (typeof id !== 'string' || id === '') return undefined
  if (parseOutputPosition(id) !== null) return id
  throw new ServiceError('invalid_request', {
    details: [{ path: 'Last-Event-ID', message: 'Must be the id of an event of this stream' }],
  })
}

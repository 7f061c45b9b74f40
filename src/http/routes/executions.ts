import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { TasksArea } from '../../tasks/area.ts'
import { readPosition, START, writePosition } from '../../tasks/position.ts'
import type { Piece } from '../../tasks/watch.ts'
import type { Door } from '../doors.ts'
import type { EventStreams, Message } from '../event-stream.ts'
import { toFullExecution, toPastExecution, toPrompt } from '../shapes/task-wire.ts'
import {
  CancelAnswer,
  ExecutionAnswer,
  ExecutionParams,
  ExecutionStreamQuery,
  PromptsAnswer,
  TaskExecutionParams,
} from '../shapes/tasks.ts'
import type { App } from '../type-provider.ts'

type Parts = { area: TasksArea; streams: EventStreams }

/** What becomes of the runs of tasks, and the prompts they read. */
export function executionRoutes(app: App, door: Door, { area, streams }: Parts): void {
  const { executions } = area
  const tags = ['Tasks']

  app.post(
    `${door.prefix}/tasks/:name/executions/:executionId/cancel`,
    {
      config: { ...door.change, mayFail: ['execution_not_found', 'execution_over'] },
      schema: {
        summary: 'Stop an execution that runs or waits',
        tags,
        params: TaskExecutionParams,
        response: { 200: CancelAnswer },
      },
    },
    async (request) => {
      const { name, executionId } = request.params
      const execution = toPastExecution(await executions.cancel(name, executionId))
      return { success: true as const, message: `Execution cancelled: ${executionId}`, execution }
    },
  )
  app.get(
    `${door.prefix}/executions/:executionId`,
    {
      config: door.read,
      schema: {
        summary: 'One execution, with its prompt and all of its output',
        tags,
        params: ExecutionParams,
        response: { 200: ExecutionAnswer },
      },
    },
    async (request) => ({
      execution: toFullExecution(await executions.get(request.params.executionId)),
    }),
  )
  app.get(
    `${door.prefix}/executions/:executionId/stream`,
    {
      config: { ...door.read, produces: 'text/event-stream' },
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
      const after = readPosition(lastEventId(request) ?? request.query.after ?? '') ?? START
      return streams.send(request, reply, (signal) =>
        toMessages(area.watch(executionId, after, signal)),
      )
    },
  )
  app.get(
    `${door.prefix}/prompts`,
    {
      config: door.read,
      schema: {
        summary: 'Prompts by name, with what keeps them from running',
        tags,
        response: { 200: PromptsAnswer },
      },
    },
    async () => ({ prompts: (await area.prompts()).map(toPrompt) }),
  )
}

async function* toMessages(pieces: AsyncIterable<Piece>): AsyncGenerator<Message> {
  for await (const piece of pieces) yield piece === null ? null : toMessage(piece)
}

function toMessage(piece: Exclude<Piece, null>): Message {
  if (piece.kind === 'text') {
    const { position, text } = piece
    return { id: writePosition(position), event: 'text', data: JSON.stringify({ text }) }
  }
  if (piece.kind === 'reset') return { id: writePosition(START), event: 'reset', data: '{}' }
  const { status, summary } = piece
  return { event: 'end', data: JSON.stringify({ status, resultSummary: summary }) }
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  if (typeof id !== 'string' || id === '') return undefined
  if (readPosition(id) !== null) return id
  throw new ServiceError('invalid_request', {
    details: [{ path: 'Last-Event-ID', message: 'Must be the id of an event of this stream' }],
  })
}

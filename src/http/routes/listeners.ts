import type { FastifyRequest } from 'fastify'
import type { Handed, Listeners } from '../../deliveries/listeners.ts'
import type { Copy, Taps, Wanted } from '../../deliveries/taps.ts'
import { TEST_TYPE } from '../../deliveries/test-call.ts'
import { ServiceError } from '../../errors.ts'
import { createOutbox, merge } from '../../lib/merge.ts'
import { isPosition } from '../../meetings/event-log.ts'
import type { EventStreams, Message } from '../event-stream.ts'
import { ListenerAnswerBody, ListenerParams } from '../shapes/deliveries.ts'
import { AllStreamQuery } from '../shapes/events.ts'
import { ListenerAnswered } from '../shapes/listeners.ts'
import type { Door } from '../doors.ts'
import type { App } from '../type-provider.ts'

type Parts = {
  listeners: Listeners
  taps: Taps
  /** The position behind which everything is that will be stored from now on. */
  present(): Promise<string>
  streams: EventStreams
  /** What waits for this listener is due now. */
  callLanes(name: string): Promise<void>
}

/** What a listener says for its receiver about an event that it did not ask for. */
const LEFT_OUT = {
  status: 204,
  error: null,
  answer: 'Left out: the listener asked for other events',
  durationMs: 0,
}

/** Callbacks for a developer's own machine, over a stream that it opens itself. */
export function listenerRoutes(app: App, door: Door, parts: Parts): void {
  const { listeners, taps, streams } = parts
  const tags = ['Deliveries']

  app.get(
    `${door.prefix}/listeners/:name/stream`,
    {
      config: { ...door.change, produces: 'text/event-stream' },
      // It would be a listener that throws away what it is handed.
      exposeHeadRoute: false,
      schema: {
        summary: 'Callbacks as server-sent events, for `hansard listen`',
        description:
          'Those of meetings that were started with `listen:NAME` wait for an answer; of all other meetings there are copies. The id of a message is where to go on after a break.',
        tags,
        params: ListenerParams,
        querystring: AllStreamQuery,
      },
    },
    async (request, reply) => {
      const { name } = request.params
      const { after, events, meeting } = request.query
      if (meeting !== undefined && !(await taps.hasMeeting(meeting))) {
        throw new ServiceError('meeting_not_found')
      }
      const position = lastPosition(request) ?? after ?? (await parts.present())
      await parts.callLanes(name)
      return streams.send(request, reply, (signal) =>
        callbacks(parts, request, { name, position, events, meeting }, signal),
      )
    },
  )

  app.post(
    `${door.prefix}/listeners/:name/answers`,
    {
      config: { ...door.change, takesAnyText: true },
      schema: {
        summary: 'What the receiver behind a listener answered to a callback',
        tags,
        params: ListenerParams,
        body: ListenerAnswerBody,
        response: { 200: ListenerAnswered },
      },
    },
    async (request) => {
      const { deliveryId, ...answer } = request.body
      listeners.answer(deliveryId, answer)
      return { success: true as const }
    },
  )
}

type Asked = Wanted & { name: string; position: string }

async function* callbacks(
  { listeners, taps }: Parts,
  request: FastifyRequest,
  { name, position, events, meeting }: Asked,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  const outbox = createOutbox<Message>()
  const isWanted = (type: string) => type === TEST_TYPE || (events?.includes(type) ?? true)
  // Before anything happens the client knows from where to go on.
  yield { id: position, event: 'open', data: JSON.stringify({ name }) }
  if (signal.aborted) return
  using listener = listeners.open(name, {
    hand(handed) {
      if (isWanted(handed.headers['x-service-event'] ?? '')) outbox.push(toMessage(handed, null))
      else listeners.answer(handed.deliveryId, LEFT_OUT)
    },
    drop: () => request.raw.socket.destroy(),
  })
  // At once, even while the last message is still on its way: nothing may be handed to who is gone.
  signal.addEventListener('abort', () => listener[Symbol.dispose](), { once: true })
  const copies = taps.copies(name, { events, meeting }, position, signal)
  for await (const item of merge(copies, outbox)) {
    yield isCopy(item) ? toMessage(item.callback, item.position) : item
  }
}

function isCopy(item: Copy | Message): item is Copy {
  return item !== null && 'callback' in item
}

function toMessage(handed: Handed, position: string | null): Message {
  const data = JSON.stringify({ ...handed, isAnswerWanted: position === null })
  return { id: position, event: 'callback', data }
}

function lastPosition({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && isPosition(id)) return id
  const message = 'Must be the id of a message of this stream'
  throw new ServiceError('invalid_request', { details: [{ path: 'Last-Event-ID', message }] })
}

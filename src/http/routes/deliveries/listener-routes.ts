import type { FastifyRequest } from 'fastify'
import type { ListenedCallback, Listeners } from '../../../deliveries/listeners/listeners.ts'
import type {
  CallbackCopy,
  CallbackCopies,
  CopyFilter,
} from '../../../deliveries/listeners/callback-copies.ts'
import { TEST_EVENT_TYPE } from '../../../deliveries/test-call.ts'
import { ServiceError } from '../../../errors.ts'
import { createPushQueue, mergeWithQueue } from '../../../lib/async/merge-streams.ts'
import { isEventPosition } from '../../../meetings/reading/event-log.ts'
import type { EventStreams, SseMessage } from '../../pipeline/event-streams.ts'
import {
  ListenerParams,
  ReceiverResponseAccepted,
  ReceiverResponseBody,
} from '../../shapes/deliveries.ts'
import { AllEventsStreamQuery } from '../../shapes/events.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import type { FastifyApp } from '../../fastify-app.ts'

type Parts = {
  listeners: Listeners
  taps: CallbackCopies
  /** The position behind which everything is that will be stored from now on. */
  present(): Promise<string>
  streams: EventStreams
  /** What waits for this listener is due now. */
  callLanes(name: string): Promise<void>
}

/** What a listener says for its receiver about an event that it did not ask for. */
const FILTERED_OUT_RESPONSE = {
  status: 204,
  error: null,
  answer: 'Left out: the listener asked for other events',
  durationMs: 0,
}

/** Callbacks for a developer's own machine, over a stream that it opens itself. */
export function listenerRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const { listeners, taps, streams } = parts
  const tags = ['Deliveries']

  app.get(
    `${surface.prefix}/listeners/:name/stream`,
    {
      config: { ...surface.change, produces: 'text/event-stream' },
      // It would be a listener that throws away what it is handed.
      exposeHeadRoute: false,
      schema: {
        summary: 'Callbacks as server-sent events, for `hansard listen`',
        description:
          'Those of meetings that were started with `listen:NAME` wait for an answer; of all other meetings there are copies. The id of a message is where to go on after a break.',
        tags,
        params: ListenerParams,
        querystring: AllEventsStreamQuery,
      },
    },
    async (request, reply) => {
      const { name } = request.params
      const { after, events, meeting } = request.query
      if (meeting !== undefined && !(await taps.hasMeeting(meeting))) {
        throw new ServiceError('meeting_not_found')
      }
      const position = readLastPosition(request) ?? after ?? (await parts.present())
      await parts.callLanes(name)
      return streams.send(request, reply, (signal) =>
        streamCallbacks(parts, request, { name, position, events, meeting }, signal),
      )
    },
  )

  app.post(
    `${surface.prefix}/listeners/:name/answers`,
    {
      config: { ...surface.change, allowsUnstorableText: true },
      schema: {
        summary: 'What the receiver behind a listener answered to a callback',
        tags,
        params: ListenerParams,
        body: ReceiverResponseBody,
        response: { 200: ReceiverResponseAccepted },
      },
    },
    async (request) => {
      const { deliveryId, ...answer } = request.body
      listeners.reportAnswer(deliveryId, answer)
      return { success: true as const }
    },
  )
}

type ListenerSubscription = CopyFilter & { name: string; position: string }

async function* streamCallbacks(
  { listeners, taps }: Parts,
  request: FastifyRequest,
  { name, position, events, meeting }: ListenerSubscription,
  signal: AbortSignal,
): AsyncGenerator<SseMessage> {
  const outbox = createPushQueue<SseMessage>()
  const isWanted = (type: string) => type === TEST_EVENT_TYPE || (events?.includes(type) ?? true)
  // Before anything happens the client knows from where to go on.
  yield { id: position, event: 'open', data: JSON.stringify({ name }) }
  if (signal.aborted) return
  using listener = listeners.connect(name, {
    send(handed) {
      if (isWanted(handed.headers['x-service-event'] ?? ''))
        outbox.push(toStreamMessage(handed, null))
      else listeners.reportAnswer(handed.deliveryId, FILTERED_OUT_RESPONSE)
    },
    disconnect: () => request.raw.socket.destroy(),
  })
  // At once, even while the last message is still on its way: nothing may be handed to who is gone.
  signal.addEventListener('abort', () => listener[Symbol.dispose](), { once: true })
  const copies = taps.stream(name, { events, meeting }, position, signal)
  for await (const item of mergeWithQueue(copies, outbox)) {
    yield isCopy(item) ? toStreamMessage(item.callback, item.position) : item
  }
}

function isCopy(item: CallbackCopy | SseMessage): item is CallbackCopy {
  return item !== null && 'callback' in item
}

function toStreamMessage(handed: ListenedCallback, position: string | null): SseMessage {
  const data = JSON.stringify({ ...handed, isAnswerWanted: position === null })
  return { id: position, event: 'callback', data }
}

function readLastPosition({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && isEventPosition(id)) return id
  const message = 'Must be the id of a message of this stream'
  throw new ServiceError('invalid_request', { details: [{ path: 'Last-Event-ID', message }] })
}

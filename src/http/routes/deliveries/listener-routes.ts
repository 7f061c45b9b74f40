import type { FastifyRequest } from 'fastify'
import type {
  ListenerCaller,
  CallbackCopy,
  CallbackCopyStreamer,
  CallbackCopyFilter,
} from '../../../deliveries/callback-copies.ts'
import type {
  CallbackForListener,
  ListenerConnections,
  ListenerStream,
} from '../../../deliveries/listeners.ts'
import { TEST_EVENT_TYPE } from '../../../deliveries/test-callback.ts'
import { ServiceError } from '../../../errors.ts'
import { createPushQueue, mergeWithQueue } from '../../../lib/async/queues.ts'
import { isEventPosition } from '../../../meetings/reading/event-log.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  readLastEventId,
  type SseSender,
  type SseMessageOrHeartbeat,
} from '../../pipeline/event-streams.ts'
import {
  ListenerParams,
  ReceiverAnswerReportResponse,
  ReceiverAnswerReportBody,
} from '../../shapes/deliveries.ts'
import { AllEventsStreamQuery } from '../../shapes/meetings/events.ts'

type Parts = {
  listeners: ListenerConnections
  copies: CallbackCopyStreamer
  /** A position in the stream of all events. Every event stored from now on comes after it. */
  currentPosition(): Promise<string>
  streams: SseSender
  createAnswerAccess(
    getCaller: () => ListenerCaller,
  ): Pick<ListenerStream, 'mayAnswer' | 'ownsToken'>
  /** Makes the lanes due that wait for this listener. */
  makeLanesDue(name: string): Promise<void>
}

/** The response for events that the listener filters out. They are treated as delivered. */
const FILTERED_OUT_RESPONSE = {
  status: 204,
  error: null,
  answer: 'Skipped: the listener does not subscribe to this event type',
  durationMs: 0,
}

/** Sends callbacks to a developer's machine over a stream that the machine opens. */
export function listenerRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Deliveries')

  const { listeners, copies, streams } = parts

  routes.get('/listeners/:name/stream', {
    allows: 'change',
    subject: ['list', MEETING_SUBJECT.filter],
    produces: 'text/event-stream',
    summary: 'Callbacks as server-sent events, for `hansard listen`',
    description:
      'Callbacks of meetings that the same person or token started with `listen:NAME` wait for a response, if the caller may edit their project; callbacks of all other meetings are copies. Send the id of the last message as Last-Event-ID to resume the stream.',
    params: ListenerParams,
    query: AllEventsStreamQuery,
    // A HEAD request would connect a listener that drops its callbacks.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { name } = request.params
      const { after, events, meeting } = request.query
      if (meeting !== undefined && !(await copies.hasMeeting(meeting))) {
        throw new ServiceError('meeting_not_found')
      }
      const lastPosition = readLastEventId(request, (id) => (isEventPosition(id) ? id : null))
      const position = lastPosition ?? after ?? (await parts.currentPosition())
      await parts.makeLanesDue(name)
      return streams.send(request, reply, (signal) =>
        streamCallbacks(parts, request, { name, position, events, meeting }, signal),
      )
    },
  })

  routes.post('/listeners/:name/answers', {
    subject: 'own',
    allowsUnstorableText: true,
    summary: 'Report the response of the receiver to a callback',
    description:
      'Ignored when the service no longer waits for it, or sent the callback to another caller.',
    params: ListenerParams,
    body: ReceiverAnswerReportBody,
    response: ReceiverAnswerReportResponse,
    handler: async (request) => {
      const { deliveryId, ...answer } = request.body
      listeners.reportAnswer(deliveryId, readCallerName(request), answer)
      return { success: true as const }
    },
  })
}

type ListenerSubscription = CallbackCopyFilter & { name: string; position: string }

async function* streamCallbacks(
  { listeners, copies, createAnswerAccess }: Parts,
  request: ApiRequest,
  { name, position, events, meeting }: ListenerSubscription,
  signal: AbortSignal,
): AsyncGenerator<SseMessageOrHeartbeat> {
  const getViewer = () => request.viewer
  const caller = readCallerName(request)
  const access = createAnswerAccess(() => ({
    viewer: getViewer(),
    tokenId: request.token?.id ?? null,
  }))
  const outbox = createPushQueue<SseMessageOrHeartbeat>()
  const isWanted = (type: string) => type === TEST_EVENT_TYPE || (events?.includes(type) ?? true)
  // The first message has the resume position, so that the client can resume before any callback.
  yield { id: position, event: 'open', data: JSON.stringify({ name }) }
  if (signal.aborted) return
  using listener = listeners.connect(name, {
    ...access,
    caller,
    send(callback) {
      if (isWanted(callback.headers['x-service-event'] ?? ''))
        outbox.push(toStreamMessage(callback, null))
      else listeners.reportAnswer(callback.deliveryId, caller, FILTERED_OUT_RESPONSE)
    },
    disconnect: () => request.raw.socket.destroy(),
  })

  // Disconnects immediately, even while a message is being written, because a lost client must get no callbacks.
  signal.addEventListener('abort', () => listener[Symbol.dispose](), { once: true })
  const copied = copies.stream(
    getViewer,
    { name, mayAnswer: access.mayAnswer },
    { events, meeting },
    position,
    signal,
  )
  for await (const item of mergeWithQueue(copied, outbox)) {
    yield isCopy(item) ? toStreamMessage(item.callback, item.position) : item
  }
}

/** The user or token of a request, which identifies the caller on all nodes. */
function readCallerName(request: FastifyRequest): string {
  return readAuditActor(request).name
}

function isCopy(item: CallbackCopy | SseMessageOrHeartbeat): item is CallbackCopy {
  return item !== null && 'callback' in item
}

function toStreamMessage(
  callback: CallbackForListener,
  position: string | null,
): SseMessageOrHeartbeat {
  const data = JSON.stringify({ ...callback, isAnswerWanted: position === null })
  return { id: position, event: 'callback', data }
}

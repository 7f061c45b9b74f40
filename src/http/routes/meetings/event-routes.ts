import {
  type EventLog,
  type EventStreamMessage,
  isEventPosition,
} from '../../../meetings/reading/event-log.ts'
import { CONTENT_CHANGE_TYPES } from '../../../meetings/reading/feed.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  readLastEventId,
  type SseSender,
  type SseMessageOrHeartbeat,
} from '../../pipeline/event-streams.ts'
import {
  AllEventsStreamQuery,
  DEFAULT_EVENT_LIMIT,
  EventsResponse,
  EventsQuery,
  MeetingEventStreamQuery,
} from '../../shapes/meetings/events.ts'

const MAX_EVENTS = 1_000
const MAX_WAIT_SECONDS = 25

type Parts = { eventLog: EventLog; streams: SseSender }

const produces = 'text/event-stream'

/** Reads events without callbacks: as a page, as a page that waits for events (long polling), or as a stream. */
export function eventRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { eventLog, streams }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  const isForSurface = ({ type }: EventStreamMessage) =>
    surface.isConsole || !CONTENT_CHANGE_TYPES.some((change) => change === type)

  routes.get('/meetings/:meetingId/events', {
    subject: MEETING_SUBJECT.read,
    summary: 'Events of a meeting, with the same bytes as their callbacks',
    description:
      'Stored events in the order of their sequence. With `wait` the response comes as soon as there is an event after `after`, or with an empty list when the wait or the meeting ends.',
    query: EventsQuery,
    response: EventsResponse,
    handler: async (request, reply) => {
      const { after = 0, limit = DEFAULT_EVENT_LIMIT, wait = 0 } = request.query
      const query = {
        meetingId: request.params.meetingId,
        after,
        limit: Math.min(limit, MAX_EVENTS),
        waitMs: Math.min(wait, MAX_WAIT_SECONDS) * 1000,
      }
      const rows = await eventLog.read(query, streams.abortSignalFor(reply))
      // The caller may have lost access during the wait.
      if (wait > 0) await streams.requireStillAllowed(request)
      // Sends the stored bytes, so that they equal the signed bytes of the callback.
      const body = `{"events":[${rows.map(({ body: text }) => text).join(',')}]}`
      return reply.type('application/json; charset=utf-8').send(body)
    },
  })

  routes.get('/meetings/:meetingId/events/stream', {
    subject: MEETING_SUBJECT.read,
    produces,
    emptyResponses: { 204: 'The meeting has ended and there are no more events' },
    summary: 'Events of a meeting as they happen (server-sent events), including partial captions',
    description:
      'Each event is one message: `id` is its sequence, `event` its type, `data` the body of its callback. The stream ends with the last event of the meeting.',
    query: MeetingEventStreamQuery,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { meetingId } = request.params
      const after = readLastEventId(request, parseSequence) ?? request.query.after ?? 0
      // A 204 stops a browser from reconnecting to a stream without further events.
      if (!(await eventLog.mayHaveEventsAfter(meetingId, after))) return reply.code(204).send()
      return streams.send(request, reply, (signal) =>
        toStreamMessages(eventLog.stream(meetingId, after, signal), isForSurface),
      )
    },
  })

  routes.get('/events/stream', {
    subject: ['list', MEETING_SUBJECT.filter],
    produces,
    summary: 'Events of all meetings as they happen (server-sent events)',
    description:
      'Each event is one message: `id` is a position in this stream, `event` its type, `data` the body of its callback. The first message has only an id, to resume from.',
    query: AllEventsStreamQuery,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { after, events, meeting } = request.query
      const isWanted = (message: EventStreamMessage) =>
        isForSurface(message) &&
        (events === undefined || events.some((eventType) => eventType === message.type)) &&
        (meeting === undefined || meeting === message.meetingId)
      // Throws if the meeting does not exist, because its stream would never send anything.
      if (meeting !== undefined) await eventLog.mayHaveEventsAfter(meeting, 0)
      // The position is read before the response starts, so that the stream includes every meeting started after that.
      const lastPosition = readLastEventId(request, (id) => (isEventPosition(id) ? id : null))
      const start = lastPosition ?? after ?? (await eventLog.currentPosition())
      return streams.send(request, reply, async function* (signal) {
        // The client can resume from here even if its connection breaks before the first event.
        yield { id: start }
        const source = eventLog.streamAll(() => request.viewer, start, signal)
        yield* toStreamMessages(source, isWanted)
      })
    },
  })
}

async function* toStreamMessages(
  source: AsyncIterable<EventStreamMessage | null>,
  isWanted: (streamed: EventStreamMessage) => boolean,
): AsyncGenerator<SseMessageOrHeartbeat> {
  for await (const streamed of source) {
    if (streamed === null) yield null
    else if (isWanted(streamed)) {
      yield { id: streamed.position, event: streamed.type, data: streamed.body }
    }
  }
}

function parseSequence(id: string): number | null {
  return /^\d{1,9}$/.test(id) ? Number(id) : null
}

import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import type { Deliveries } from '../../../deliveries/deliveries.ts'
import type { DeliveryAttempt } from '../../../deliveries/history/attempts.ts'
import { describeProblem } from '../../../deliveries/history/delivery-summary.ts'
import { invalidField } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { MEETING_SURFACES, type ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import {
  DELIVERY_SUBJECT,
  MEETING_SUBJECT,
  SIGNING_TOKEN_SUBJECT,
} from '../../pipeline/access/subject-access.ts'
import {
  DeliveriesResponse,
  DeliveryResponse,
  ReceiversResponse,
  RetryBody,
  RetryResponse,
  DeliveriesQuery,
  SentCallbackRequestResponse,
  FailedEventCountsResponse,
  ReplayFailedEventsResponse,
  DeliveryFiguresResponse,
  MeetingDeliveriesResponse,
  MeetingDeliveriesQuery,
  ConsoleTestCallbackBody,
  ReplayResponse,
  ReplayBody,
  TestCallbackResponse,
  TestCallbackBody,
} from '../../shapes/deliveries.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

/** Delivery attempts with their responses, and their receivers. */
export function deliveryListRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { deliveries }: { deliveries: Deliveries },
): void {
  const routes = defineRoutes(app, surface, 'Deliveries')

  routes.get('/meetings/:meetingId/deliveries', {
    subject: MEETING_SUBJECT.read,
    summary: 'Delivery attempts of a meeting, newest first',
    description: 'Also lists the events that are no longer retried.',
    query: MeetingDeliveriesQuery,
    response: MeetingDeliveriesResponse,
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { meetingId } = request.params
      const size = resolvePageSize(limit)
      const page = await deliveries.listForMeeting(request.viewer, meetingId, filter, size, cursor)
      const { attempts, nextCursor, deadLetters } = page
      return { deliveries: attempts.map(toDelivery), nextCursor, failedEvents: deadLetters }
    },
  })

  routes.get('/deliveries', {
    subject: 'list',
    allowsLongUrl: true,
    summary: 'Delivery attempts of all meetings, newest first',
    description: 'Each HTTP request to a callback URL is one attempt.',
    query: DeliveriesQuery,
    response: DeliveriesResponse,
    handler: async (request) => {
      const { limit, cursor, meeting, ...filter } = request.query
      const { attempts, nextCursor } = await deliveries.list(
        request.viewer,
        { ...filter, meetingId: meeting },
        resolvePageSize(limit),
        cursor,
      )
      return { deliveries: attempts.map(toDelivery), nextCursor }
    },
  })

  routes.get('/deliveries/:deliveryId', {
    subject: DELIVERY_SUBJECT,
    summary: 'One delivery attempt',
    description: 'With the beginning of the response of the receiver, and what its status means.',
    response: DeliveryResponse,
    handler: async (request) => ({
      delivery: toDelivery(await deliveries.get(request.viewer, request.params.deliveryId)),
    }),
  })

  routes.get('/deliveries/receivers', {
    subject: 'list',
    summary: 'Receivers with callbacks to deliver, those that fail first',
    description:
      'By callback URL and by the token that signs. A meeting is included until all its callbacks are delivered or given up, even after it has ended.',
    response: ReceiversResponse,
    handler: async (request) => ({ receivers: await deliveries.receivers(request.viewer) }),
  })
}

/** Routes that send events again. */
export function deliveryReplayRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { deliveries }: { deliveries: Deliveries },
): void {
  const routes = defineRoutes(app, surface, 'Deliveries')

  routes.post('/deliveries/retry', {
    subject: 'list',
    summary: 'Send callbacks now that wait because their receiver fails',
    description: 'Otherwise the service sends them at `nextAttemptAt`.',
    body: RetryBody,
    status: 202,
    response: RetryResponse,
    handler: async (request) => {
      const meetings = await deliveries.retry(request.viewer, request.body?.receiver)
      return { meetings }
    },
  })

  routes.post('/meetings/:meetingId/events/replay', {
    subject: MEETING_SUBJECT.edit,
    findFieldProblems: deliveries.findUrlProblems,
    errorCodes: ['nothing_to_replay', 'callback_url_blocked'],
    summary: 'Send stored events again, with the same sequence and bytes',
    description: 'They are retried for as long as new events.',
    body: ReplayBody,
    status: 202,
    response: ReplayResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      return deliveries.replay({ meetingId, ...request.body })
    },
  })

  routes.get('/deliveries/failed', {
    subject: 'list',
    summary: 'Events of all meetings that are no longer retried, by callback URL',
    description:
      'Only events that are still stored. `POST /deliveries/failed/replay` sends them again.',
    response: FailedEventCountsResponse,
    handler: async (request) => deliveries.failedEvents(request.viewer),
  })

  routes.post('/deliveries/failed/replay', {
    subject: 'list',
    summary: 'Send the events of all meetings again that are no longer retried',
    description:
      'With the same sequence and bytes. Events leave the list when they are sent and return to it when they fail again.',
    status: 202,
    response: ReplayFailedEventsResponse,
    handler: (request) => deliveries.replayFailed(request.viewer),
  })
}

/** Sends a test callback to a URL. The secret of the caller's token signs it. */
export function testCallbackRoute(
  app: FastifyApp,
  { deliveries }: { deliveries: Deliveries },
): void {
  const routes = defineRoutes(app, MEETING_SURFACES.publicApi, 'Deliveries')

  routes.post('/callbacks/test', {
    subject: MEETING_SUBJECT.editInBody,
    findFieldProblems: deliveries.findUrlProblems,
    errorCodes: ['token_not_found', 'callback_url_blocked'],
    summary: 'Send a test event and return the response of the receiver',
    description: 'Sent once, with the same signature and network policy as real events.',
    body: TestCallbackBody,
    response: TestCallbackResponse,
    handler: async (request) => {
      assert(request.token)
      return sendTestCall(deliveries, request.body, request.token.id)
    },
  })
}

/** Delivery routes that only the console has. */
export function consoleCallbackDebuggingRoutes(
  app: FastifyApp,
  { deliveries }: { deliveries: Deliveries },
): void {
  const routes = defineRoutes(app, MEETING_SURFACES.consoleApi)

  routes.post('/callbacks/test', {
    subject: [MEETING_SUBJECT.editInBody, SIGNING_TOKEN_SUBJECT],
    findFieldProblems: deliveries.findUrlProblems,
    body: ConsoleTestCallbackBody,
    response: TestCallbackResponse,
    handler: async (request) => {
      const { tokenId, ...body } = request.body
      if (body.callbackUrl !== undefined && tokenId === undefined) throw TOKEN_ID_MISSING
      return sendTestCall(deliveries, body, tokenId ?? '')
    },
  })

  routes.get('/deliveries/:deliveryId/request', {
    subject: DELIVERY_SUBJECT,
    response: SentCallbackRequestResponse,
    handler: async (request) => deliveries.sentRequest(request.viewer, request.params.deliveryId),
  })

  routes.get('/deliveries/figures', {
    subject: 'list',
    response: DeliveryFiguresResponse,
    handler: async (request) => deliveries.figures(request.viewer),
  })
}

async function sendTestCall(
  deliveries: Deliveries,
  { callbackUrl, meetingId }: z.output<typeof TestCallbackBody>,
  tokenId: string,
) {
  if ((callbackUrl === undefined) === (meetingId === undefined)) throw URL_OR_MEETING_REQUIRED
  const result =
    meetingId === undefined
      ? await deliveries.testUrl(callbackUrl ?? '', tokenId)
      : await deliveries.testMeeting(meetingId)
  const { deliveryId, outcome, status, error, answer } = result
  const durationMs = Math.round(result.durationMs)
  const problem = describeProblem(result)
  return {
    deliveryId,
    delivered: outcome === 'delivered',
    status,
    error,
    problem,
    answer,
    durationMs,
  }
}

const TOKEN_ID_MISSING = invalidField(
  'tokenId',
  'Send the id of the token whose secret signs the test event',
)

const URL_OR_MEETING_REQUIRED = invalidField('callbackUrl', 'Send either callbackUrl or meetingId')

function toDelivery({ id, ...attempt }: DeliveryAttempt) {
  return { deliveryId: id, ...attempt }
}

import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import type { Deliveries } from '../../../deliveries/deliveries.ts'
import type { DeliveryAttempt } from '../../../deliveries/history/attempts.ts'
import { describeProblem } from '../../../deliveries/history/delivery-summary.ts'
import { ServiceError } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { MEETING_SURFACES, type ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { requireViewer } from '../../pipeline/access/caller.ts'
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
  DeliveryParams,
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
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

/** Delivery attempts with their responses, and their receivers. */
export function deliveryListRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { deliveries }: { deliveries: Deliveries },
): void {
  const tags = ['Deliveries']

  app.get(
    `${surface.prefix}/meetings/:meetingId/deliveries`,
    {
      config: {
        ...surface.read,
        subject: MEETING_SUBJECT.read,
        errorCodes: ['meeting_not_found'],
      },
      schema: {
        summary: 'Delivery attempts of a meeting, newest first',
        description: 'Also lists the events that are no longer retried.',
        tags,
        params: MeetingParams,
        querystring: MeetingDeliveriesQuery,
        response: { 200: MeetingDeliveriesResponse },
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { meetingId } = request.params
      const size = resolvePageSize(limit)
      const page = await deliveries.listForMeeting(
        requireViewer(request),
        meetingId,
        filter,
        size,
        cursor,
      )
      const { attempts, nextCursor, deadLetters } = page
      return { deliveries: attempts.map(toDelivery), nextCursor, failedEvents: deadLetters }
    },
  )

  app.get(
    `${surface.prefix}/deliveries`,
    {
      config: { ...surface.read, subject: 'list', allowsLongUrl: true },
      schema: {
        summary: 'Delivery attempts of all meetings, newest first',
        description: 'Each HTTP request to a callback URL is one attempt.',
        tags,
        querystring: DeliveriesQuery,
        response: { 200: DeliveriesResponse },
      },
    },
    async (request) => {
      const { limit, cursor, meeting, ...filter } = request.query
      const { attempts, nextCursor } = await deliveries.list(
        requireViewer(request),
        { ...filter, meetingId: meeting },
        resolvePageSize(limit),
        cursor,
      )
      return { deliveries: attempts.map(toDelivery), nextCursor }
    },
  )

  app.get(
    `${surface.prefix}/deliveries/:deliveryId`,
    {
      config: { ...surface.read, subject: DELIVERY_SUBJECT, errorCodes: ['delivery_not_kept'] },
      schema: {
        summary: 'One delivery attempt',
        description:
          'With the beginning of the response of the receiver, and what its status means.',
        tags,
        params: DeliveryParams,
        response: { 200: DeliveryResponse },
      },
    },
    async (request) => ({
      delivery: toDelivery(await deliveries.get(requireViewer(request), request.params.deliveryId)),
    }),
  )

  app.get(
    `${surface.prefix}/deliveries/receivers`,
    {
      config: { ...surface.read, subject: 'list' },
      schema: {
        summary: 'Receivers with callbacks to deliver, those that fail first',
        description:
          'By callback URL and by the token that signs. A meeting is included until all its callbacks are delivered or given up, even after it has ended.',
        tags,
        response: { 200: ReceiversResponse },
      },
    },
    async (request) => ({ receivers: await deliveries.receivers(requireViewer(request)) }),
  )
}

/** Routes that send events again. */
export function deliveryReplayRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { deliveries }: { deliveries: Deliveries },
): void {
  const tags = ['Deliveries']

  app.post(
    `${surface.prefix}/deliveries/retry`,
    {
      config: { ...surface.change, subject: 'list' },
      schema: {
        summary: 'Send callbacks now that wait because their receiver fails',
        description: 'Otherwise the service sends them at `nextAttemptAt`.',
        tags,
        body: RetryBody,
        response: { 202: RetryResponse },
      },
    },
    async (request, reply) => {
      const meetings = await deliveries.retry(requireViewer(request), request.body?.receiver)
      return reply.code(202).send({ meetings })
    },
  )

  app.post(
    `${surface.prefix}/meetings/:meetingId/events/replay`,
    {
      config: {
        ...surface.change,
        subject: MEETING_SUBJECT.edit,
        errorCodes: ['meeting_not_found', 'nothing_to_replay', 'callback_url_blocked'],
        findFieldProblems: deliveries.findUrlProblems,
      },
      schema: {
        summary: 'Send stored events again, with the same sequence and bytes',
        description: 'They are retried for as long as new events.',
        tags,
        params: MeetingParams,
        body: ReplayBody,
        response: { 202: ReplayResponse },
      },
    },
    async (request, reply) => {
      const { meetingId } = request.params
      const replay = await deliveries.replay({ meetingId, ...request.body })
      return reply.code(202).send(replay)
    },
  )

  app.get(
    `${surface.prefix}/deliveries/failed`,
    {
      config: { ...surface.read, subject: 'list' },
      schema: {
        summary: 'Events of all meetings that are no longer retried, by callback URL',
        description:
          'Only events that are still stored. `POST /deliveries/failed/replay` sends them again.',
        tags,
        response: { 200: FailedEventCountsResponse },
      },
    },
    async (request) => deliveries.failedEvents(requireViewer(request)),
  )

  app.post(
    `${surface.prefix}/deliveries/failed/replay`,
    {
      config: { ...surface.change, subject: 'list' },
      schema: {
        summary: 'Send the events of all meetings again that are no longer retried',
        description:
          'With the same sequence and bytes. Events leave the list when they are sent and return to it when they fail again.',
        tags,
        response: { 202: ReplayFailedEventsResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await deliveries.replayFailed(requireViewer(request))),
  )
}

/** Sends a test callback to a URL. The secret of the caller's token signs it. */
export function testCallbackRoute(
  app: FastifyApp,
  { deliveries }: { deliveries: Deliveries },
): void {
  const { prefix, change } = MEETING_SURFACES.publicApi
  app.post(
    `${prefix}/callbacks/test`,
    {
      config: {
        ...change,
        subject: MEETING_SUBJECT.editInBody,
        errorCodes: ['meeting_not_found', 'token_not_found', 'callback_url_blocked'],
        findFieldProblems: deliveries.findUrlProblems,
      },
      schema: {
        summary: 'Send a test event and return the response of the receiver',
        description: 'Sent once, with the same signature and network policy as real events.',
        tags: ['Deliveries'],
        body: TestCallbackBody,
        response: { 200: TestCallbackResponse },
      },
    },
    async (request) => {
      assert(request.token)
      return sendTestCall(deliveries, request.body, request.token.id)
    },
  )
}

/** Delivery routes that only the console has. */
export function consoleCallbackDebuggingRoutes(
  app: FastifyApp,
  { deliveries }: { deliveries: Deliveries },
): void {
  const { prefix, read, change } = MEETING_SURFACES.consoleApi

  app.post(
    `${prefix}/callbacks/test`,
    {
      config: {
        ...change,
        subject: [MEETING_SUBJECT.editInBody, SIGNING_TOKEN_SUBJECT],
        findFieldProblems: deliveries.findUrlProblems,
      },
      schema: { body: ConsoleTestCallbackBody, response: { 200: TestCallbackResponse } },
    },
    async (request) => {
      const { tokenId, ...body } = request.body
      if (body.callbackUrl !== undefined && tokenId === undefined) throw TOKEN_ID_MISSING
      return sendTestCall(deliveries, body, tokenId ?? '')
    },
  )

  app.get(
    `${prefix}/deliveries/:deliveryId/request`,
    {
      config: { ...read, subject: DELIVERY_SUBJECT },
      schema: { params: DeliveryParams, response: { 200: SentCallbackRequestResponse } },
    },
    async (request) => deliveries.sentRequest(requireViewer(request), request.params.deliveryId),
  )

  app.get(
    `${prefix}/deliveries/figures`,
    {
      config: { ...read, subject: 'list' },
      schema: { response: { 200: DeliveryFiguresResponse } },
    },
    async (request) => deliveries.figures(requireViewer(request)),
  )
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

const TOKEN_ID_MISSING = new ServiceError('invalid_request', {
  details: [
    { path: 'tokenId', message: 'Send the id of the token whose secret signs the test event' },
  ],
})

const URL_OR_MEETING_REQUIRED = new ServiceError('invalid_request', {
  details: [{ path: 'callbackUrl', message: 'Send either callbackUrl or meetingId' }],
})

function toDelivery({ id, ...attempt }: DeliveryAttempt) {
  return { deliveryId: id, ...attempt }
}

import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import { ServiceError } from '../../../errors.ts'
import type { Deliveries } from '../../../deliveries/deliveries.ts'
import type { Attempt } from '../../../deliveries/history/attempts.ts'
import {
  DeliveriesResponse,
  DeliveriesQuery,
  DeliveryParams,
  DeliveryRequestResponse,
  FailedEventsResponse,
  FailedReplayResponse,
  DeliveryFiguresResponse,
  MeetingDeliveriesResponse,
  MeetingDeliveriesQuery,
  ConsoleTestCallBody,
  ReplayResponse,
  ReplayBody,
  TestCallResponse,
  TestCallBody,
} from '../../shapes/deliveries.ts'
import { MeetingParams } from '../../shapes/meetings.ts'
import { pageSize } from '../page-size.ts'
import { SURFACES, type ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** What was sent where, what came back, and sending it again. */
export function deliveryRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { deliveries }: { deliveries: Deliveries },
): void {
  const tags = ['Deliveries']

  app.get(
    `${surface.prefix}/meetings/:meetingId/deliveries`,
    {
      config: surface.read,
      schema: {
        summary: 'Every attempt to deliver an event of a meeting, newest first',
        tags,
        params: MeetingParams,
        querystring: MeetingDeliveriesQuery,
        response: { 200: MeetingDeliveriesResponse },
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { meetingId } = request.params
      const size = pageSize(limit)
      const found = await deliveries.listForMeeting(meetingId, filter, size, cursor)
      const { attempts, nextCursor, deadLetters } = found
      return { deliveries: attempts.map(toDelivery), nextCursor, failedEvents: deadLetters }
    },
  )

  app.get(
    `${surface.prefix}/deliveries`,
    {
      config: surface.read,
      schema: {
        summary: 'Attempts over all meetings, newest first',
        tags,
        querystring: DeliveriesQuery,
        response: { 200: DeliveriesResponse },
      },
    },
    async (request) => {
      const { limit, cursor, meeting, ...filter } = request.query
      const wanted = { ...filter, meetingId: meeting }
      const { attempts, nextCursor } = await deliveries.list(wanted, pageSize(limit), cursor)
      return { deliveries: attempts.map(toDelivery), nextCursor }
    },
  )

  app.post(
    `${surface.prefix}/meetings/:meetingId/events/replay`,
    {
      config: surface.change,
      schema: {
        summary: 'Send stored events again, with their old sequence and bytes',
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
      config: surface.read,
      schema: {
        summary: 'Events that were given up, over all meetings, by where they should have gone',
        tags,
        response: { 200: FailedEventsResponse },
      },
    },
    async () => deliveries.failedEvents(),
  )

  app.post(
    `${surface.prefix}/deliveries/failed/replay`,
    {
      config: surface.change,
      schema: {
        summary: 'Send events that were given up again, of all meetings',
        description:
          'With their old sequence and bytes. What is sent leaves the list; what fails again is back on it.',
        tags,
        response: { 202: FailedReplayResponse },
      },
    },
    async (_request, reply) => reply.code(202).send(await deliveries.replayFailed()),
  )
}

/** For programs: their own token signs. */
export function testCallRoute(app: FastifyApp, { deliveries }: { deliveries: Deliveries }): void {
  const { prefix, change } = SURFACES.publicApi
  app.post(
    `${prefix}/callbacks/test`,
    {
      config: { ...change, errorCodes: ['meeting_not_found'] },
      schema: {
        summary: 'Send a test event and say what came back',
        description: 'The same way, signature and network policy as for real events; one attempt.',
        tags: ['Deliveries'],
        body: TestCallBody,
        response: { 200: TestCallResponse },
      },
    },
    async (request) => {
      assert(request.token)
      return sendTestCall(deliveries, request.body, request.token.id)
    },
  )
}

/** What only a person at the console asks for. */
export function consoleDeliveryRoutes(
  app: FastifyApp,
  { deliveries }: { deliveries: Deliveries },
): void {
  const { prefix, read, change } = SURFACES.consoleApi

  app.post(
    `${prefix}/callbacks/test`,
    { config: change, schema: { body: ConsoleTestCallBody, response: { 200: TestCallResponse } } },
    async (request) => {
      const { tokenId, ...body } = request.body
      if (body.callbackUrl !== undefined && tokenId === undefined) throw TOKEN_ID_MISSING
      return sendTestCall(deliveries, body, tokenId ?? '')
    },
  )

  app.get(
    `${prefix}/deliveries/:deliveryId/request`,
    {
      config: read,
      schema: { params: DeliveryParams, response: { 200: DeliveryRequestResponse } },
    },
    async (request) => deliveries.sentRequest(request.params.deliveryId),
  )

  app.get(
    `${prefix}/deliveries/figures`,
    { config: read, schema: { response: { 200: DeliveryFiguresResponse } } },
    async () => deliveries.figures(),
  )
}

async function sendTestCall(
  deliveries: Deliveries,
  { callbackUrl, meetingId }: z.output<typeof TestCallBody>,
  tokenId: string,
) {
  if ((callbackUrl === undefined) === (meetingId === undefined)) throw URL_OR_MEETING_REQUIRED
  const made =
    meetingId === undefined
      ? await deliveries.testUrl(callbackUrl ?? '', tokenId)
      : await deliveries.testMeeting(meetingId)
  const { deliveryId, outcome, status, error, answer } = made
  const durationMs = Math.round(made.durationMs)
  return { deliveryId, delivered: outcome === 'delivered', status, error, answer, durationMs }
}

const TOKEN_ID_MISSING = new ServiceError('invalid_request', {
  details: [{ path: 'tokenId', message: 'Name the token whose secret signs' }],
})

const URL_OR_MEETING_REQUIRED = new ServiceError('invalid_request', {
  details: [{ path: 'callbackUrl', message: 'Give either callbackUrl or meetingId' }],
})

function toDelivery({ id, ...attempt }: Attempt) {
  return { deliveryId: id, ...attempt }
}

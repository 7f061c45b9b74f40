import { strict as assert } from 'node:assert'
import type { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import type { Deliveries } from '../../deliveries/deliveries.ts'
import type { Attempt } from '../../deliveries/attempts.ts'
import {
  DeliveriesAnswer,
  DeliveriesQuery,
  DeliveryParams,
  DeliveryRequestAnswer,
  FailedEventsAnswer,
  FailedReplayAnswer,
  FiguresAnswer,
  MeetingDeliveriesAnswer,
  MeetingDeliveriesQuery,
  PersonTestCallBody,
  ReplayAnswer,
  ReplayBody,
  TestCallAnswer,
  TestCallBody,
} from '../shapes/deliveries.ts'
import { MeetingParams } from '../shapes/meetings.ts'
import { pageSize } from '../page-size.ts'
import { DOORS, type Door } from '../doors.ts'
import type { App } from '../type-provider.ts'

/** What was sent where, what came back, and sending it again. */
export function deliveryRoutes(
  app: App,
  door: Door,
  { deliveries }: { deliveries: Deliveries },
): void {
  const tags = ['Deliveries']

  app.get(
    `${door.prefix}/meetings/:meetingId/deliveries`,
    {
      config: door.read,
      schema: {
        summary: 'Every attempt to deliver an event of a meeting, newest first',
        tags,
        params: MeetingParams,
        querystring: MeetingDeliveriesQuery,
        response: { 200: MeetingDeliveriesAnswer },
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { meetingId } = request.params
      const size = pageSize(limit)
      const found = await deliveries.ofMeeting(meetingId, filter, size, cursor)
      const { attempts, nextCursor, deadLetters } = found
      return { deliveries: attempts.map(toWire), nextCursor, failedEvents: deadLetters }
    },
  )

  app.get(
    `${door.prefix}/deliveries`,
    {
      config: door.read,
      schema: {
        summary: 'Attempts over all meetings, newest first',
        tags,
        querystring: DeliveriesQuery,
        response: { 200: DeliveriesAnswer },
      },
    },
    async (request) => {
      const { limit, cursor, meeting, ...filter } = request.query
      const wanted = { ...filter, meetingId: meeting }
      const { attempts, nextCursor } = await deliveries.list(wanted, pageSize(limit), cursor)
      return { deliveries: attempts.map(toWire), nextCursor }
    },
  )

  app.post(
    `${door.prefix}/meetings/:meetingId/events/replay`,
    {
      config: door.change,
      schema: {
        summary: 'Send stored events again, with their old sequence and bytes',
        tags,
        params: MeetingParams,
        body: ReplayBody,
        response: { 202: ReplayAnswer },
      },
    },
    async (request, reply) => {
      const { meetingId } = request.params
      const replay = await deliveries.replay({ meetingId, ...request.body })
      return reply.code(202).send(replay)
    },
  )

  app.get(
    `${door.prefix}/deliveries/failed`,
    {
      config: door.read,
      schema: {
        summary: 'Events that were given up, over all meetings, by where they should have gone',
        tags,
        response: { 200: FailedEventsAnswer },
      },
    },
    async () => deliveries.failed(),
  )

  app.post(
    `${door.prefix}/deliveries/failed/replay`,
    {
      config: door.change,
      schema: {
        summary: 'Send events that were given up again, of all meetings',
        description:
          'With their old sequence and bytes. What is sent leaves the list; what fails again is back on it.',
        tags,
        response: { 202: FailedReplayAnswer },
      },
    },
    async (_request, reply) => reply.code(202).send(await deliveries.replayFailed()),
  )
}

/** For programs: their own token signs. */
export function testCallRoute(app: App, { deliveries }: { deliveries: Deliveries }): void {
  const { prefix, change } = DOORS.programs
  app.post(
    `${prefix}/callbacks/test`,
    {
      config: { ...change, mayFail: ['meeting_not_found'] },
      schema: {
        summary: 'Send a test event and say what came back',
        description: 'The same way, signature and network policy as for real events; one attempt.',
        tags: ['Deliveries'],
        body: TestCallBody,
        response: { 200: TestCallAnswer },
      },
    },
    async (request) => {
      assert(request.token)
      return callOnce(deliveries, request.body, request.token.id)
    },
  )
}

/** What only a person at the console asks for. */
export function personDeliveryRoutes(app: App, { deliveries }: { deliveries: Deliveries }): void {
  const { prefix, read, change } = DOORS.people

  app.post(
    `${prefix}/callbacks/test`,
    { config: change, schema: { body: PersonTestCallBody, response: { 200: TestCallAnswer } } },
    async (request) => {
      const { tokenId, ...body } = request.body
      if (body.callbackUrl !== undefined && tokenId === undefined) throw NO_SIGNER
      return callOnce(deliveries, body, tokenId ?? '')
    },
  )

  app.get(
    `${prefix}/deliveries/:deliveryId/request`,
    {
      config: read,
      schema: { params: DeliveryParams, response: { 200: DeliveryRequestAnswer } },
    },
    async (request) => deliveries.requestOf(request.params.deliveryId),
  )

  app.get(
    `${prefix}/deliveries/figures`,
    { config: read, schema: { response: { 200: FiguresAnswer } } },
    async () => deliveries.figures(),
  )
}

async function callOnce(
  deliveries: Deliveries,
  { callbackUrl, meetingId }: z.output<typeof TestCallBody>,
  tokenId: string,
) {
  if ((callbackUrl === undefined) === (meetingId === undefined)) throw ONE_OF_TWO
  const made =
    meetingId === undefined
      ? await deliveries.testUrl(callbackUrl ?? '', tokenId)
      : await deliveries.testMeeting(meetingId)
  const { deliveryId, outcome, status, error, answer } = made
  const durationMs = Math.round(made.durationMs)
  return { deliveryId, delivered: outcome === 'delivered', status, error, answer, durationMs }
}

const NO_SIGNER = new ServiceError('invalid_request', {
  details: [{ path: 'tokenId', message: 'Name the token whose secret signs' }],
})

const ONE_OF_TWO = new ServiceError('invalid_request', {
  details: [{ path: 'callbackUrl', message: 'Give either callbackUrl or meetingId' }],
})

function toWire({ id, ...attempt }: Attempt) {
  return { deliveryId: id, ...attempt }
}

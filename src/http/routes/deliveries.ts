import { strict as assert } from 'node:assert'
import { ServiceError } from '../../errors.ts'
import type { Deliveries } from '../../deliveries/deliveries.ts'
import type { Attempt } from '../../deliveries/attempts.ts'
import {
  DeliveriesAnswer,
  DeliveriesQuery,
  MeetingDeliveriesAnswer,
  MeetingDeliveriesQuery,
  ReplayAnswer,
  ReplayBody,
  TestCallAnswer,
  TestCallBody,
} from '../shapes/deliveries.ts'
import { MeetingParams } from '../shapes/meetings.ts'
import { pageSize } from '../page-size.ts'
import type { App } from '../type-provider.ts'

/** What was sent where, what came back, and sending it again. */
export function deliveryRoutes(app: App, { deliveries }: { deliveries: Deliveries }): void {
  const tags = ['Deliveries']
  const change = { access: 'key', scopes: ['meetings'] } as const
  const read = { access: 'key', scopes: ['read', 'meetings'] } as const

  app.get(
    '/api/v1/meetings/:meetingId/deliveries',
    {
      config: read,
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
    '/api/v1/deliveries',
    {
      config: read,
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
    '/api/v1/meetings/:meetingId/events/replay',
    {
      config: change,
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

  app.post(
    '/api/v1/callbacks/test',
    {
      config: change,
      schema: {
        summary: 'Send a test event and say what came back',
        description: 'The same way, signature and network policy as for real events; one attempt.',
        tags,
        body: TestCallBody,
        response: { 200: TestCallAnswer },
      },
    },
    async (request) => {
      assert(request.token)
      const { callbackUrl, meetingId } = request.body
      if ((callbackUrl === undefined) === (meetingId === undefined)) throw ONE_OF_TWO
      const made =
        meetingId === undefined
          ? await deliveries.testUrl(callbackUrl ?? '', request.token.id)
          : await deliveries.testMeeting(meetingId)
      const { deliveryId, status, error, answer } = made
      const durationMs = Math.round(made.durationMs)
      return {
        deliveryId,
        delivered: made.outcome === 'delivered',
        status,
        error,
        answer,
        durationMs,
      }
    },
  )
}

const ONE_OF_TWO = new ServiceError('invalid_request', {
  details: [{ path: 'callbackUrl', message: 'Give either callbackUrl or meetingId' }],
})

function toWire({ id, ...attempt }: Attempt) {
  return { deliveryId: id, ...attempt }
}

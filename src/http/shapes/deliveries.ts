import { z } from 'zod'

import { DELIVERY_ERRORS } from '../../deliveries/network/transport.ts'
import { InstantInput, Instant, Warnings } from './common.ts'
import { callbackUrl } from './meetings.ts'
import { limitParameter, integerParameter } from './query-parameters.ts'
import { ATTEMPT_OUTCOMES } from './values.ts'

export const Delivery = z
  .object({
    deliveryId: z.string().describe('What X-Service-Delivery-Id said'),
    meetingId: z.string(),
    sequence: z.int().describe('0 for a test'),
    type: z.string(),
    kind: z.enum(['meeting', 'replay']).nullable().describe('On which way it was sent'),
    startedAt: Instant,
    durationMs: z.int(),
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .describe('failed: tried again; rejected: the event is blamed; gone: no more is sent'),
    status: z.int().nullable().describe('Of the answer; null when there was none'),
    error: z.string().nullable().describe('Why there was no whole answer'),
    answer: z.string().describe('The first 2 KiB of the answer'),
    nextAttemptAt: Instant.nullable(),
  })
  .meta({ id: 'Delivery' })

export const DeliveriesResponse = z.object({
  deliveries: z.array(Delivery),
  nextCursor: z.string().nullable(),
})

const page = {
  outcome: z.enum(ATTEMPT_OUTCOMES).optional(),
  type: z.string().min(1).max(50).optional().describe('Event type'),
  sequence: integerParameter('sequence').optional(),
  limit: limitParameter().optional().describe('Default 50, at most 100'),
  cursor: z.string().min(1).max(200).optional().describe('nextCursor of the last page'),
}

export const MeetingDeliveriesQuery = z.object(page)
export const DeliveriesQuery = z.object({
  ...page,
  meeting: z.string().min(1).max(100).optional(),
  since: InstantInput.optional().describe('Attempts from then on'),
})

export const MeetingDeliveriesResponse = DeliveriesResponse.extend({
  failedEvents: z
    .array(z.object({ sequence: z.int(), reason: z.string(), at: Instant }))
    .describe('Events that were given up; a replay brings them'),
})

const sequence = z.int().min(1).max(2_147_483_647)
export const ReplayBody = z
  .object({
    from: sequence.optional().describe('First sequence; without it the first there is'),
    to: sequence.optional().describe('Last sequence; without it the newest there is'),
    callbackUrl: callbackUrl.optional().describe('Instead of the one given at the start'),
  })
  .optional()
export const ReplayResponse = z.object({
  replayId: z.string(),
  from: z.int(),
  to: z.int(),
  events: z.int().describe('How many will be sent'),
  warnings: Warnings,
})

export const FailedEventsResponse = z.object({
  events: z.int().describe('Given up, stored still, and wanted still by their receiver'),
  meetings: z.int(),
  destinations: z
    .array(z.object({ url: z.string(), events: z.int(), meetings: z.int() }))
    .describe('Those with most of them, at most 20; without the query of the URL'),
})
export const FailedReplayResponse = z.object({
  events: z.int().describe('How many will be sent; at most 500 in one call'),
  meetings: z.int(),
  remaining: z.int().describe('How many are left: call again'),
})

export const TestCallBody = z.object({
  callbackUrl: callbackUrl.optional(),
  meetingId: z.string().min(1).max(100).optional().describe('To the URL of this meeting instead'),
})
/** A person has no key of their own, so the token that signs is named. */
export const ConsoleTestCallBody = TestCallBody.extend({
  tokenId: z.string().min(1).max(100).optional(),
})
export const TestCallResponse = z.object({
  deliveryId: z.string(),
  delivered: z.boolean(),
  status: z.int().nullable(),
  error: z.enum(DELIVERY_ERRORS).nullable(),
  answer: z.string(),
  durationMs: z.int(),
  warnings: Warnings,
})

export const ListenerParams = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'Must be a short plain name'),
})
export const ReceiverResponseBody = z.object({
  deliveryId: z.string().min(1).max(100),
  status: z.int().min(100).max(999).nullable(),
  error: z.enum(DELIVERY_ERRORS).nullable(),
  answer: z.string().max(2_048),
  durationMs: z.number().min(0).max(600_000),
})

/** What was posted, put together again from what is stored. */
export const DeliveryRequestResponse = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
export const DeliveryParams = z.object({ deliveryId: z.string().min(1).max(100) })

export const DeliveryFiguresResponse = z.object({
  since: Instant,
  delivered: z.int(),
  failed: z.int().describe('Attempts that brought no event over'),
  medianMs: z.int().nullable(),
  p95Ms: z.int().nullable(),
  hours: z.array(z.object({ at: Instant, delivered: z.int(), failed: z.int() })),
})

export const ReceiverResponseAccepted = z.object({ success: z.literal(true), warnings: Warnings })

export type WireDelivery = z.input<typeof Delivery>
export type WireDeliveries = z.input<typeof DeliveriesResponse>
export type WireMeetingDeliveries = z.input<typeof MeetingDeliveriesResponse>
export type WireReplay = z.input<typeof ReplayResponse>
export type WireFailedEvents = z.input<typeof FailedEventsResponse>
export type WireFailedReplay = z.input<typeof FailedReplayResponse>
export type WireTestCall = z.input<typeof TestCallResponse>
export type WireDeliveryRequest = z.input<typeof DeliveryRequestResponse>
export type WireDeliveryFigures = z.input<typeof DeliveryFiguresResponse>

import { z } from 'zod'
import { DELIVERY_ERROR_CODES } from '../../deliveries/network/transport.ts'
import { InstantInput, Instant, RequestWarnings } from './common.ts'
import { CallbackUrl } from './meetings.ts'
import {
  createLimitParameterSchema,
  createIntegerParameterSchema,
  PAGE_SIZE_DESCRIPTION,
} from './query-parameters.ts'
import { ATTEMPT_OUTCOMES } from './values.ts'

export const Delivery = z
  .object({
    deliveryId: z.string().describe('The value of the header X-Service-Delivery-Id'),
    meetingId: z.string(),
    sequence: z.int().describe('0 for a test event'),
    type: z.string(),
    kind: z
      .enum(['meeting', 'replay'])
      .nullable()
      .describe('Sent as it happened (meeting) or by a replay; null for a test event'),
    startedAt: Instant,
    durationMs: z.int(),
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .describe(
        'failed: it is retried; rejected: the receiver refused this event; gone: nothing more is sent to this URL',
      ),
    status: z.int().nullable().describe('HTTP status of the response; null when there was none'),
    error: z.string().nullable().describe('Why there was no complete response'),
    answer: z.string().describe('The first 2 KiB of the response body'),
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
  sequence: createIntegerParameterSchema().optional(),
  limit: createLimitParameterSchema().optional().describe(PAGE_SIZE_DESCRIPTION),
  cursor: z.string().min(1).max(200).optional().describe('nextCursor of the previous page'),
}

export const MeetingDeliveriesQuery = z.object(page)
export const DeliveriesQuery = z.object({
  ...page,
  meeting: z.string().min(1).max(100).optional(),
  since: InstantInput.optional().describe('Only attempts since then'),
})

export const MeetingDeliveriesResponse = DeliveriesResponse.extend({
  failedEvents: z
    .array(z.object({ sequence: z.int(), reason: z.string(), at: Instant }))
    .describe('Events that are no longer retried; a replay sends them again'),
})

const sequence = z.int().min(1).max(2_147_483_647)
export const ReplayBody = z
  .object({
    from: sequence.optional().describe('First sequence; default the first stored event'),
    to: sequence.optional().describe('Last sequence; default the newest stored event'),
    callbackUrl: CallbackUrl.optional().describe('Default the callback URL of the meeting'),
  })
  .optional()
export const ReplayResponse = z.object({
  replayId: z.string(),
  from: z.int(),
  to: z.int(),
  events: z.int().describe('How many will be sent'),
  warnings: RequestWarnings,
})

export const FailedEventCountsResponse = z.object({
  events: z
    .int()
    .describe('Events that are no longer retried, are still stored, and have not been sent again'),
  meetings: z.int(),
  destinations: z
    .array(z.object({ url: z.string(), events: z.int(), meetings: z.int() }))
    .describe('The 20 URLs with the most failed events; without their query strings'),
})
export const ReplayFailedEventsResponse = z.object({
  events: z.int().describe('How many will be sent; at most 500 in one call'),
  meetings: z.int(),
  remaining: z.int().describe('How many are left; call again to send them'),
})

export const TestCallBody = z.object({
  callbackUrl: CallbackUrl.optional(),
  meetingId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Send to the callback URL of this meeting instead'),
})
/** A user of the console has no API key, so the request names the token whose secret signs the test callback. */
export const ConsoleTestCallBody = TestCallBody.extend({
  tokenId: z.string().min(1).max(100).optional(),
})
export const TestCallResponse = z.object({
  deliveryId: z.string(),
  delivered: z.boolean(),
  status: z.int().nullable(),
  error: z.enum(DELIVERY_ERROR_CODES).nullable(),
  answer: z.string(),
  durationMs: z.int(),
  warnings: RequestWarnings,
})

/** The HTTP request that one attempt to deliver a callback sent, rebuilt from stored data. */
export const SentCallbackRequestResponse = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
export const DeliveryParams = z.object({ deliveryId: z.string().min(1).max(100) })

export const DeliveryFiguresResponse = z.object({
  since: Instant,
  delivered: z.int(),
  failed: z.int().describe('Attempts that delivered no event'),
  medianMs: z.int().nullable(),
  p95Ms: z.int().nullable(),
  hours: z.array(z.object({ at: Instant, delivered: z.int(), failed: z.int() })),
})

export const ListenerParams = z.object({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'Must be 1 to 64 letters, digits, dots, hyphens or underscores, starting with a letter or digit',
    ),
})
export const ReceiverAnswerReportBody = z.object({
  deliveryId: z.string().min(1).max(100),
  status: z.int().min(100).max(999).nullable(),
  error: z.enum(DELIVERY_ERROR_CODES).nullable(),
  answer: z.string().max(2_048),
  durationMs: z.number().min(0).max(600_000),
})
export const ReceiverAnswerReportResponse = z.object({
  success: z.literal(true),
  warnings: RequestWarnings,
})

export type WireDelivery = z.input<typeof Delivery>
export type WireDeliveries = z.input<typeof DeliveriesResponse>
export type WireMeetingDeliveries = z.input<typeof MeetingDeliveriesResponse>
export type WireReplay = z.input<typeof ReplayResponse>
export type WireFailedEventCounts = z.input<typeof FailedEventCountsResponse>
export type WireReplayFailedEventsResult = z.input<typeof ReplayFailedEventsResponse>
export type WireTestCallResult = z.input<typeof TestCallResponse>
export type WireSentCallbackRequest = z.input<typeof SentCallbackRequestResponse>
export type WireDeliveryFigures = z.input<typeof DeliveryFiguresResponse>

import { z } from 'zod'
import { DELIVERY_ERROR_CODES } from '../../deliveries/transport.ts'
import {
  CallbackProblem,
  Count,
  DeliveryId,
  Instant,
  InstantInput,
  MeetingId,
  NextCursor,
  Ordinal,
  RequestWarnings,
  NullableText,
} from './common.ts'
import { CallbackUrl } from './meetings/start-meeting.ts'
import { MeetingIdInput } from './meetings/meeting-fields.ts'
import {
  createCursorParameterSchema,
  createIntegerParameterSchema,
  PageSizeParameter,
} from './query-parameters.ts'
import { ATTEMPT_OUTCOMES } from './values.ts'

const receiverStatus = z
  .int()
  .min(100)
  .max(999)
  .nullable()
  .describe('HTTP status of the response; null when there was none')

const responseBodyStart = z
  .string()
  .describe(
    'The first 2 KiB of the response body, or a note that the body of a receiver at a private address is not shown',
  )

const RECEIVER_URL =
  'The callback URL without its query; only its host for a meeting that you may not edit'
const tokenName = NullableText.describe(
  'The token that signs; null when the caller may not see it, and after it was removed',
)

export const Delivery = z
  .object({
    deliveryId: DeliveryId.describe('The value of the header X-Service-Delivery-Id'),
    meetingId: MeetingId,
    meetingTitle: z.string(),
    url: NullableText.describe(`${RECEIVER_URL}; null for an old replay`),
    tokenName,
    sequence: Count.describe('0 for a test event'),
    type: z.string().describe('Event type'),
    kind: z
      .enum(['meeting', 'replay'])
      .nullable()
      .describe('Sent as it happened (meeting) or by a replay; null for a test event'),
    startedAt: Instant,
    durationMs: Count,
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .describe(
        'failed: it is retried; rejected: the receiver refused this event; gone: nothing more is sent to this URL',
      ),
    status: receiverStatus,
    error: NullableText.describe('Why there was no complete response'),
    problem: CallbackProblem.describe('Why it failed, for people; null when it did not'),
    answer: responseBodyStart,
    nextAttemptAt: Instant.nullable().describe('When it is retried; null when it is not'),
  })
  .meta({ id: 'Delivery' })

export const DeliveriesResponse = z.object({
  deliveries: z.array(Delivery),
  nextCursor: NextCursor,
})

export const DeliveryResponse = z.object({ delivery: Delivery })

export const Receiver = z
  .object({
    url: z.string().describe(RECEIVER_URL),
    tokenName,
    problem: CallbackProblem.describe('Why callbacks fail; null while none do'),
    failingSince: Instant.nullable().describe('Null while none fail'),
    nextAttemptAt: Instant.nullable().describe('Null while none fail'),
    pending: Count.describe('Events that are not delivered yet'),
    meetingCount: Count.describe('Meetings whose callbacks go there'),
    meetings: z
      .array(
        z.object({
          meetingId: MeetingId,
          title: z.string(),
          pending: Count.describe('Events that are not delivered yet'),
          isFailing: z.boolean(),
        }),
      )
      .describe('At most 5 of them, those that fail first'),
  })
  .meta({ id: 'Receiver' })
export const ReceiversResponse = z.object({
  receivers: z.array(Receiver).describe('At most 100'),
})

const receiverInput = z.string().min(1).max(2_048)
export const RetryBody = z
  .object({
    receiver: receiverInput
      .optional()
      .describe('Only callbacks to this receiver: its `url` in the list of receivers'),
  })
  .meta({ examples: [{ receiver: 'https://example.com/callbacks' }] })
  .optional()
export const RetryResponse = z.object({
  meetings: Count.describe('Meetings whose callbacks are sent now'),
  warnings: RequestWarnings,
})

const filtersAndPage = {
  outcome: z.enum(ATTEMPT_OUTCOMES).optional().describe('Only attempts with this outcome'),
  type: z.string().min(1).max(50).optional().describe('Only attempts of this event type'),
  sequence: createIntegerParameterSchema()
    .optional()
    .describe('Only attempts of the event with this sequence'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(200),
}

export const MeetingDeliveriesQuery = z.object(filtersAndPage)
export const DeliveriesQuery = z.object({
  ...filtersAndPage,
  meeting: MeetingIdInput.optional().describe('Only attempts of this meeting'),
  receiver: receiverInput
    .optional()
    .describe('Only attempts at this receiver: the `url` of an attempt'),
  since: InstantInput.optional().describe('Only attempts since then'),
})

export const MeetingDeliveriesResponse = DeliveriesResponse.extend({
  failedEvents: z
    .array(z.object({ sequence: Ordinal, reason: z.string(), at: Instant }))
    .describe('Events that are no longer retried; a replay sends them again'),
})

const sequence = z.int().min(1).max(2_147_483_647)
export const ReplayBody = z
  .object({
    from: sequence.optional().describe('First sequence; default the first stored event'),
    to: sequence.optional().describe('Last sequence; default the newest stored event'),
    callbackUrl: CallbackUrl.optional().describe('Default the callback URL of the meeting'),
  })
  .meta({ examples: [{ from: 1, to: 12 }] })
  .optional()
export const ReplayResponse = z.object({
  replayId: z.string(),
  from: Ordinal.describe('First sequence'),
  to: Ordinal.describe('Last sequence'),
  events: Count.describe('How many will be sent'),
  warnings: RequestWarnings,
})

export const FailedEventCountsResponse = z.object({
  events: Count.describe(
    'Events that are no longer retried, are still stored, and have not been sent again',
  ),
  meetings: Count.describe('The meetings of these events'),
  lastFailedAt: Instant.nullable().describe(
    'When the last of them was given up; null when there are none',
  ),
  destinations: z
    .array(z.object({ url: z.string(), events: Count, meetings: Count }))
    .describe(
      'The 20 URLs with the most failed events; without their query strings, and only with their hosts if you may not edit the meetings',
    ),
})
export const ReplayFailedEventsResponse = z.object({
  events: Count.describe('How many will be sent; at most 500 in one call'),
  meetings: Count.describe('The meetings of these events'),
  remaining: Count.describe('How many are left; call again to send them'),
})

const testCallFields = {
  callbackUrl: CallbackUrl.optional().describe('URL that receives the test event'),
  meetingId: MeetingIdInput.optional().describe('Send to the callback URL of this meeting instead'),
}
export const TestCallbackBody = z
  .object(testCallFields)
  .meta({ examples: [{ callbackUrl: 'https://example.com/callbacks' }] })
/** A console user has no API key, so the request names the token whose secret signs the test callback. */
export const ConsoleTestCallbackBody = z.object({
  ...testCallFields,
  tokenId: z.string().min(1).max(100).optional(),
})
export const TestCallbackResponse = z.object({
  deliveryId: DeliveryId,
  delivered: z.boolean().describe('Whether the receiver responded with a 2xx status'),
  status: receiverStatus,
  error: z.enum(DELIVERY_ERROR_CODES).nullable().describe('Why there was no complete response'),
  problem: CallbackProblem.describe('Why it failed, for people; null when it did not'),
  answer: responseBodyStart,
  durationMs: Count,
  warnings: RequestWarnings,
})

/** The HTTP request of one attempt to deliver a callback, rebuilt from stored data. */
export const SentCallbackRequestResponse = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
export const DeliveryFiguresResponse = z.object({
  since: Instant,
  delivered: Count,
  failed: Count.describe('Attempts that delivered no event'),
  medianMs: Count.nullable(),
  p95Ms: Count.nullable(),
  hours: z.array(z.object({ at: Instant, delivered: Count, failed: Count })),
})

export const ListenerParams = z.object({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'Must be 1 to 64 letters, digits, dots, hyphens or underscores, starting with a letter or digit',
    )
    .meta({ examples: ['laptop'] })
    .describe('The name in `listen:NAME`'),
})
export const ReceiverAnswerReportBody = z
  .object({
    deliveryId: z.string().min(1).max(100).describe('`deliveryId` of the callback'),
    status: receiverStatus,
    error: z.enum(DELIVERY_ERROR_CODES).nullable().describe('Why there was no complete response'),
    answer: z.string().max(2_048).describe('The first 2 KiB of the response body'),
    durationMs: z.number().min(0).max(600_000),
  })
  .meta({
    examples: [
      {
        deliveryId: 'dlv_0ToY1a2B5b0c6a1f9d2f1a7e3b4c',
        status: 200,
        error: null,
        answer: 'ok',
        durationMs: 12,
      },
    ],
  })
export const ReceiverAnswerReportResponse = z.object({
  success: z.literal(true),
  warnings: RequestWarnings,
})

export type ApiDelivery = z.input<typeof Delivery>
export type ApiReceiver = z.input<typeof Receiver>
export type ApiReplay = z.input<typeof ReplayResponse>
export type ApiFailedEventCounts = z.input<typeof FailedEventCountsResponse>
export type ApiTestCallbackResult = z.input<typeof TestCallbackResponse>
export type ApiDeliveryFigures = z.input<typeof DeliveryFiguresResponse>

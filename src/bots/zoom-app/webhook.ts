import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isSameSecret } from '../../lib/crypto.ts'

/** A signature is accepted for this long before and after the time in it. */
const MAX_AGE_MS = 5 * 60_000
const TIMESTAMP = /^\d{10}$/

export type SignedDelivery = { body: Buffer; signature: unknown; timestamp: unknown }

/** True if Zoom signed this body a few minutes ago at most. */
export function isSignedByZoom(
  { body, signature, timestamp }: SignedDelivery,
  secret: string,
  now: Date,
): boolean {
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false
  if (!TIMESTAMP.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > MAX_AGE_MS) return false
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body)
  return isSameSecret(signature, `v0=${expected.digest('hex')}`)
}

/** The answer with which Zoom checks that this service owns the address. */
export function answerUrlValidation(plainToken: string, secret: string) {
  const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex')
  return { plainToken, encryptedToken }
}

const printable = (max: number) => z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${max}}$`))
const id = printable(200)
const accountId = id.optional().catch(undefined)
/** Zoom sends the number of a meeting as a number, and in older documents as text. */
const meetingNumber = z
  .union([z.int().nonnegative(), z.string()])
  .transform((number) => String(number).replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{9,11}$/))
  .optional()
  .catch(undefined)
const eventAt = z.int().nonnegative().max(8.64e15).catch(0)

const startedPayload = z.object({
  account_id: accountId,
  meeting_id: meetingNumber,
  webinar_id: meetingNumber,
  meeting_uuid: id,
  rtms_stream_id: id,
  server_urls: printable(2_000),
})
const stoppedPayload = z.object({
  account_id: accountId,
  meeting_uuid: id,
  rtms_stream_id: id,
  stop_reason: z.int().min(0).max(1_000).catch(0),
})
const deauthorizedPayload = z.object({ account_id: id })
const validationPayload = z.object({ plainToken: printable(500) })

/** Some of Zoom's documents put the fields of an event into `object`. */
const payloadOf = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((given) => {
    const { object, ...rest } = z.record(z.string(), z.unknown()).catch({}).parse(given)
    const inner = z.record(z.string(), z.unknown()).safeParse(object)
    return inner.success ? { ...rest, ...inner.data } : rest
  }, shape)

const EVENT = z.discriminatedUnion('event', [
  z.object({ event: z.literal('endpoint.url_validation'), payload: validationPayload }),
  z.object({
    event: z.literal(['meeting.rtms_started', 'webinar.rtms_started']),
    event_ts: eventAt,
    payload: payloadOf(startedPayload),
  }),
  z.object({
    event: z.literal(['meeting.rtms_stopped', 'webinar.rtms_stopped']),
    event_ts: eventAt,
    payload: payloadOf(stoppedPayload),
  }),
  z.object({
    event: z.literal('app_deauthorized'),
    event_ts: eventAt,
    payload: payloadOf(deauthorizedPayload),
  }),
])

const KNOWN_EVENTS: ReadonlySet<unknown> = new Set(
  EVENT.options.flatMap((option) => [...option.shape.event.values]),
)

export type ZoomEvent =
  | { kind: 'validation'; plainToken: string }
  | ({ kind: 'started' } & StartedStream)
  | {
      kind: 'stopped'
      at: number
      streamId: string
      meetingUuid: string
      reason: number
      accountId: string | null
    }
  | { kind: 'deauthorized'; at: number; accountId: string }
  /** An event that the service does not use. */
  | { kind: 'other' }
  | { kind: 'invalid'; problem: string }

export type StartedStream = {
  at: number
  streamId: string
  meetingUuid: string
  meetingNumber: string | null
  serverUrl: string
  accountId: string | null
}

/** What a signed webhook says. */
export function parseZoomEvent(body: unknown): ZoomEvent {
  const name = z.object({ event: z.string() }).safeParse(body).data?.event
  if (name === undefined) return { kind: 'invalid', problem: 'The field event is missing' }
  if (!KNOWN_EVENTS.has(name)) return { kind: 'other' }
  const parsed = EVENT.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { kind: 'invalid', problem: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, 300) }
  }
  const { data } = parsed
  if (data.event === 'endpoint.url_validation')
    return { kind: 'validation', plainToken: data.payload.plainToken }
  const { event_ts: at, payload } = data
  if (!('rtms_stream_id' in payload))
    return { kind: 'deauthorized', at, accountId: payload.account_id }
  const stream = {
    at,
    streamId: payload.rtms_stream_id,
    meetingUuid: payload.meeting_uuid,
    accountId: payload.account_id ?? null,
  }
  if ('stop_reason' in payload) return { kind: 'stopped', ...stream, reason: payload.stop_reason }
  return {
    kind: 'started',
    ...stream,
    meetingNumber: payload.meeting_id ?? payload.webinar_id ?? null,
    serverUrl: payload.server_urls,
  }
}

import { createHmac } from 'node:crypto'
import { toTraceHeaders } from '../lib/tracer.ts'
import type { PostRequest, PostResult, CallbackTransport } from './transport.ts'

/** The secrets of the token that started the meeting: the main one, and others still valid during a rotation. */
export type CallbackSecrets = { signing: string; alsoValid: readonly string[] }

export type SignableEvent = {
  meetingId: string
  sequence: number
  /** The sequence of the previous stored event; 0 for the first event. */
  previousSequence: number
  type: string
  body: Buffer
}

export type SignedPostOptions = {
  timeoutMs: number
  /** True if the event's lane is failing. Failing lanes use separate sockets. */
  isFailing: boolean
  connection: PostRequest['connection']
  /** Different for every HTTP request. */
  deliveryId: string
  signal: AbortSignal
  /** Called when the headers of the response have arrived. */
  onStatus?(status: number): void
}

/** Signs and posts one event. Null if the token was removed, so the event can't be signed. */
type SignedEventPoster = (
  to: { url: string; tokenId: string; traceParent?: string | null },
  event: SignableEvent,
  options: SignedPostOptions,
) => Promise<PostResult | null>

type Parts = {
  transport: CallbackTransport
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  /** Wall clock, milliseconds. */
  now(): number
}

/** The value of the X-Service-Signature header: `sha256=` and the hexadecimal HMAC-SHA256 of the body. */
export function signCallbackBody(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Returns the HTTP headers of one attempt. Attempts differ only in delivery id, timestamp and webhook signature. */
export function callbackHeaders(
  { meetingId, sequence, previousSequence, type, body }: SignableEvent,
  { signing, alsoValid }: CallbackSecrets,
  deliveryId: string,
  at: Date,
): Record<string, string> {
  const webhookId = `${meetingId}_${sequence}`
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = [signing, ...alsoValid].map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${webhookId}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Hansard',
    'x-service-signature': signCallbackBody(body, signing),
    'x-service-event': type,
    'x-service-meeting-id': meetingId,
    'x-service-delivery-id': deliveryId,
    'x-service-previous-sequence': String(previousSequence),
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** The headers for callers who may not edit the meeting. With a signature, they could send the event to its receiver. */
export function withoutSignatures(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.endsWith('signature')))
}

export function createSignedEventPoster({ transport, secretsOf, now }: Parts): SignedEventPoster {
  return async ({ url, tokenId, traceParent }, event, options) => {
    const { timeoutMs, isFailing, connection, deliveryId, signal, onStatus } = options
    const secrets = await secretsOf(tokenId)
    if (secrets === null) return null
    const signed = callbackHeaders(event, secrets, deliveryId, new Date(now()))
    const headers = traceParent ? { ...signed, ...toTraceHeaders(traceParent) } : signed
    const pool = isFailing ? 'failing' : 'healthy'
    const { body } = event
    const request = { url, tokenId, headers, body, timeoutMs, pool, connection } as const
    return transport.post(onStatus === undefined ? request : { ...request, onStatus }, signal)
  }
}

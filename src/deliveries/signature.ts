import { createHmac } from 'node:crypto'

/** The secrets of the token that started the meeting: the main secret, and others that are also valid during a rotation. */
export type CallbackSecrets = { signing: string; alsoValid: readonly string[] }

export type SignableEvent = {
  meetingId: string
  sequence: number
  /** The sequence of the previous stored event; 0 for the first event. */
  previousSequence: number
  type: string
  body: Buffer
}

/** The value of the X-Service-Signature header: `sha256=` and the hexadecimal HMAC-SHA256 of the body. */
export function signCallbackBody(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** The HTTP headers of one attempt to deliver an event. Attempts differ only in delivery id, time and its signature. */
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

import { createHmac } from 'node:crypto'

/** Secrets of the token whose meeting it is: the one that signs, and others that are valid beside it. */
export type CallbackSecrets = { signing: string; others: readonly string[] }

export type SignableEvent = {
  meetingId: string
  sequence: number
  /** Of the stored event before it, 0 for the first. */
  previousSequence: number
  type: string
  body: Buffer
}

/** `sha256=` and the hexadecimal HMAC-SHA256 of the body: the signature of the interface. */
export function signBody(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** The headers of one attempt. Only the delivery id and the time differ from attempt to attempt. */
export function callbackHeaders(
  { meetingId, sequence, previousSequence, type, body }: SignableEvent,
  { signing, others }: CallbackSecrets,
  deliveryId: string,
  at: Date,
): Record<string, string> {
  const webhookId = `${meetingId}_${sequence}`
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = [signing, ...others].map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${webhookId}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Hansard',
    'x-service-signature': signBody(body, signing),
    'x-service-event': type,
    'x-service-meeting-id': meetingId,
    'x-service-delivery-id': deliveryId,
    'x-service-previous-sequence': String(previousSequence),
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

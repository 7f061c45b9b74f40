import type { PostRequest, PostResult, CallbackTransport } from './network/transport.ts'
import { callbackHeaders, type CallbackSecrets, type SignableEvent } from './signature.ts'

export type SignedPostOptions = {
  timeoutMs: number
  /** True when the lane of the event is failing: failing lanes use separate sockets. */
  isFailing: boolean
  connection: PostRequest['connection']
  /** Different for every HTTP request. */
  deliveryId: string
  signal: AbortSignal
  /** Called when the headers of the response have arrived. */
  onStatus?(status: number): void
}

/** Signs one event and posts it; null when the token was removed and the event cannot be signed. */
export type SignedEventPoster = (
  to: { url: string; tokenId: string },
  event: SignableEvent,
  options: SignedPostOptions,
) => Promise<PostResult | null>

type Parts = {
  transport: CallbackTransport
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  /** Wall clock, milliseconds. */
  now(): number
}

export function createSignedEventPoster({ transport, secretsOf, now }: Parts): SignedEventPoster {
  return async ({ url, tokenId }, event, options) => {
    const { timeoutMs, isFailing, connection, deliveryId, signal, onStatus } = options
    const secrets = await secretsOf(tokenId)
    if (secrets === null) return null
    const headers = callbackHeaders(event, secrets, deliveryId, new Date(now()))
    const pool = isFailing ? 'failing' : 'healthy'
    const { body } = event
    const request = { url, tokenId, headers, body, timeoutMs, pool, connection } as const
    return transport.post(onStatus === undefined ? request : { ...request, onStatus }, signal)
  }
}

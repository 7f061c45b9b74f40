import type { PostResult, Transport } from './network/transport.ts'
import { callbackHeaders, type CallbackSecrets, type SignableEvent } from './signature.ts'

export type SignedPostOptions = {
  timeoutMs: number
  /** Failing lanes use separate sockets. */
  isFailing: boolean
  deliveryId: string
  signal: AbortSignal
}

/** Signs one event and posts it; null when the token was removed and the event cannot be signed. */
export type SignedPost = (
  to: { url: string; tokenId: string },
  event: SignableEvent,
  options: SignedPostOptions,
) => Promise<PostResult | null>

type Parts = {
  transport: Transport
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  /** Wall clock, milliseconds. */
  now(): number
}

export function createSignedPost({ transport, secretsOf, now }: Parts): SignedPost {
  return async ({ url, tokenId }, event, { timeoutMs, isFailing, deliveryId, signal }) => {
    const secrets = await secretsOf(tokenId)
    if (secrets === null) return null
    const headers = callbackHeaders(event, secrets, deliveryId, new Date(now()))
    const pool = isFailing ? 'failing' : 'healthy'
    return transport.post({ url, headers, body: event.body, timeoutMs, pool }, signal)
  }
}

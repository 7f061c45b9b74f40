import type { LaneRecord, LaneStore } from './lane/lane.ts'
import { callbackHeaders } from './signature.ts'
import type { PostResult, Transport } from './network/transport.ts'

export type OutgoingEvent = { sequence: number; type: string; body: Buffer }

/** Signs one event and posts it; null when there is nothing to sign with any more. */
export type SignedPost = (
  event: OutgoingEvent,
  options: { timeoutMs: number; isFailing: boolean; deliveryId: string; signal: AbortSignal },
) => Promise<PostResult | null>

type Parts = {
  record: LaneRecord
  store: Pick<LaneStore, 'secretsOf'>
  transport: Transport
  now(): number
  previousSequence(): number
}

export function createSignedPost(parts: Parts): SignedPost {
  const { store, transport, now, previousSequence } = parts
  const { tokenId, meetingId, url } = parts.record
  return async (event, { timeoutMs, isFailing, deliveryId, signal }) => {
    const secrets = await store.secretsOf(tokenId)
    if (secrets === null) return null
    const addressed = { ...event, meetingId, previousSequence: previousSequence() }
    const headers = callbackHeaders(addressed, secrets, deliveryId, new Date(now()))
    const pool = isFailing ? 'failing' : 'healthy'
    return transport.post({ url, headers, body: event.body, timeoutMs, pool }, signal)
  }
}

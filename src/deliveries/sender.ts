import type { LaneRecord, LaneStore } from './lane.ts'
import { callbackHeaders } from './signature.ts'
import type { Posted, Transport } from './transport.ts'

export type Sendable = { sequence: number; type: string; body: Buffer }

/** Signs one event and posts it; null when there is nothing to sign with any more. */
export type Send = (
  event: Sendable,
  options: { timeoutMs: number; isTroubled: boolean; deliveryId: string; signal: AbortSignal },
) => Promise<Posted | null>

type Parts = {
  record: LaneRecord
  store: Pick<LaneStore, 'secretsOf'>
  transport: Transport
  now(): number
  previousSequence(): number
}

export function createSender(parts: Parts): Send {
  const { store, transport, now, previousSequence } = parts
  const { tokenId, meetingId, url } = parts.record
  return async (event, { timeoutMs, isTroubled, deliveryId, signal }) => {
    const secrets = await store.secretsOf(tokenId)
    if (secrets === null) return null
    const addressed = { ...event, meetingId, previousSequence: previousSequence() }
    const headers = callbackHeaders(addressed, secrets, deliveryId, new Date(now()))
    const pool = isTroubled ? 'troubled' : 'healthy'
    return transport.post({ url, headers, body: event.body, timeoutMs, pool }, signal)
  }
}

import type { LaneRecord, LaneStore } from './lane.ts'
import { callbackHeaders } from './signature.ts'
import type { Posted, Transport } from './transport.ts'

export type Sendable = { sequence: number; type: string; body: Buffer }

export type SendOptions = {
  timeoutMs: number
  isTroubled: boolean
  deliveryId: string
  /** Wall clock, milliseconds. */
  at: number
  signal: AbortSignal
}

/** Signs one event and posts it; null when there is nothing to sign with any more. */
export type Send = (event: Sendable, options: SendOptions) => Promise<Posted | null>

type Parts = {
  record: LaneRecord
  store: Pick<LaneStore, 'secretsOf'>
  transport: Transport
  previousSequence(): number
}

export function createSender(parts: Parts): Send {
  const { store, transport, previousSequence } = parts
  const { tokenId, meetingId, url } = parts.record
  return async (event, { timeoutMs, isTroubled, deliveryId, at, signal }) => {
    const secrets = await store.secretsOf(tokenId)
    if (secrets === null) return null
    const addressed = { ...event, meetingId, previousSequence: previousSequence() }
    const headers = callbackHeaders(addressed, secrets, deliveryId, new Date(at))
    const pool = isTroubled ? 'troubled' : 'healthy'
    return transport.post({ url, headers, body: event.body, timeoutMs, pool }, signal)
  }
}

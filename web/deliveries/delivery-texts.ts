import type { WireDelivery, WireTestCallbackResult } from '../../src/http/shapes/deliveries.ts'
import type { AttemptOutcome, DeliveryErrorCode, EventType } from '../../src/http/shapes/values.ts'
import { EVENT_TYPE_LABELS } from '../meetings/meeting-labels.ts'
import { formatCountWithNoun } from '../ui/format/format-text.ts'

export const ATTEMPT_OUTCOME_LABELS: Record<AttemptOutcome, { label: string; colour: string }> = {
  delivered: { label: 'Delivered', colour: 'moss' },
  failed: { label: 'Failed', colour: 'red' },
  rejected: { label: 'Rejected', colour: 'red' },
  gone: { label: 'Unsubscribed', colour: 'orange' },
}

/** Why a receiver's server sent no complete response. */
const DELIVERY_ERROR_LABELS: Record<DeliveryErrorCode, string> = {
  dns_error: 'DNS lookup failed',
  connection_refused: 'connection refused',
  connection_reset: 'connection reset',
  timeout: 'timed out',
  tls_error: 'TLS error',
  blocked_address: 'address not allowed',
  bad_answer: 'invalid response',
}

export function deliveryErrorLabel(error: string | null): string {
  return error === null
    ? 'no response'
    : (DELIVERY_ERROR_LABELS[error as DeliveryErrorCode] ?? error.replaceAll('_', ' '))
}

/** The label of an event type. Test events, which no meeting has, are sent with the type `test`. */
export function eventTypeLabel(type: string): string {
  return type === 'test' ? 'Test event' : (EVENT_TYPE_LABELS[type as EventType] ?? type)
}

/** "Your server answered 500", or why it did not answer. */
export function serverAnswerText({
  status,
  error,
}: Pick<WireDelivery, 'status' | 'error'>): string {
  return status === null
    ? `Your server did not answer (${deliveryErrorLabel(error)})`
    : `Your server answered ${status}`
}

export function testEventResultText(result: WireTestCallbackResult): string {
  const { delivered, durationMs } = result
  return `${delivered ? 'Delivered. ' : ''}${serverAnswerText(result)} after ${durationMs} ms.`
}

export function replayStartedText(events: number): string {
  return `Replaying ${formatCountWithNoun(events, 'event')}`
}

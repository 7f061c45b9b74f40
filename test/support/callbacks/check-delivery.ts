import { strict as assert } from 'node:assert'
import { assertCallbackHeaders, type ReceivedCallback } from './recording-receiver.ts'

/** A stored event as `GET /meetings/{id}/events` returns it. */
export type ExpectedEvent = { type: string; sequence: number; payload: Record<string, unknown> }

export type DeliveryCheckResult = { repeats: number; partials: number }

const PARTIAL = 'caption_partial'
const isAccepted = ({ status }: ReceivedCallback) => status >= 200 && status < 300

/**
 * Compares the calls of one meeting with its stored events: no event is lost or out of order, repeats have the same
 * bytes, each call names its predecessor, and no partial caption follows its final text. `events` are the stored events
 * that the lane sends. `failed` are the sequences of the events that were given up.
 */
export function checkDelivery(
  calls: readonly ReceivedCallback[],
  events: readonly ExpectedEvent[],
  failed: readonly number[] = [],
): DeliveryCheckResult {
  for (const call of calls) assertCallbackHeaders(call)
  // If a reused connection was cut, its request is sent again immediately, as part of the same attempt.
  const answered = calls.filter(({ status }) => status > 0)
  const ids = answered.map(({ headers }) => headers['x-service-delivery-id'])
  assert.equal(new Set(ids).size, ids.length, 'each attempt has a unique delivery id')

  const storedCalls = calls.filter(({ event }) => event.type !== PARTIAL)
  const accepted = firstOfEach(storedCalls.filter(isAccepted))
  assert.deepEqual(
    accepted.map(({ event }) => event),
    events.filter(({ sequence }) => !failed.includes(sequence)),
    'every stored event arrived unchanged and in order',
  )
  const firsts = firstOfEach(calls).map(({ event }) => event.sequence)
  assert.deepEqual(
    firsts,
    firsts.toSorted((a, b) => a - b),
    'no sequence arrives late',
  )
  checkRepeats(storedCalls)
  checkPreviousSequences(calls, events)
  checkPartials(calls)
  return {
    repeats: storedCalls.filter(isAccepted).length - accepted.length,
    partials: calls.length - storedCalls.length,
  }
}

function firstOfEach(calls: readonly ReceivedCallback[]): ReceivedCallback[] {
  const seen = new Set<number>()
  return calls.filter(({ event }) => !seen.has(event.sequence) && seen.add(event.sequence))
}

function checkRepeats(calls: readonly ReceivedCallback[]): void {
  const bodies = new Map<number, Buffer>()
  for (const { event, body } of calls) {
    const known = bodies.get(event.sequence) ?? body
    assert.ok(known.equals(body), `event ${event.sequence} arrived with different bytes`)
    bodies.set(event.sequence, body)
  }
}

/** Each call names the previous event, so that a receiver can detect a missing one. */
function checkPreviousSequences(
  calls: readonly ReceivedCallback[],
  events: readonly ExpectedEvent[],
): void {
  const previousOf = new Map(
    events.map(({ sequence }, i) => [sequence, events[i - 1]?.sequence ?? 0]),
  )
  let last = 0
  for (const { event, headers } of calls) {
    const previous = Number(headers['x-service-previous-sequence'])
    const isPartial = event.type === PARTIAL
    assert.equal(
      previous,
      isPartial ? last : previousOf.get(event.sequence),
      `the previous sequence of ${event.sequence}`,
    )
    if (!isPartial) last = Math.max(last, event.sequence)
  }
}

function checkPartials(calls: readonly ReceivedCallback[]): void {
  const finals = new Map<string, Array<{ text: string; timestamp: string }>>()
  const sequences = new Set<number>()
  for (const { event } of calls) {
    if (event.type === 'segment_finalized') {
      const { captionId, text, timestamp } = event.payload
      finals.set(captionId, [...(finals.get(captionId) ?? []), { text, timestamp }])
    }
    if (event.type !== PARTIAL) continue
    assert.ok(!sequences.has(event.sequence), `sequence ${event.sequence} was used twice`)
    sequences.add(event.sequence)
    const { captionId, text, timestamp } = event.payload
    const late = finals
      .get(captionId)
      ?.find((final) => final.timestamp === timestamp && final.text.startsWith(text))
    assert.equal(late, undefined, `a partial text of ${captionId} arrived after its final text`)
  }
}

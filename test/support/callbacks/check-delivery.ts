import { strict as assert } from 'node:assert'
import { assertCallbackHeaders, type ReceivedCallback } from './recording-receiver.ts'

/** A stored event, as `GET /meetings/{id}/events` has it. */
export type ExpectedEvent = { type: string; sequence: number; payload: Record<string, unknown> }

export type DeliveryCheckResult = { repeats: number; partials: number }

const PARTIAL = 'caption_partial'
const isAccepted = ({ status }: ReceivedCallback) => status >= 200 && status < 300

/**
 * Holds what a receiver got of one meeting against what is stored: nothing lost, nothing out of order,
 * repeats to the byte, each attempt knows its predecessor, no evolving text after the final one. `events`: the
 * stored ones that were to be sent; `failed`: numbers of those that the receiver never took.
 */
export function checkDelivery(
  calls: readonly ReceivedCallback[],
  events: readonly ExpectedEvent[],
  failed: readonly number[] = [],
): DeliveryCheckResult {
  for (const call of calls) assertCallbackHeaders(call)
  // A request on a kept connection that was cut is sent once more at once: that is one attempt.
  const answered = calls.filter(({ status }) => status > 0)
  const ids = answered.map(({ headers }) => headers['x-service-delivery-id'])
  assert.equal(new Set(ids).size, ids.length, 'each attempt has a delivery id of its own')

  const durable = calls.filter(({ event }) => event.type !== PARTIAL)
  const taken = firstOfEach(durable.filter(isAccepted))
  assert.deepEqual(
    taken.map(({ event }) => event),
    events.filter(({ sequence }) => !failed.includes(sequence)),
    'all that is stored arrived, as it is stored and in order',
  )
  const firsts = firstOfEach(calls).map(({ event }) => event.sequence)
  assert.deepEqual(
    firsts,
    firsts.toSorted((a, b) => a - b),
    'no number comes late',
  )
  checkRepeats(durable)
  checkChain(calls, events)
  checkPartials(calls)
  return {
    repeats: durable.filter(isAccepted).length - taken.length,
    partials: calls.length - durable.length,
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
    assert.ok(known.equals(body), `event ${event.sequence} came with other bytes`)
    bodies.set(event.sequence, body)
  }
}

/** A receiver that has not seen the named predecessor knows that it missed something. */
function checkChain(calls: readonly ReceivedCallback[], events: readonly ExpectedEvent[]): void {
  const before = new Map(events.map(({ sequence }, i) => [sequence, events[i - 1]?.sequence ?? 0]))
  let last = 0
  for (const { event, headers } of calls) {
    const named = Number(headers['x-service-previous-sequence'])
    const isPartial = event.type === PARTIAL
    assert.equal(named, isPartial ? last : before.get(event.sequence), `before ${event.sequence}`)
    if (!isPartial) last = Math.max(last, event.sequence)
  }
}

function checkPartials(calls: readonly ReceivedCallback[]): void {
  const finals = new Map<string, Array<{ text: string; timestamp: string }>>()
  const numbers = new Set<number>()
  for (const { event } of calls) {
    if (event.type === 'segment_finalized') {
      const { captionId, text, timestamp } = event.payload
      finals.set(captionId, [...(finals.get(captionId) ?? []), { text, timestamp }])
    }
    if (event.type !== PARTIAL) continue
    assert.ok(!numbers.has(event.sequence), `number ${event.sequence} was used twice`)
    numbers.add(event.sequence)
    const { captionId, text, timestamp } = event.payload
    const late = finals
      .get(captionId)
      ?.find((final) => final.timestamp === timestamp && final.text.startsWith(text))
    assert.equal(late, undefined, `evolving text of ${captionId} came after it was final`)
  }
}

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { MeetingEvent } from '../../receiver/index.js'
import { checkDelivery, type ExpectedEvent } from '../support/callbacks/check-delivery.ts'
import type { ReceivedCallback } from '../support/callbacks/recording-receiver.ts'

const meetingId = 'meeting_1794735000000_a1b2c3d4e5f6'
const timestamp = '2026-11-15T12:00:00.000Z'
let ids = 0

function call(
  type: string,
  sequence: number,
  previous: number,
  text = `text ${sequence}`,
): ReceivedCallback {
  const captionId = type === 'caption_partial' ? `c${sequence + 1}` : `c${sequence}`
  const payload = { captionId, speaker: 'Ana', text, timestamp }
  const event = { type, meetingId, sequence, timestamp, payload }
  const body = Buffer.from(JSON.stringify(event))
  ids += 1
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-service-event': type,
    'x-service-meeting-id': meetingId,
    'x-service-delivery-id': `delivery_${ids}`,
    'x-service-previous-sequence': String(previous),
    'x-service-signature': `sha256=${'0'.repeat(64)}`,
    'webhook-id': `${meetingId}_${sequence}`,
  }
  return { path: '/', headers, body, event: event as unknown as MeetingEvent, status: 200 }
}

const final = (sequence: number, previous: number) => call('segment_finalized', sequence, previous)
const partial = (sequence: number, previous: number, text = 'te') =>
  call('caption_partial', sequence, previous, text)

/** A valid sequence of calls: one failed attempt with a retry, one repeat after a crash, one partial caption. */
const validCalls = () => [
  final(1, 0),
  partial(2, 1),
  { ...final(3, 1), status: 500 },
  final(3, 1),
  final(3, 1),
  final(4, 3),
]
const events = [1, 3, 4].map((sequence) => final(sequence, 0).event as unknown as ExpectedEvent)

test('checkDelivery accepts retries, repeats and partial captions, and counts them', () => {
  assert.deepEqual(checkDelivery(validCalls(), events), { repeats: 1, partials: 1 })
})

test('checkDelivery rejects lost, reordered, changed and mislabelled callbacks', () => {
  const [one, two, failed, three, repeat, four] = validCalls() as [
    ReceivedCallback,
    ReceivedCallback,
    ReceivedCallback,
    ReceivedCallback,
    ReceivedCallback,
    ReceivedCallback,
  ]
  const withHeader = (given: ReceivedCallback, name: string, value: string): ReceivedCallback => {
    return { ...given, headers: { ...given.headers, [name]: value } }
  }
  const other = call('segment_finalized', 3, 1, 'other text')
  const cases: Record<string, ReceivedCallback[]> = {
    'the last is lost': [one, two, three],
    'one in the middle is lost': [one, two, four],
    'one was never accepted': [one, two, failed, four],
    'out of order': [one, two, four, three],
    'a sequence arrives late': [one, three, two, four],
    'other bytes': [one, two, three, other, four],
    'other bytes at the first try': [one, two, { ...other, status: 500 }, three, four],
    'the wrong predecessor': [one, two, final(3, 2), four],
    'the wrong predecessor of a partial': [one, partial(2, 0), three, four],
    'a delivery id twice': [one, two, three, { ...repeat, headers: three.headers }, four],
    'a wrong webhook-id': [one, two, three, withHeader(four, 'webhook-id', 'x')],
    'a wrong type': [one, two, three, withHeader(four, 'x-service-event', 'document_saved')],
  }
  for (const [name, calls] of Object.entries(cases)) {
    assert.throws(() => checkDelivery(calls, events), assert.AssertionError, name)
  }
  const late = call('caption_partial', 5, 4, 'text 3')
  Object.assign(late.event.payload, { captionId: 'c3' })
  assert.throws(
    () => checkDelivery([one, two, three, four, late], events),
    /arrived after its final text/,
  )
})

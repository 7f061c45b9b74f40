import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  addCounts,
  countDeliveryErrors,
  describeErrors,
  NO_DELIVERIES,
  type CountedCall,
} from '../../faults/traffic/delivery-counts.ts'

let deliveries = 0

const call = (sequence: number, parts: Partial<CountedCall> = {}): CountedCall => ({
  sequence,
  type: 'segment_finalized',
  body: Buffer.from(`event ${sequence}`),
  deliveryId: `delivery_${(deliveries += 1)}`,
  isAccepted: true,
  ...parts,
})

test('callbacks that arrive in order, repeated or after a failed attempt, are no errors', () => {
  const calls = [
    call(1),
    call(2, { type: 'caption_partial' }),
    call(3, { isAccepted: false }),
    call(3),
    call(3),
    call(4),
  ]
  const counts = countDeliveryErrors(calls, [1, 3, 4])
  assert.deepEqual(counts, { ...NO_DELIVERIES, events: 3, repeats: 1 })
  assert.deepEqual(describeErrors(counts), [])
})

test('lost, doubled, reordered and unknown events are counted', () => {
  const reused = call(1)
  const cases: Array<[calls: CountedCall[], stored: number[], errors: string[]]> = [
    [[call(1), call(2, { isAccepted: false })], [1, 2], ['1 events lost']],
    [[call(1), call(1, { body: Buffer.from('other') })], [1], ['1 events with a doubled id']],
    [[reused, call(2, { deliveryId: reused.deliveryId })], [1, 2], ['1 events with a doubled id']],
    [[call(2), call(1)], [1, 2], ['1 events out of order']],
    [
      [call(2), call(1, { type: 'caption_partial' })],
      [2],
      ['1 events of partial captions that are late'],
    ],
    [[call(1), call(2)], [1], ['1 events arrived but are not stored']],
  ]
  for (const [calls, stored, errors] of cases)
    assert.deepEqual(describeErrors(countDeliveryErrors(calls, stored)), errors)
  const sum = cases.map(([calls, stored]) => countDeliveryErrors(calls, stored)).reduce(addCounts)
  const errors = { lost: 1, doubled: 2, outOfOrder: 1, latePartials: 1, unknown: 1 }
  assert.deepEqual(sum, { events: 9, ...errors, repeats: 1 })
})

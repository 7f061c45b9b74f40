import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { newOrderedId, creationMsOfOrderedId } from './crypto.ts'

test('an ordered id contains its creation time and sorts by it', () => {
  const times = [0, 1, 61, 62, Date.UTC(2026, 10, 16, 12), Date.UTC(2026, 10, 16, 12, 0, 0, 1)]
  const ids = times.map((at) => newOrderedId('dlv', at))
  assert.deepEqual(ids.map(creationMsOfOrderedId), times)
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(creationMsOfOrderedId(newOrderedId('execution', new Date(5))), 5)
})

test('ordered ids of the same millisecond differ, and other texts have no time', () => {
  const ids = Array.from({ length: 10_000 }, () => newOrderedId('dlv', 0))
  assert.equal(new Set(ids).size, ids.length)
  assert.match(String(ids[0]), /^dlv_[0-9A-Za-z]{8}[0-9a-f]{20}$/)
  assert.deepEqual(
    [
      creationMsOfOrderedId('dlv_1234567'),
      creationMsOfOrderedId(''),
      creationMsOfOrderedId('../etc'),
    ],
    [null, null, null],
  )
})

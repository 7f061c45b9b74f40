import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { grow } from './use-gradual-chunks.ts'

test('the range of rendered chunks grows to both ends and stays open there', () => {
  let range = { from: 10, to: 11 }
  range = grow(range, 4, 20)
  assert.deepEqual(range, { from: 6, to: 15 })
  range = grow(range, 4, 20)
  assert.deepEqual(range, { from: 2, to: 19 })
  range = grow(range, 4, 20)
  assert.deepEqual(range, { from: -Infinity, to: Infinity })
  assert.deepEqual(grow(range, 4, 25), range)
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createCounter, isPositionIn, readPosition, writePosition } from './position.ts'

test('a position holds in every text that begins alike, however the text came', () => {
  const counter = createCounter()
  for (const piece of ['One', ' tw\ud83d', '\ude00 o']) counter.add(piece)
  const position = counter.position()
  assert.equal(position.chars, 10)
  assert.deepEqual(readPosition(writePosition(position)), position)
  assert.equal(isPositionIn(position, 'One tw\u{1f600} o'), true)
  assert.equal(isPositionIn(position, 'One tw\u{1f600} o, and more'), true)
  assert.equal(isPositionIn(position, 'One tw\u{1f600}'), false)
  assert.equal(isPositionIn(position, 'Two tw\u{1f600} o, and more'), false)
})

test('a mere number of characters is believed, and anything else is no position', () => {
  assert.deepEqual(readPosition('3'), { chars: 3, digest: null })
  assert.equal(isPositionIn({ chars: 3, digest: null }, 'any'), true)
  assert.equal(isPositionIn({ chars: 4, digest: null }, 'any'), false)
  for (const text of ['', '-1', '3-', '3-xyz', '1e3', '3-0123456789abc', '9999999999', 'x']) {
    assert.equal(readPosition(text), null, text)
  }
})

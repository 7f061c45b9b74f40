import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  createOutputPositionCounter,
  isOutputPositionValid,
  parseOutputPosition,
  formatOutputPosition,
} from './live-output.ts'

test('a position is valid in every text with the same beginning, regardless of how it was split', () => {
  const counter = createOutputPositionCounter()
  for (const piece of ['One', ' tw\ud83d', '\ude00 o']) counter.add(piece)
  const position = counter.position()
  assert.equal(position.chars, 10)
  assert.deepEqual(parseOutputPosition(formatOutputPosition(position)), position)
  assert.equal(isOutputPositionValid(position, 'One tw\u{1f600} o'), true)
  assert.equal(isOutputPositionValid(position, 'One tw\u{1f600} o, and more'), true)
  assert.equal(isOutputPositionValid(position, 'One tw\u{1f600}'), false)
  assert.equal(isOutputPositionValid(position, 'Two tw\u{1f600} o, and more'), false)
})

test('a plain number is a position without a digest, and any other text is invalid', () => {
  assert.deepEqual(parseOutputPosition('3'), { chars: 3, digest: null })
  assert.equal(isOutputPositionValid({ chars: 3, digest: null }, 'any'), true)
  assert.equal(isOutputPositionValid({ chars: 4, digest: null }, 'any'), false)
  for (const text of ['', '-1', '3-', '3-xyz', '1e3', '3-0123456789abc', '9999999999', 'x']) {
    assert.equal(parseOutputPosition(text), null, text)
  }
})

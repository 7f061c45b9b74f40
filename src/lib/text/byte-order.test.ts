import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compareByUtf8Bytes, sortByUtf8Bytes } from './byte-order.ts'
import { scaleRuns } from '../../../test/support/test-size.ts'

test('byte order sorts texts by their UTF-8 bytes', () => {
  const unit = fc.constantFrom(
    'a',
    'b',
    '/',
    '0',
    ' ',
    'ä',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '🀀',
    '\u{10ffff}',
  )
  const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
  fc.assert(
    fc.property(text, text, (a, b) => {
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b))
      assert.equal(Math.sign(compareByUtf8Bytes(a, b)), order)
      assert.equal(sortByUtf8Bytes([a, b], (one) => one)[0], order > 0 ? b : a)
    }),
    { numRuns: scaleRuns(5_000) },
  )
})

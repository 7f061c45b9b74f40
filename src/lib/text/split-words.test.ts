import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assert as assertProperty, constantFrom, property, string } from 'fast-check'
import { splitWords } from './split-words.ts'

test('splitWords gives the same words for ASCII text with and without its fast path', () => {
  const text = string({
    unit: constantFrom(...' \tabcXYZ019.,;:!?$+<=>^`|~\'"-_/@#%&*()[]{}\\'.split('')),
  })
  assertProperty(
    property(text, (plain) => {
      // A letter outside ASCII at the end turns the fast path off.
      const other = splitWords(`${plain} é`)
      assert.deepEqual(splitWords(plain), other.slice(0, -1))
    }),
  )
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatNames } from './access-labels.ts'

test('names are written as in a sentence, and of many names the last ones are counted', () => {
  assert.equal(formatNames([]), '')
  assert.equal(formatNames(['Ada']), 'Ada')
  assert.equal(formatNames(['Ada', 'Bob', 'Eve']), 'Ada, Bob and Eve')
  assert.equal(formatNames(['Ada', 'Bob', 'Eve'], 2), 'Ada and 2 more')
  assert.equal(formatNames(['a', 'b', 'c', 'd', 'e', 'f']), 'a, b, c, d and 2 more')
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { cleanText } from './clean-text.ts'

test('cleanText removes invisible characters but keeps the joiners in words and emoji', () => {
  assert.equal(cleanText(' a\u0000\u200b\u202e  b\tc\u2069 '), 'a b c')
  assert.equal(cleanText('e\u0301'), 'é')
  assert.equal(cleanText('👩\u200d👧 می\u200cخواهم'), '👩\u200d👧 می\u200cخواهم')
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { foldWord, tokenize } from './tokenize.ts'
import { scaleRuns } from '../../../../test/support/test-size.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))

test('words that differ only in case or accents are equal after folding', () => {
  const pairs = [
    ['Café', 'CAFE'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['ŒUVRE', 'oeuvre'],
    ['İstanbul', 'istanbul'],
    ['ＦＵＬＬ', 'full'],
    ['Ёлка', 'елка'],
    ['كِتَاب', 'كتاب'],
    ['مدرســـة', 'مدرسه'],
    ['مستشفى', 'مستشفي'],
  ] as const
  for (const [one, two] of pairs) assert.equal(foldWord(one), foldWord(two), one)
  // Vowel signs that distinguish two words are kept.
  assert.notEqual(foldWord('कि'), foldWord('कु'))
})

test('scripts without spaces are split into characters, and adjacent Latin words stay whole', () => {
  const words = tokenize('Q3の会議 in 東京').map(({ word }) => word)
  assert.deepEqual(words, ['q3', 'の', '会', '議', 'in', '東', '京'])
})

test('every token has its position in the text and contains no tsquery operator', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let last = 0
      for (const { word, start, end } of tokenize(text)) {
        assert.ok(start >= last && end > start && end <= text.length)
        assert.match(word, /^[\p{L}\p{N}\p{M}]{1,64}$/u)
        assert.equal(tokenize(text.slice(start, end))[0]?.word, word)
        last = end
      }
    }),
    { numRuns: scaleRuns(3_000) },
  )
})

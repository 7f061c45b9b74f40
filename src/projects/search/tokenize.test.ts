import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findMatchingWordPositions } from './matches.ts'
import { parseSearchTerms, toTsQuery } from './query.ts'
import { toTrigrams } from './spelling.ts'
import { foldWord, toSearchVector, tokenize } from './tokenize.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))
const NO_CORRECTIONS = new Map<string, string[]>()

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
  ] as const
  for (const [one, two] of pairs) assert.equal(foldWord(one), foldWord(two), one)
  // Vowel signs that distinguish two words stay.
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
    { numRuns: 3_000 },
  )
})

test('a search vector has the positions of all words, and those of the speaker after a gap', () => {
  assert.equal(
    toSearchVector('The plan, the Plan!', 'Ada B'),
    "'the':1,3 'plan':2,4 'ada':12B 'b':13B",
  )
  assert.equal(toSearchVector('…'), '')
})

test('a tsquery contains only words and known operators for any search text', () => {
  const operand = /^\((?:'[\p{L}\p{N}\p{M}]+'(?::\*)?(?: <-> )?)+\)$/u
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = parseSearchTerms(text)
      if (terms.length === 0) return
      for (const part of toTsQuery(terms, NO_CORRECTIONS).split(' & ')) assert.match(part, operand)
    }),
    { numRuns: 3_000 },
  )
})

test('quoted words form a phrase, and an unquoted word matches as a prefix', () => {
  const terms = parseSearchTerms('budg "annual report" don\'t to "open')
  assert.equal(
    toTsQuery(terms, new Map([['budg', ['badge']]])),
    "('budg':* | 'badge') & ('annual' <-> 'report') & ('don' <-> 't') & ('to') & ('open':*)",
  )
})

test('matches cover whole words, and those of a phrase only where the words are adjacent', () => {
  const findMatchedWords = (text: string, q: string) =>
    findMatchingWordPositions(text, parseSearchTerms(q), NO_CORRECTIONS).map(({ start, end }) =>
      text.slice(start, end),
    )
  assert.deepEqual(findMatchedWords('A plan; plans, replan.', 'plan'), ['plan', 'plans'])
  assert.deepEqual(findMatchedWords('red car, red blue car', '"red car"'), ['red', 'car'])
})

test('the trigrams of a word include its padded beginning and end', () => {
  assert.deepEqual(toTrigrams('plan'), ['  p', ' pl', 'pla', 'lan', 'an '])
  assert.deepEqual(toTrigrams('е'), ['  е', ' е '])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findMatches } from './matches.ts'
import { parseSearchTerms, toTsQuery } from './query.ts'
import { toTrigrams } from './spelling.ts'
import { foldWord, toSearchVector, tokenize } from './tokenize.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))
const NONE = new Map<string, string[]>()

test('a word is the same in any case, with and without accents', () => {
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
  // Signs of vowels that make another word are kept.
  assert.notEqual(foldWord('कि'), foldWord('कु'))
})

test('scripts without spaces are cut into characters, and words beside them stay whole', () => {
  const words = tokenize('Q3の会議 in 東京').map(({ word }) => word)
  assert.deepEqual(words, ['q3', 'の', '会', '議', 'in', '東', '京'])
})

test('every word is where it says, and holds nothing that could be an operator', () => {
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

test('places of words are counted, and those of the speaker stand apart', () => {
  assert.equal(
    toSearchVector('The plan, the Plan!', 'Ada B'),
    "'the':1,3 'plan':2,4 'ada':12B 'b':13B",
  )
  assert.equal(toSearchVector('…'), '')
})

test('a question to the database is made of words only, whatever was typed', () => {
  const operand = /^\((?:'[\p{L}\p{N}\p{M}]+'(?::\*)?(?: <-> )?)+\)$/u
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = parseSearchTerms(text)
      if (terms.length === 0) return
      for (const part of toTsQuery(terms, NONE).split(' & ')) assert.match(part, operand)
    }),
    { numRuns: 3_000 },
  )
})

test('quotes make a phrase, and a word without them may go on', () => {
  const terms = parseSearchTerms('budg "annual report" don\'t to "open')
  assert.equal(
    toTsQuery(terms, new Map([['budg', ['badge']]])),
    "('budg':* | 'badge') & ('annual' <-> 'report') & ('don' <-> 't') & ('to') & ('open':*)",
  )
})

test('marks show whole words, of a phrase only where it stands together', () => {
  const marks = (text: string, q: string) =>
    findMatches(text, parseSearchTerms(q), NONE).map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(marks('A plan; plans, replan.', 'plan'), ['plan', 'plans'])
  assert.deepEqual(marks('red car, red blue car', '"red car"'), ['red', 'car'])
})

test('words that are spelt alike share most of their pieces of three letters', () => {
  assert.deepEqual(toTrigrams('plan'), ['  p', ' pl', 'pla', 'lan', 'an '])
  assert.deepEqual(toTrigrams('е'), ['  е', ' е '])
})

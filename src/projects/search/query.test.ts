import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scaleRuns } from '../../../test/support/test-size.ts'
import {
  findMatchingWordPositions,
  parseWordsAndQuotedPhrases,
  toExactTsQuery,
  toSpeakerTsQuery,
  toTsQuery,
  toPositionlessTsQuery,
} from './query.ts'
import { toTrigrams } from './spelling.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))
const NO_CORRECTIONS = new Map<string, string[]>()
const toQuery = (text: string) => toTsQuery(parseWordsAndQuotedPhrases(text), NO_CORRECTIONS)

test('a tsquery contains only words and known operators for any search text', () => {
  const word = /'[\p{L}\p{N}\p{M}]+'(?::\*)?/u.source
  const anyOf = `(?:${word}|\\(${word}(?: \\| ${word})+\\))`
  const phrase = `${anyOf}(?: <(?:-|\\d)> ${anyOf})*`
  const operand = new RegExp(`^\\(${phrase}(?: \\| ${phrase})*\\)$`, 'u')
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = parseWordsAndQuotedPhrases(text)
      if (terms.length === 0) return
      for (const part of toTsQuery(terms, NO_CORRECTIONS).split(' & ')) assert.match(part, operand)
    }),
    { numRuns: scaleRuns(3_000) },
  )
})

test('quoted words form a phrase, and an unquoted word matches as a prefix', () => {
  const terms = parseWordsAndQuotedPhrases('budg "annual report" don\'t to "open')
  assert.equal(
    toTsQuery(terms, new Map([['budg', ['badge']]])),
    "('budg':* | 'badge') & ('annual' <-> 'report') & ('don' <-> 't') & ('to') & ('open':*)",
  )
})

test('matches cover whole words, and those of a phrase only where the words are adjacent', () => {
  const findMatchedWords = (text: string, q: string) =>
    findMatchingWordPositions(text, parseWordsAndQuotedPhrases(q), NO_CORRECTIONS).map(
      ({ start, end }) => text.slice(start, end),
    )
  assert.deepEqual(findMatchedWords('A plan; plans, replan.', 'plan'), ['plan', 'plans'])
  assert.deepEqual(findMatchedWords('red car, red blue car', '"red car"'), ['red', 'car'])
  assert.deepEqual(findMatchedWords('来年の会議室で会議', '会議'), ['会議', '会議'])
  assert.deepEqual(findMatchedWords('연간예산을 논의했습니다', '예산은'), ['연간예산을'])
  assert.deepEqual(findMatchedWords('an e-mail', 'email'), ['e', 'mail'])
  assert.deepEqual(findMatchedWords('Release v2.4.1', '2.4.1'), ['v2', '4', '1'])
  // A text with no sign of its language may still be part of a German document.
  assert.deepEqual(findMatchedWords('Jahresbudget', 'budget'), ['Jahresbudget'])
  assert.deepEqual(findMatchedWords('The corporate rate', 'rate'), ['rate'])
})

test('the trigrams of a word include its padded beginning and end', () => {
  assert.deepEqual(toTrigrams('plan'), ['  p', ' pl', 'pla', 'lan', 'an '])
  assert.deepEqual(toTrigrams('е'), ['  е', ' е '])
})

test('a search text in a script without spaces becomes pairs of characters', () => {
  assert.equal(toQuery('会議室'), "('会議' <-> '議室')")
  assert.equal(toQuery('会'), "('会':*)")
  assert.equal(toQuery('"会議 plan"'), "('会議' <2> 'plan')")
  assert.equal(toSpeakerTsQuery('田中 Ana M'), "'田中':B & 'ana':*B & 'm':B")
})

test('a word with a hyphen and a version are searched in both spellings', () => {
  assert.equal(toQuery('e-mail'), "('e' <-> 'mail':* | 'email':*)")
  assert.equal(
    toQuery('"e-mail address"'),
    "('e' <-> 'mail' <-> 'address' | 'email' <-> 'address')",
  )
  assert.equal(toQuery('v2.4.1'), "(('v2' | '2') <-> '4' <-> '1')")
  assert.equal(toQuery('v2'), "('v2')")
})

test('a Korean word is searched without its ending, and an Arabic word also without article and suffix', () => {
  for (const word of ['예산', '예산을', '예산에서는', '예산했습니다'])
    assert.equal(toQuery(word), "('예산':*)", word)
  // Without the particle, only one syllable would be left.
  assert.equal(toQuery('회의'), "('회의':*)")
  assert.match(toQuery('돈'), /^\(\('돈' \| '돈은' \|/)
  assert.equal(toQuery('والكتاب'), "(('والكتاب':* | 'كتاب':*))")
  assert.equal(toQuery('شركتنا'), "(('شركتنا':* | 'شركت':*))")
})

test('a query without positions has the words of phrases, and an exact query has no prefixes', () => {
  const terms = parseWordsAndQuotedPhrases('plan "annual report"')
  assert.equal(
    toPositionlessTsQuery(terms, NO_CORRECTIONS),
    "(('plan':*)) & (('annual' & 'report'))",
  )
  assert.equal(toExactTsQuery(terms), "('plan') | ('annual' <-> 'report')")
})

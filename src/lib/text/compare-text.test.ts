import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scaleRuns } from '../../../test/support/test-size.ts'
import {
  toComparableText,
  compareByUtf8Bytes,
  sortByUtf8Bytes,
  matchesWildcardPattern,
} from './compare-text.ts'

test('texts that look the same are equal', () => {
  const same = [
    ['privé', 'prive\u0301', 'PRIV\u00c9', 'PRIVE\u0301', 'pri\u00advé', 'pri\ufeff\u200bvé'],
    [
      'board meeting',
      'Board\u00a0\u200e Meeting',
      ' board\u202f\n meeting ',
      'ｂｏａｒｄ　meeting',
    ],
    ['1:1 ﬁnance', '1:1 finance'],
  ]
  for (const [first = '', ...others] of same) {
    for (const other of others) assert.equal(toComparableText(other), toComparableText(first))
  }
})

test('texts that differ in a letter, an accent or a space are not equal', () => {
  const different = ['prive', 'privé', 'boardmeeting', 'board meeting', '']
  assert.equal(new Set(different.map(toComparableText)).size, different.length)
})

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

const CASES: Array<[text: string, pattern: string, isMatch: boolean]> = [
  ['Weekly planning', 'PLAN', true],
  ['Weekly planning', 'plan b', false],
  ['Weekly planning', 'weekly*', true],
  ['The weekly planning', 'weekly*', false],
  ['Weekly planning', '*planning', true],
  ['Weekly planning (2)', '*planning', false],
  ['notes/2026/plan.md', 'notes/*.md', true],
  ['notes/2026/plan.txt', 'notes/*.md', false],
  ['aba', 'ab*ba', false],
  ['abba', 'ab*ba', true],
  ['a-b-b-c', 'a*b*c', true],
  ['a-c-b', 'a*b*c', false],
  ['anything', '*', true],
  ['', '*', true],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['(+', '(+', true],
  ['Cafe\u0301 round', 'café*', true],
]

test('a pattern is part of the text or, with *, the whole text', () => {
  for (const [text, pattern, isMatch] of CASES) {
    assert.equal(matchesWildcardPattern(text, pattern), isMatch, `${text} ${pattern}`)
  }
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { matchesWildcardPattern } from './wildcard-pattern.ts'

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

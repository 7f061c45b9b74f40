import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toComparableText } from './comparable-text.ts'

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

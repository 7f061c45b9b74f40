import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { baseLanguageOf, canonicalLanguageTag, languageNameOf } from './language-tag.ts'

test('a language tag gets its canonical spelling, and an unknown one is refused', () => {
  const cases: Array<[given: string, expected: string | null]> = [
    ['de', 'de'],
    ['PT-br', 'pt-BR'],
    ['nob', 'nb'],
    ['zh-hant', 'zh-Hant'],
    ['xx', null],
    ['de-XX', null],
    ['english', null],
    ['de_DE', null],
    ['', null],
    ['und', null],
    ['de-1996-1996', null],
    [`de-${'x'.repeat(100)}`, null],
  ]
  for (const [given, expected] of cases) assert.equal(canonicalLanguageTag(given), expected, given)
})

test('a tag has a base language and a name', () => {
  assert.deepEqual(
    [baseLanguageOf('pt-BR'), languageNameOf('pt-BR')],
    ['pt', 'Brazilian Portuguese'],
  )
  assert.deepEqual([baseLanguageOf('xx'), languageNameOf('xx')], [null, 'xx'])
})

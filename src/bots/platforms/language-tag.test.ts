import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  areLanguageTagsCompatible,
  canonicalizeLanguageTag,
  describeTranslation,
} from './language-tag.ts'

test('a language tag is normalised, and an invalid one is rejected', () => {
  const cases: Array<[string, string | null]> = [
    ['en-us', 'en-US'],
    ['EN', 'en'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['sl-1994', 'sl-1994'],
    ['', null],
    ['english', null],
    ['en_US', null],
    ['en-', null],
  ]
  for (const [given, expected] of cases)
    assert.equal(canonicalizeLanguageTag(given), expected, given)
})

test('a language without a region matches every region', () => {
  const cases: Array<[string, string, boolean]> = [
    ['en-US', 'en-us', true],
    ['en', 'en-GB', true],
    ['en-US', 'en-GB', false],
    ['de', 'en', false],
    ['zh-Hans-CN', 'zh-CN', true],
    ['', '', false],
    ['nonsense', 'nonsense', false],
  ]
  for (const [a, b, isSame] of cases)
    assert.equal(areLanguageTagsCompatible(a, b), isSame, `${a} ${b}`)
})

test('captions in another language than the spoken one are a translation', () => {
  assert.deepEqual(describeTranslation('en-US', 'de-DE'), { translatedFrom: 'de-DE' })
  assert.deepEqual(describeTranslation('en-US', 'en-GB'), {})
  assert.deepEqual(describeTranslation(null, 'de-DE'), {})
  assert.deepEqual(describeTranslation('en-US', null), {})
})

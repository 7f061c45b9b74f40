import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assert as assertProperty, constantFrom, property, string } from 'fast-check'
import { splitWords, scoreEmittedWordsMatch, extractWordKeys } from './words.ts'

test('splitWords gives the same words for ASCII text with and without its fast path', () => {
  const text = string({
    unit: constantFrom(...' \tabcXYZ019.,;:!?$+<=>^`|~\'"-_/@#%&*()[]{}\\'.split('')),
  })
  assertProperty(
    property(text, (plain) => {
      // A letter outside ASCII at the end disables the fast path.
      const other = splitWords(`${plain} é`)
      assert.deepEqual(splitWords(plain), other.slice(0, -1))
    }),
  )
})

test('scoreEmittedWordsMatch finds final words in the shown text when their spelling has changed', () => {
  const cases: Array<[said: string, shown: string, rest: string]> = [
    ['there is no', 'There is no problem', 'problem'],
    ['welcome every one', 'Welcome, everyone! Hello', 'hello'],
    ['welcome everyone', 'welcome every one hello', 'hello'],
    ['it is 2 plus 2', "it is 2 + 2, isn't it", 'isnt it'],
    ['a b c d e f', 'd e f g', 'g'],
  ]
  for (const [said, shown, rest] of cases) {
    const words = splitWords(shown)
    const { matchedCount } = scoreEmittedWordsMatch(extractWordKeys(said), words, false)
    assert.equal(
      words
        .slice(matchedCount)
        .map(({ key }) => key)
        .join(' '),
      rest,
      said,
    )
  }
  assert.ok(
    scoreEmittedWordsMatch(
      extractWordKeys('one two three'),
      splitWords('quite another text'),
      false,
    ).score <= 0,
  )
})

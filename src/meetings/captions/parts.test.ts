import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assert as holds, constantFrom, property, string } from 'fast-check'
import { alignWords } from '../../lib/text/align-words.ts'
import { preferFullerName, cleanName, createSelfCheck } from '../sanitize/person-names.ts'
import { isPageNotice, removeIconNames } from './page-notices.ts'
import { splitLongText, sentenceEnds } from './sentence-cuts.ts'
import { cleanText } from '../sanitize/text.ts'
import {
  appearedAt,
  createTextTimeline,
  dropTimelineStart,
  recordTextChange,
  stableSince,
} from './text-timeline.ts'
import { wordKeys, splitWords } from '../../lib/text/split-words.ts'

test('cleanName removes control characters, platform suffixes and placeholder names', () => {
  const cases: Array<[given: string, expected: string]> = [
    ['  Ann \u202e\n Lee ', 'Ann Lee'],
    ['Ann (Guest) (Unverified)', 'Ann'],
    ['Bob (External)', 'Bob'],
    ['spaces/abc/devices/12', ''],
    ['Google Participant (spaces/x)', ''],
    ['Unknown user', ''],
    ['x'.repeat(64_000), 'x'.repeat(200)],
    [`${'x'.repeat(199)}👍`, 'x'.repeat(199)],
  ]
  for (const [given, expected] of cases) assert.equal(cleanName(given), expected)
})

/** Combining sequences longer than the distance that `safeCut` searches for a cut. */
const LONG_SEQUENCES = ['\u{1f3fb}', '\u{1d165}', '\u{1f44d}\u{1f3fb}', '\u200d\u{1f469}'].map(
  (unit) => unit.repeat(1_000),
)

test('a long name is not cut inside a character, even with many combining marks', () => {
  for (const marks of LONG_SEQUENCES) {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const name = cleanName(`${lead}${marks}`)
      assert.ok(name.isWellFormed(), JSON.stringify(name.slice(-2)))
      assert.ok(name.length > 150 && name.length <= 200, String(name.length))
    }
  }
})

test('preferFullerName replaces a name only by a fuller one', () => {
  assert.equal(preferFullerName('', 'Ann'), 'Ann')
  assert.equal(preferFullerName('Ann', ''), 'Ann')
  assert.equal(preferFullerName('Ann', 'Ann Lee'), 'Ann Lee')
  assert.equal(preferFullerName('Ann Lee', 'Ann'), 'Ann Lee')
})

test('createSelfCheck recognises the bot under each of its names', () => {
  const isSelf = createSelfCheck(['Hansard (Guest)', ''])
  for (const name of ['You', 'hansard', 'Zoe (You)']) assert.equal(isSelf(name), true)
  for (const name of ['', 'Young', 'Hans']) assert.equal(isSelf(name), false)
})

test('isPageNotice matches page notices but not sentences with similar words', () => {
  for (const text of [
    'Maria has joined',
    'Jump to bottom',
    'Your microphone is off',
    'Bo left the call',
  ]) {
    assert.equal(isPageNotice(text), true, text)
  }
  for (const text of ['Maria has joined.', 'Maria has joined us today', 'My microphone is off.']) {
    assert.equal(isPageNotice(text), false, text)
  }
  assert.equal(removeIconNames('keep_outline I use snake_case more_vert'), 'I use snake_case')
})

test('cleanText removes invisible characters but keeps the joiners in words and emoji', () => {
  assert.equal(cleanText(' a\u0000\u200b\u202e  b\tc\u2069 '), 'a b c')
  assert.equal(cleanText('e\u0301'), 'é')
  assert.equal(cleanText('👩\u200d👧 می\u200cخواهم'), '👩\u200d👧 می\u200cخواهم')
})

test('sentenceEnds finds full stops but not those of abbreviations and numbers', () => {
  const text = 'Dr. No paid 3.50 today. "Really?" Yes! 好。再见。'
  const ends = sentenceEnds(text)
  assert.deepEqual(
    ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end).trim()),
    ['Dr. No paid 3.50 today.', '"Really?"', 'Yes!', '好。', '再见。'],
  )
})

test('splitLongText loses no character of a long text', () => {
  const text = `${'One two three. '.repeat(100)}${'x'.repeat(3_000)}`
  const pieces = splitLongText(text, { sentenceCapChars: 400, wordCapChars: 800 })
  assert.equal(pieces.join(''), text)
  assert.ok(pieces.every((piece) => piece.length <= 800))
})

test('splitLongText does not cut inside a character', () => {
  for (const marks of LONG_SEQUENCES) {
    const text = `a${marks}`
    const pieces = splitLongText(text, { sentenceCapChars: 400, wordCapChars: 800 })
    assert.equal(pieces.join(''), text)
    assert.ok(pieces.every((piece) => piece.length <= 800 && piece.isWellFormed()))
  }
})

test('alignWords finds final words in the shown text when their spelling has changed', () => {
  const cases: Array<[said: string, shown: string, rest: string]> = [
    ['there is no', 'There is no problem', 'problem'],
    ['welcome every one', 'Welcome, everyone! Hello', 'hello'],
    ['welcome everyone', 'welcome every one hello', 'hello'],
    ['it is 2 plus 2', "it is 2 + 2, isn't it", 'isnt it'],
    ['a b c d e f', 'd e f g', 'g'],
  ]
  for (const [said, shown, rest] of cases) {
    const words = splitWords(shown)
    const { matchedCount } = alignWords(wordKeys(said), words, false)
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
    alignWords(wordKeys('one two three'), splitWords('quite another text'), false).score <= 0,
  )
})

test('a text timeline records when text appeared and when it last changed', () => {
  const timeline = createTextTimeline()
  recordTextChange(timeline, '', 'one', 10)
  recordTextChange(timeline, 'one', 'one two', 20)
  recordTextChange(timeline, 'one two', 'one too', 30)
  assert.deepEqual([stableSince(timeline, 3), stableSince(timeline, 7)], [10, 30])
  assert.deepEqual([appearedAt(timeline, 0), appearedAt(timeline, 5)], [10, 20])
  dropTimelineStart(timeline, 4)
  assert.deepEqual([appearedAt(timeline, 0), stableSince(timeline, 3)], [20, 30])
})

test('splitWords gives the same words for ASCII text with and without its fast path', () => {
  const text = string({
    unit: constantFrom(...' \tabcXYZ019.,;:!?$+<=>^`|~\'"-_/@#%&*()[]{}\\'.split('')),
  })
  holds(
    property(text, (plain) => {
      // A letter outside ASCII at the end turns the fast path off.
      const other = splitWords(`${plain} é`)
      assert.deepEqual(splitWords(plain), other.slice(0, -1))
    }),
  )
})

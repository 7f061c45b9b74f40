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
  dropStart,
  recordChange,
  stableSince,
} from './text-timeline.ts'
import { wordKeys, splitWords } from '../../lib/text/split-words.ts'

test('names lose marks, suffixes and everything that is no name', () => {
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

/** Longer than anybody looks for the end of what is shown as one character. */
const ENDLESS = ['\u{1f3fb}', '\u{1d165}', '\u{1f44d}\u{1f3fb}', '\u200d\u{1f469}'].map((unit) =>
  unit.repeat(1_000),
)

test('no name is cut through a character, however many marks it has', () => {
  for (const marks of ENDLESS) {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const name = cleanName(`${lead}${marks}`)
      assert.ok(name.isWellFormed(), JSON.stringify(name.slice(-2)))
      assert.ok(name.length > 150 && name.length <= 200, String(name.length))
    }
  }
})

test('a name is replaced by a better one only', () => {
  assert.equal(preferFullerName('', 'Ann'), 'Ann')
  assert.equal(preferFullerName('Ann', ''), 'Ann')
  assert.equal(preferFullerName('Ann', 'Ann Lee'), 'Ann Lee')
  assert.equal(preferFullerName('Ann Lee', 'Ann'), 'Ann Lee')
})

test('the bot is recognised under each of its names', () => {
  const isSelf = createSelfCheck(['Hansard (Guest)', ''])
  for (const name of ['You', 'hansard', 'Zoe (You)']) assert.equal(isSelf(name), true)
  for (const name of ['', 'Young', 'Hans']) assert.equal(isSelf(name), false)
})

test('notices of the page are told from sentences about the same', () => {
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

test('text is stored without what cannot be seen', () => {
  assert.equal(cleanText(' a\u0000\u200b\u202e  b\tc\u2069 '), 'a b c')
  assert.equal(cleanText('e\u0301'), 'é')
  assert.equal(cleanText('👩\u200d👧 می\u200cخواهم'), '👩\u200d👧 می\u200cخواهم')
})

test('sentences end at their full stops, not at abbreviations or numbers', () => {
  const text = 'Dr. No paid 3.50 today. "Really?" Yes! 好。再见。'
  const ends = sentenceEnds(text)
  assert.deepEqual(
    ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end).trim()),
    ['Dr. No paid 3.50 today.', '"Really?"', 'Yes!', '好。', '再见。'],
  )
})

test('pieces of a long text are the text', () => {
  const text = `${'One two three. '.repeat(100)}${'x'.repeat(3_000)}`
  const cut = splitLongText(text, { sentenceCapChars: 400, wordCapChars: 800 })
  assert.equal(cut.join(''), text)
  assert.ok(cut.every((piece) => piece.length <= 800))
})

test('no piece of a long text ends inside a character', () => {
  for (const marks of ENDLESS) {
    const text = `a${marks}`
    const cut = splitLongText(text, { sentenceCapChars: 400, wordCapChars: 800 })
    assert.equal(cut.join(''), text)
    assert.ok(cut.every((piece) => piece.length <= 800 && piece.isWellFormed()))
  }
})

test('words said are found in what is shown, however it is spelt now', () => {
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

test('a timeline knows since when text stands and when it began', () => {
  const timeline = createTextTimeline()
  recordChange(timeline, '', 'one', 10)
  recordChange(timeline, 'one', 'one two', 20)
  recordChange(timeline, 'one two', 'one too', 30)
  assert.deepEqual([stableSince(timeline, 3), stableSince(timeline, 7)], [10, 30])
  assert.deepEqual([appearedAt(timeline, 0), appearedAt(timeline, 5)], [10, 20])
  dropStart(timeline, 4)
  assert.deepEqual([appearedAt(timeline, 0), stableSince(timeline, 3)], [20, 30])
})

test('plain text has the same words as it would have among other scripts', () => {
  const text = string({
    unit: constantFrom(...' \tabcXYZ019.,;:!?$+<=>^`|~\'"-_/@#%&*()[]{}\\'.split('')),
  })
  holds(
    property(text, (plain) => {
      // A letter from elsewhere behind it makes the text one that is looked at with more care.
      const other = splitWords(`${plain} é`)
      assert.deepEqual(splitWords(plain), other.slice(0, -1))
    }),
  )
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { normalizeSpeakerName } from './people.ts'
import { shortenToOneLine } from './clean-text.ts'
import { createEnglishDetector, findOtherLanguage } from './detect-language.ts'
import { splitSentences } from './sentences.ts'
import { countWords } from './words.ts'

const GERMAN =
  'Ich denke, wir sollten das auf Donnerstag verschieben, weil niemand Zeit hatte, sich das anzuschauen. Was meint ihr dazu? Um fünf Uhr haben wir noch ein Gespräch mit dem Kunden.'
const ENGLISH =
  'So I was thinking that we could push the release to Thursday because nobody had the time to look at it. What do you think about that? The customer wants to see the figures too.'
const RUSSIAN =
  'Я думаю, что нам нужно перенести это на четверг, потому что ни у кого не было времени посмотреть. Что вы думаете об этом? Клиент тоже хочет увидеть цифры.'

test('countWords counts words in scripts with and without spaces', () => {
  const cases: Array<[text: string, count: number]> = [
    ['', 0],
    ['  — … !? 👍 ', 0],
    ["I don't know, it's 3.5 % of twenty-one.", 7],
    ['naïve Ærøskøbing — Ελλάδα', 3],
    ['我觉得我们应该推迟发布。', 6],
    ['リリースを延期します', 5],
    ['เราควรเลื่อนออกไป', 5],
    ['我们用 Postgres 吧', 3],
    ['저는 그렇게 생각합니다', 3],
  ]
  for (const [text, count] of cases) assert.equal(countWords(text), count, text)
})

test('shortenToOneLine gives one short line of visible characters', () => {
  const cases: Array<[given: string, max: number, expected: string]> = [
    [' a\n\tb\u0000c \u202e d\u2066\u200b ', 80, 'a b c d'],
    ['one two three', 8, 'one two…'],
    ['x'.repeat(100_000), 10, 'xxxxxxxxx…'],
    ['xxxx👍👍👍', 6, 'xxxx…'],
    ['👩\u200d👧 می\u200cخواهم', 80, '👩\u200d👧 می\u200cخواهم'],
    ['\ud800lone', 80, 'lone'],
  ]
  for (const [given, max, expected] of cases) assert.equal(shortenToOneLine(given, max), expected)
})

test('shortenToOneLine does not cut inside a character, even with many combining marks', () => {
  for (const lead of ['', 'x', 'xx']) {
    for (const max of [40, 41, 80, 81]) {
      const line = shortenToOneLine(`${lead}${'\u{1f3fb}'.repeat(200)}`, max)
      assert.ok(line.isWellFormed() && line.length <= max, JSON.stringify(line))
    }
  }
})

test('splitSentences splits at the ends of sentences, not at numbers and abbreviations', () => {
  assert.deepEqual(splitSentences('Dr. No paid 3.50 today. "Really?" Yes… 好。再见。so'), [
    'Dr. No paid 3.50 today.',
    '"Really?"',
    'Yes…',
    '好。',
    '再见。',
    'so',
  ])
  assert.deepEqual(
    splitSentences('Bis zum 20. ändern. Am 3. Oktober ist frei. Wir sind 20. Gut.'),
    ['Bis zum 20. ändern.', 'Am 3. Oktober ist frei.', 'Wir sind 20.', 'Gut.'],
  )
})

test('normalizeSpeakerName leaves normal names unchanged and is empty for an unknown speaker', () => {
  for (const name of ['Ann', 'José Núñez', '王小明', 'O’Neil-Smith (HR)']) {
    assert.equal(normalizeSpeakerName(name), name)
  }
  assert.equal(normalizeSpeakerName('Unknown speaker'), '')
  assert.equal(normalizeSpeakerName(' \u202e\u0000 '), '')
  assert.equal(normalizeSpeakerName('n'.repeat(65_536)).length, 200)
})

test('a meeting counts as English until another language is detected', () => {
  for (const [text, isEnglish] of [
    [ENGLISH, true],
    [GERMAN, false],
    [RUSSIAN, false],
    ['我觉得我们应该把发布推迟到星期四。', false],
    ['12345 67890 '.repeat(10), true],
  ] as const) {
    const language = createEnglishDetector()
    assert.equal(language.isEnglish(), true)
    for (let i = 0; i < 20; i += 1) language.addText(text)
    assert.equal(language.isEnglish(), isEnglish, text)
  }
})

test('a few foreign sentences do not change the detected language, a lasting change does', () => {
  const language = createEnglishDetector()
  for (let i = 0; i < 30; i += 1) language.addText(ENGLISH)
  for (let i = 0; i < 3; i += 1) language.addText(GERMAN)
  assert.equal(language.isEnglish(), true)
  for (let i = 0; i < 400; i += 1) language.addText(GERMAN)
  assert.equal(language.isEnglish(), false)
})

test('a text in another language than expected is found, unless the two are similar or it is short', () => {
  const long = (text: string) => `${text} ${text}`
  const cases: Array<[text: string, expected: string, found: string | null]> = [
    [long(GERMAN), 'en', 'de'],
    [long(GERMAN), 'de', null],
    [long(RUSSIAN), 'uk', 'ru'],
    [long(RUSSIAN), 'ja', 'ru'],
    [long(ENGLISH), 'ms', 'en'],
    // Galician would be taken for Portuguese or Spanish, so nothing is known about it.
    [long(ENGLISH), 'gl', null],
    ['Okay.', 'de', null],
    ['', 'de', null],
  ]
  for (const [text, expected, found] of cases) {
    assert.equal(findOtherLanguage(text, expected), found, `${expected}: ${text}`)
  }
  const danish =
    'Vi har besluttet, at den nye side skal offentliggøres på fredag, og at Ben retter fejlen i søgningen inden onsdag. Ingen ved endnu, hvem der fortæller kunderne om ændringen, så det spørgsmål er stadig åbent efter mødet.'
  assert.equal(findOtherLanguage(danish, 'nb'), null)
  assert.equal(findOtherLanguage(danish, 'sv'), 'da')
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scaleRuns } from '../../../test/support/test-size.ts'
import { createNameCorrector } from './correct-names.ts'
import { loadWordRanker } from './ordinary-words.ts'
import { type KnownNames, MOST_PEOPLE, MOST_TERMS } from './name-candidates.ts'

const rankWord = await loadWordRanker()
const open = (names: KnownNames) => createNameCorrector(names, rankWord)

const PEOPLE = [
  'Priya Raghunathan',
  'Jürgen Schwarzenbach (Guest)',
  'Wojciech Kowalczyk',
  'Siobhan Gallagher',
  'Sunita Deshpande',
  'Mark Grant',
  'Ana Costa',
]
const corrector = open({ people: PEOPLE, terms: ['Nextcloud', 'Grafana'] })
const correct = (text: string) => corrector.correct(text).text

test('a name that was heard wrong is corrected, even if it was heard as several words', () => {
  for (const [heard, right] of [
    ['I agree with Priya Raghu Mythin.', 'I agree with Priya Raghunathan.'],
    ['Then Jurgen knows.', 'Then Jürgen knows.'],
    ['Good morning Sunita Dashpand.', 'Good morning Sunita Deshpande.'],
    ['Yesterday Shabang Gallegor showed it.', 'Yesterday Siobhan Gallagher showed it.'],
    ["Kowalchik's next cloud is slow.", "Kowalczyk's Nextcloud is slow."],
    ['The test on Drafana failed.', 'The test on Grafana failed.'],
  ] as const)
    assert.equal(correct(heard), right)
})

test('ordinary words, right names, numbers and the words beside them stay as they are', () => {
  for (const text of [
    'We should mark it and grant more time.',
    'Well, will you ask with Priya Raghunathan again?',
    'Canada costs 20 percent more, and Germany a bit less.',
    'Maria and Tim come from another company.',
    'They cost a lot. Next we go on.',
    'Jürgen Schwarzenbach, can you hear us?',
    'Mythin Gallagher is somebody else.',
  ])
    assert.equal(correct(text), text)
})

test('a name is not chosen between two that sound alike', () => {
  const two = open({ people: ['Katarina Berg', 'Catarina Berk'], terms: [] })
  assert.equal(two.correct('Ask Katterina about it.').text, 'Ask Katterina about it.')
})

test('an entry can only add letters, whatever it contains', () => {
  const hostile = [
    '<img src=x onerror=alert(1)>',
    '](http://evil.example) Raghunathan',
    '\u202eRaghunathan\u0000\n# Heading',
    '$& $1 $`',
    '__proto__',
    'constructor',
    '(((((((a+)+)+)+)+)+$',
    'ﷺ'.repeat(300),
    'x'.repeat(100_000),
    '',
  ]
  const { correct: correctText } = open({ people: hostile, terms: hostile })
  for (const heard of ['The constructor of Raghunatan is $1.', hostile.join(' ')]) {
    const { corrections } = correctText(heard)
    for (const { name } of corrections) assert.match(name, /^[\p{L}\p{M}' -]+$/u)
  }
})

test('text around corrections stays', () => {
  const word = fc.constantFrom(
    'the',
    'Priya',
    'Raghu',
    'Mythin,',
    'Gallegor.',
    'next',
    'cloud',
    'Ana',
    "Jurgen's",
    '—',
    '42',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const text = words.join(' ')
      const once = corrector.correct(text)
      let rest = once.text
      for (const { name } of once.corrections) rest = rest.slice(rest.indexOf(name) + name.length)
      assert.ok(text.endsWith(rest))
    }),
    { numRuns: scaleRuns(1_600) },
  )
})

test('more people, terms and words than allowed are left out', () => {
  const people = Array.from({ length: MOST_PEOPLE }, (_, i) => `Zorbax${toLetters(i)} Quentlin`)
  const terms = Array.from({ length: MOST_TERMS }, (_, i) => `Vexmor${toLetters(i)}`)
  const many = open({
    people: [...people, 'Priya Raghunathan'],
    terms: [...terms, 'Nextcloud'],
  })
  assert.equal(many.correct('Raghunatan has next cloud.').text, 'Raghunatan has next cloud.')
  const long = `${'word '.repeat(200)}Jurgen`
  assert.equal(correct(long), long)
})

function toLetters(index: number): string {
  return Array.from(String(index), (digit) => 'bdfgklmnpr'.charAt(Number(digit))).join('a')
}

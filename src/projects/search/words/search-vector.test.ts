import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSearchVectors, toSearchVector } from './search-vector.ts'

/** The words of a vector without positions. */
const wordsOf = (vector: string) => [...vector.matchAll(/'([^']+)'/g)].map(([, word]) => word)

test('a search vector has the positions of all words, and those of the speaker after a gap', () => {
  assert.equal(
    toSearchVector('The plan, the Plan!', 'Ada B'),
    "'the':1,3 'plan':2,4 'ada':12B 'b':13B",
  )
  assert.equal(toSearchVector('…'), '')
})

test('a vector has pairs of characters of scripts without spaces', () => {
  assert.equal(
    toSearchVector('Q3の会議 in 東京'),
    "'q3':1 'の会':2 '会議':3 '議':4 'in':5 '東京':6 '京':7",
  )
  assert.deepEqual(wordsOf(toSearchVector('サーバー')), ['サー', 'ーバ', 'バー', 'ー'])
})

test('a vector has hyphenated words in one piece, and versions without their letter', () => {
  assert.equal(
    toSearchVector('an e-mail on v2.4'),
    "'an':1 'e':2 'email':2,3 'mail':3 'on':4 'v2':5 '2':5C '4':6",
  )
  assert.equal(toSearchVector('2026-11-15'), "'2026':1 '11':2 '15':3")
})

test('a vector has the parts of compounds in German and related languages, and in no others', async () => {
  const hasPart = (text: string, part: string) => wordsOf(toSearchVector(text)).includes(part)
  for (const [text, part] of [
    ['Das Jahresbudget ist genehmigt.', 'budget'],
    ['Wir planen die Vorstandssitzung.', 'sitzung'],
    ['Der Projektauftrag liegt vor.', 'auftrag'],
    ['Die Softwareentwicklung und der Bauplan', 'entwicklung'],
    ['Die Softwareentwicklung und der Bauplan', 'plan'],
    ['Kundendatenbank und Straßenbau', 'datenbank'],
    ['De vergaderzaal is niet vrij.', 'zaal'],
    ['Vi har inte ett styrelsemöte', 'mote'],
  ] as const)
    assert.ok(hasPart(text, part), `${part} in ${text}`)
  assert.ok(!hasPart('The corporate plan has to separate this.', 'rate'))
  assert.ok(!hasPart('La corporation a une bonne information pour nous', 'formation'))
  // The language of a document is recognized from all its texts.
  const { texts } = await createSearchVectors([
    { text: 'Jahresbudget' },
    { text: 'Es ist noch nicht fertig.' },
  ])
  assert.ok(wordsOf(texts[0] ?? '').includes('budget'))
})

test('a vector has Korean nouns inside words, and Arabic and Hebrew words without the small words before them', () => {
  assert.deepEqual(wordsOf(toSearchVector('연간예산을')), [
    '연간예산을',
    '간예산을',
    '예산을',
    '산을',
  ])
  for (const [text, stem] of [
    ['والكتاب', 'كتاب'],
    ['بالكتاب', 'كتاب'],
    ['للكتاب', 'كتاب'],
    ['وبكتاب', 'كتاب'],
    ['فكتاب', 'كتاب'],
    ['והתקציב', 'תקציב'],
    ['בתקציב', 'תקציב'],
  ] as const)
    assert.ok(wordsOf(toSearchVector(text)).includes(stem), text)
})

test('the words of several texts are kept together unless one text has them all', async () => {
  const { whole: none } = await createSearchVectors([
    { text: 'Talk 5' },
    { text: 'This is talk 5.' },
  ])
  assert.equal(none, null)
  assert.equal((await createSearchVectors([{ text: 'alone' }])).whole, null)
  const { whole } = await createSearchVectors([
    { text: 'one two' },
    { text: 'two three', speaker: 'Ada' },
  ])
  assert.equal(whole, "'one' 'two' 'three' 'ada'")
})

test('the words of a very large document fit into one vector of PostgreSQL', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => ({
    text: Array.from({ length: 400 }, (__, k) => `word${i}x${k}`).join(' '),
  }))
  const { whole } = await createSearchVectors(texts)
  assert.ok((whole ?? '').length < 1_500_000)
})

test('other work runs while the vectors of many texts are made', async () => {
  let hasRun = false
  setImmediate(() => (hasRun = true))
  // Takes many times as long as a slice may take.
  const { texts } = await createSearchVectors(
    Array.from({ length: 20_000 }, (_, i) => ({ text: `one two three word${i}` })),
  )
  assert.equal(texts.length, 20_000)
  assert.ok(hasRun)
})

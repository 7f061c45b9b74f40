import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { countWords } from './words.ts'

const SAID = [
  { speaker: 'Ana', text: '1 is first', fromMs: 0, toMs: 1_000 },
  { speaker: 'Ana', text: '2 comes after that', fromMs: 5_000, toMs: 6_000 },
  { speaker: 'Ana', text: '3 is last', fromMs: 10_000, toMs: 11_000 },
]
const ALL = SAID.map(({ speaker, text, fromMs }) => ({ speaker, text, atMs: fromMs }))

test('a complete transcript has no errors', () => {
  assert.deepEqual(countWords(SAID, ALL, [], 0), {
    said: 10,
    lostInGaps: 0,
    lostOutside: 0,
    doubled: 0,
    outOfOrder: 0,
  })
})

test('lost words are allowed only where the transcript has a gap', () => {
  const gap = { fromMs: 5_500, toMs: 8_000 }
  const segments = [
    { speaker: 'Ana', text: '1 is first', atMs: 0 },
    { speaker: 'Ana', text: '2 comes', atMs: 5_000 },
    { speaker: 'Ana', text: '3 is last', atMs: 10_000 },
  ]
  assert.partialDeepStrictEqual(countWords(SAID, segments, [gap], 0), {
    lostInGaps: 2,
    lostOutside: 0,
  })
  assert.partialDeepStrictEqual(countWords(SAID, segments, [{ fromMs: 7_000, toMs: 8_000 }], 0), {
    lostInGaps: 0,
    lostOutside: 2,
  })
})

test('repeated and reordered segments are counted', () => {
  const segments = [
    { speaker: 'Ana', text: '1 is first', atMs: 0 },
    { speaker: 'Ana', text: '3 is last', atMs: 10_000 },
    { speaker: 'Ana', text: '2 comes after that', atMs: 5_000 },
    { speaker: 'Ana', text: '2 comes', atMs: 5_000 },
  ]
  assert.partialDeepStrictEqual(countWords(SAID, segments, [], 0), { doubled: 2, outOfOrder: 2 })
})

test('a part that two utterances have belongs to the one of its time', () => {
  const said = [
    ...SAID,
    { speaker: 'Ana', text: '4 also comes after that', fromMs: 15_000, toMs: 16_000 },
  ]
  const segments = [...ALL, { speaker: 'Ana', text: 'comes after that', atMs: 15_500 }]
  assert.partialDeepStrictEqual(countWords(said, segments, [], 0), { lostOutside: 2, doubled: 0 })
})

test('a part of an utterance is not taken for that of another speaker', () => {
  const said = [
    { speaker: 'Ana', text: '5 is next', fromMs: 0, toMs: 1_000 },
    { speaker: 'Ben', text: '5 is easy', fromMs: 2_000, toMs: 3_000 },
  ]
  const segments = [
    { speaker: 'Ana', text: '5 is next', atMs: 0 },
    { speaker: 'Ben', text: '5', atMs: 900 },
    { speaker: 'Ben', text: 'is easy', atMs: 2_500 },
  ]
  assert.partialDeepStrictEqual(countWords(said, segments, [], 0), { lostOutside: 0, doubled: 0 })
})

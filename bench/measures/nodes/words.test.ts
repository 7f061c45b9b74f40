import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { countWords } from './words.ts'

const SAID = [
  { text: '1 is first', fromMs: 0, toMs: 1_000 },
  { text: '2 comes after that', fromMs: 5_000, toMs: 6_000 },
  { text: '3 is last', fromMs: 10_000, toMs: 11_000 },
]
const ALL = SAID.map(({ text }) => text)

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
  const segments = ['1 is first', '2 comes', '3 is last']
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
  const segments = ['1 is first', '3 is last', '2 comes after that', '2 comes']
  assert.partialDeepStrictEqual(countWords(SAID, segments, [], 0), { doubled: 2, outOfOrder: 2 })
})

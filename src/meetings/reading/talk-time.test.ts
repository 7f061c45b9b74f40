import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { computeTalkTimesMostWordsFirst } from './talk-time.ts'

function talkTimeOf(...lines: Array<[seconds: number, speaker: string, text: string]>) {
  const segments = lines.map(([seconds, speaker, text], i) => ({
    number: i + 1,
    speaker,
    text,
    atMs: seconds * 1000,
  }))
  return computeTalkTimesMostWordsFirst(segments)
}

test('talk time counts words, segments and seconds of each speaker, most words first', () => {
  const rows = talkTimeOf(
    [0, 'Ana', 'one two three'],
    [2, 'Ben', 'one two three four five six'],
    [4, 'Ana', 'four'],
  )
  assert.deepEqual(
    rows.map(({ speaker, segments, words, share }) => ({ speaker, segments, words, share })),
    [
      { speaker: 'Ben', segments: 1, words: 6, share: 0.6 },
      { speaker: 'Ana', segments: 2, words: 4, share: 0.4 },
    ],
  )
  assert.ok(rows.every(({ seconds }) => Number.isInteger(seconds) && seconds > 0))
})

test('a segment lasts until the next one starts, but not longer than its words take to say', () => {
  const [ana] = talkTimeOf([0, 'Ana', 'short'], [600, 'Ben', 'later'])
  assert.equal(ana?.seconds, 1)
  const long = 'word '.repeat(300)
  const rows = talkTimeOf([0, 'Ana', long], [10, 'Ben', 'me too'])
  assert.equal(rows.find(({ speaker }) => speaker === 'Ana')?.seconds, 10)
})

test('a segment of an overlapping speaker that started earlier does not shorten the segment before it', () => {
  const rows = talkTimeOf([10, 'Ben', 'b'.repeat(45)], [5, 'Ana', 'a'.repeat(150)])
  assert.deepEqual(
    rows.map(({ speaker, seconds }) => [speaker, seconds]),
    [
      ['Ben', 3],
      ['Ana', 10],
    ],
  )
})

test('talk time is empty when no words were spoken', () => {
  assert.deepEqual(talkTimeOf(), [])
  assert.deepEqual(talkTimeOf([0, 'Ana', ' ']), [])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { computeTalkTime } from './talk-time.ts'

function said(...lines: Array<[seconds: number, speaker: string, text: string]>) {
  const segments = lines.map(([seconds, speaker, text], i) => ({
    number: i + 1,
    speaker,
    text,
    atMs: seconds * 1000,
  }))
  return computeTalkTime(segments)
}

test('talk time counts words, segments and seconds of each speaker, most words first', () => {
  const rows = said(
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

test('a speaker counts as talking until the next one begins, but not longer than the words take', () => {
  const [ana] = said([0, 'Ana', 'short'], [600, 'Ben', 'later'])
  assert.equal(ana?.seconds, 1)
  const long = 'word '.repeat(300)
  const rows = said([0, 'Ana', long], [10, 'Ben', 'me too'])
  assert.equal(rows.find(({ speaker }) => speaker === 'Ana')?.seconds, 10)
})

test('somebody who began earlier and finished later does not shorten what was said meanwhile', () => {
  const rows = said([10, 'Ben', 'b'.repeat(45)], [5, 'Ana', 'a'.repeat(150)])
  assert.deepEqual(
    rows.map(({ speaker, seconds }) => [speaker, seconds]),
    [
      ['Ben', 3],
      ['Ana', 10],
    ],
  )
})

test('when nothing was said nobody talked', () => {
  assert.deepEqual(said(), [])
  assert.deepEqual(said([0, 'Ana', ' ']), [])
})

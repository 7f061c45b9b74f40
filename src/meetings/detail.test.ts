import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { talkTimeOf } from './detail.ts'

const startedAt = new Date('2026-11-15T12:00:00.000Z')

function said(...lines: Array<[seconds: number, speaker: string, text: string]>) {
  const segments = lines.map(([seconds, speaker, text], i) => ({
    number: i + 1,
    captionId: `c${i}`,
    speaker,
    text,
    startedAt: new Date(startedAt.getTime() + seconds * 1000),
  }))
  return talkTimeOf({ segments, startedAt })
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

test('when nothing was said nobody talked', () => {
  assert.deepEqual(said(), [])
  assert.deepEqual(said([0, 'Ana', ' ']), [])
})

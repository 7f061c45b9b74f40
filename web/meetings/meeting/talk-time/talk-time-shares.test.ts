import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { computeTalkTime, formatMinutes, formatShare, splitOthers } from './talk-time-shares.ts'

const line = (segmentNumber: number, speaker: string, text: string): ApiSegment => ({
  segmentNumber,
  speaker,
  text,
  timestamp: `2026-01-01T10:00:${String(segmentNumber * 2).padStart(2, '0')}.000Z`,
  source: 'captions',
})

test('talk time is counted over all chunks, most words first', () => {
  const chunks = [
    [line(1, 'Ana', 'one two three'), line(2, '', 'four')],
    [line(3, 'Ben', 'one two three four'), line(4, 'Ana', '你好世界')],
  ]
  assert.deepEqual(
    computeTalkTime(chunks).map(({ speaker, words, share }) => [speaker, words, share]),
    [
      ['Ana', 5, 0.5],
      ['Ben', 4, 0.4],
      ['Unknown speaker', 1, 0.1],
    ],
  )
})

test('a line lasts until the next one starts, but not longer than its words take and at least a second', () => {
  const long = 'word '.repeat(30)
  const chunk = [line(1, 'Ana', long), line(2, 'Ben', 'yes'), line(3, 'Cid', long)]
  assert.deepEqual(
    computeTalkTime([chunk]).map(({ speaker, seconds }) => [speaker, seconds]),
    [
      ['Ana', 2],
      ['Cid', 10],
      ['Ben', 1],
    ],
  )
})

test('five speakers are named, and the others are one sum', () => {
  const shares = Array.from({ length: 30 }, (_, i) => ({
    speaker: `Speaker ${i}`,
    words: 30 - i,
    seconds: 60,
    share: (30 - i) / 465,
  }))
  const { named, others } = splitOthers(shares)
  assert.deepEqual(
    named.map(({ speaker }) => speaker),
    ['Speaker 0', 'Speaker 1', 'Speaker 2', 'Speaker 3', 'Speaker 4'],
  )
  assert.partialDeepStrictEqual(others, { count: 25, words: 325, seconds: 1_500 })
  assert.equal(splitOthers(shares.slice(0, 5)).others, null)
})

test('little is not shown as nothing', () => {
  assert.deepEqual([0, 0.001, 0.424].map(formatShare), ['0%', '<1%', '42%'])
  assert.deepEqual([4, 31, 3_600].map(formatMinutes), ['<1 min', '1 min', '60 min'])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pickBest, scoreTexts, type CandidateText } from './rank-texts.ts'

const text = (
  number: number,
  termBits: number,
  more: Partial<CandidateText> = {},
): CandidateText => ({
  sourceId: 'a',
  number,
  termBits,
  titleTermBits: 0,
  length: 10,
  isNamedSpeaker: false,
  ...more,
})

/** The numbers of the texts, best first. */
function rank(texts: CandidateText[], termWeights: number[], isOnlyNameAsked = false): number[] {
  return scoreTexts({ kind: 'segment', texts, termWeights, averageLength: 10, isOnlyNameAsked })
    .toSorted((a, b) => b.score - a.score)
    .map(({ number }) => number)
}

test('a rare term counts more than two frequent ones, and a long text more than a short one', () => {
  assert.deepEqual(rank([text(100, 0b110), text(200, 0b001)], [5, 1, 1]), [200, 100])
  assert.deepEqual(rank([text(100, 1), text(200, 1, { length: 40 })], [1]), [200, 100])
})

test('words before a text add more to its score than words after it', () => {
  const [before, after] = [text(98, 0b10), text(202, 0b10)]
  assert.deepEqual(
    rank([before, text(100, 1), text(200, 1), after], [2, 1]).slice(0, 2),
    [100, 200],
  )
})

test('near texts, the title and a named speaker add to the score, and other texts without a term have none', () => {
  assert.deepEqual(rank([text(100, 1), text(200, 1), text(202, 0b10)], [1, 0.1]), [200, 100, 202])
  assert.deepEqual(rank([text(100, 1), text(200, 1, { titleTermBits: 0b10 })], [1, 1]), [200, 100])
  assert.deepEqual(rank([text(100, 1), text(200, 1, { isNamedSpeaker: true })], [1]), [200, 100])
  assert.deepEqual(rank([text(100, 1), text(101, 0)], [1]), [100])
  assert.deepEqual(rank([text(100, 1), text(101, 0, { isNamedSpeaker: true })], [1]), [100, 101])
  assert.deepEqual(rank([text(100, 0), text(101, 0, { isNamedSpeaker: true })], [0], true), [101])
})

test('one result stands for the texts of its source around it', () => {
  const sorted = [text(5, 1), text(6, 1), text(6, 1, { sourceId: 'b' }), text(8, 1), text(9, 1)]
  const picked = pickBest(sorted, 3, () => 2).map(({ sourceId, number }) => `${sourceId}${number}`)
  assert.deepEqual(picked, ['a5', 'b6', 'a8'])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { chooseTsQueries } from './candidate-texts.ts'
import type { QuestionTerm } from './question-terms.ts'

const term = (word: string, weight = 1): QuestionTerm => ({
  words: [{ word, isPrefix: false }],
  weight,
  tokenIndexes: [0],
  canBeName: false,
})
const statistics = (...counts: number[]) => ({
  sampleSize: 1_000,
  averageLength: 10,
  counts,
  textCount: 100_000,
})

test('candidates have the rarest terms, as long as these have few texts together', () => {
  const terms = [term('common'), term('rare'), term('seldom'), term('say', 0.2)]
  assert.deepEqual(chooseTsQueries(terms, statistics(300, 0, 5, 1), 1_000), {
    rareTsQuery: "('rare':ACD) | ('seldom':ACD) | ('say':ACD)",
    pairTsQuery: null,
  })
})

test('candidates have two terms if every term is frequent, and a single frequent term has none', () => {
  assert.deepEqual(
    chooseTsQueries([term('one'), term('two'), term('three')], statistics(300, 20, 30), 1_000),
    {
      rareTsQuery: null,
      pairTsQuery: "(('two':ACD) & ('three':ACD)) | (('two':ACD) & ('one':ACD))",
    },
  )
  const withWeakWord = [term('one'), term('two'), term('say', 0.2)]
  assert.equal(chooseTsQueries(withWeakWord, statistics(300, 200, 1), 1_000).rareTsQuery, null)
  assert.deepEqual(chooseTsQueries([term('one')], statistics(300), 1_000), {
    rareTsQuery: null,
    pairTsQuery: null,
  })
})

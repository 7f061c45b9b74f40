import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { editDistance } from './edit-distance.ts'

test('the distance of two texts is the number of changed characters', () => {
  const cases: ReadonlyArray<[from: string, to: string, distance: number]> = [
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['standpu', 'standup', 2],
    ['flaw', 'lawn', 2],
    ['same', 'same', 0],
  ]
  for (const [from, to, distance] of cases) assert.equal(editDistance(from, to), distance)
})

test('the distance is symmetric and never longer than a way over a third text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      assert.equal(editDistance(a, b), editDistance(b, a))
      assert.ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c))
      assert.equal(editDistance(a, b) === 0, a === b)
    }),
    { seed: 42, numRuns: 500 },
  )
})

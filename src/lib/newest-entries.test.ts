import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { addIfNew, setNewest } from './newest-entries.ts'

test('maps and sets keep only their newest entries', () => {
  const map = new Map<string, number>()
  for (const [i, key] of ['a', 'b', 'a', 'c'].entries()) setNewest(map, key, i, 2)
  assert.deepEqual(
    [...map],
    [
      ['a', 2],
      ['c', 3],
    ],
  )
  const set = new Set<string>()
  assert.deepEqual(
    ['a', 'b', 'a', 'c', 'a'].map((value) => addIfNew(set, value, 2)),
    [true, true, false, true, true],
  )
})

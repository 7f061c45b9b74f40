import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { chooseAttended, type RoomCandidate } from './occurrence-store.ts'

/** An occurrence between two hours of the same day. */
function at(id: string, from: number, to: number, hasBot = false): RoomCandidate {
  const [startsAt, endsAt] = [from, to].map((hour) => new Date(Date.UTC(2026, 10, 17, hour)))
  return { id, startsAt: startsAt as Date, endsAt: endsAt as Date, hasBot }
}

const CASES: ReadonlyArray<[title: string, candidates: RoomCandidate[], attended: string[]]> = [
  ['the oldest of two that overlap', [at('b', 9, 10), at('a', 9, 10)], ['a']],
  ['both of two that follow each other', [at('a', 9, 10), at('b', 10, 11)], ['a', 'b']],
  ['the one whose bot is on its way', [at('a', 9, 10), at('b', 9, 10, true)], ['b']],
  [
    'those around one that is not joined',
    [at('a', 9, 11), at('b', 10, 13), at('c', 12, 14)],
    ['a', 'c'],
  ],
  ['none of none', [], []],
]

for (const [title, candidates, attended] of CASES) {
  test(`in one room a bot joins ${title}`, () => {
    assert.deepEqual([...chooseAttended(candidates)].toSorted(), attended)
  })
}

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { matchStatements, type ComparedStatement } from './same-statement.ts'

const statement = (
  text: string,
  segmentNumbers: number[],
  more: Partial<ComparedStatement> = {},
): ComparedStatement => ({ texts: [text], person: null, segmentNumbers, ...more })

const match = (stored: ComparedStatement[], found: ComparedStatement[]) =>
  [...matchStatements(stored, found)].toSorted(([a], [b]) => a - b)

test('the most similar pairs are matched, each statement once', () => {
  const stored = [
    statement('We ship the search page on Friday', [4]),
    statement('We pay the printer in advance', [4]),
  ]
  const found = [
    statement('The printer is paid in advance', [4]),
    statement('The search page ships on Friday', [4, 5]),
    statement('Nobody works on Monday', [4]),
  ]
  assert.deepEqual(match(stored, found), [
    [0, 1],
    [1, 0],
  ])
})

test('a statement that needs common words is not matched by its segment alone', () => {
  const found = [statement('Blue it is', [4])]
  assert.deepEqual(match([statement('The offer goes out', [4])], found), [[0, 0]])
  const strict = statement('The offer goes out', [4], { needsCommonWords: true })
  assert.deepEqual(match([strict], found), [])
  const same = statement('It is blue', [5], { needsCommonWords: true })
  assert.deepEqual(match([same], found), [[0, 0]])
})

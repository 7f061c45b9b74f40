import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { listStatements, type FoundStatement, type StoredStatement } from './recap-items.ts'

const found = (text: string, ...segmentNumbers: number[]): FoundStatement => ({
  text,
  speaker: 'Ada',
  segmentNumbers,
})
const item = (id: string, more: Partial<StoredStatement>): StoredStatement => ({
  id,
  kind: 'decision',
  number: null,
  text: id,
  speaker: null,
  segmentNumbers: [1],
  isDeleted: false,
  editedAtMs: 7,
  ...more,
})
const list = (statements: FoundStatement[], items: StoredStatement[] = [], meetingId = 'm') =>
  listStatements(meetingId, 'decision', statements, items)
const textsOf = (...args: Parameters<typeof list>) => list(...args).map(({ text }) => text)

test('a statement has the same id in each recap that words it the same, and in no other place', () => {
  const [first, twice] = list([found('We go', 1), found('We go', 1)])
  const ids = [
    first,
    twice,
    list([found('We go', 2)])[0],
    list([found('We go!', 1)])[0],
    list([found('We go', 1)], [], 'other')[0],
    listStatements('m', 'question', [found('We go', 1)], [])[0],
  ].map((statement) => statement?.id)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(list([found('Before', 1), found('We go', 1)])[1]?.id, first?.id)
})

test('items replace or hide the statement with their number, and others of a kind are left alone', () => {
  const statements = [found('one', 1), found('two', 2), found('three', 3)]
  const items = [
    item('changed', { number: 2, segmentNumbers: [9] }),
    item('deleted', { number: 3, isDeleted: true }),
    item('question', { kind: 'question', number: 1 }),
  ]
  assert.deepEqual(list(statements, items).slice(1), [
    { id: 'changed', text: 'changed', speaker: null, segmentNumbers: [9], editedAt: new Date(7) },
  ])
  assert.deepEqual(textsOf(statements, items), ['one', 'changed'])
})

test('an added item comes before the first statement that was said later, and a deleted one nowhere', () => {
  const statements = [found('one', 1), found('five', 5)]
  const items = [
    item('last', { segmentNumbers: [7] }),
    item('three', { segmentNumbers: [3, 9] }),
    item('gone', { segmentNumbers: [4], isDeleted: true }),
    item('no longer found', { number: 3, segmentNumbers: [4] }),
  ]
  assert.deepEqual(textsOf(statements, items), ['one', 'three', 'no longer found', 'five', 'last'])
  assert.deepEqual(textsOf([], items), ['three', 'no longer found', 'last'])
})

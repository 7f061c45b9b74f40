import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findItemChanges, type AnnouncedItem } from './announce-changes.ts'

const decision = (id: string, text: string, more: Partial<AnnouncedItem> = {}): AnnouncedItem => ({
  id,
  kind: 'decision',
  text,
  person: 'Ada',
  dueDate: null,
  state: 'recorded',
  segmentNumbers: [1],
  ...more,
})
const action = (id: string, text: string, more: Partial<AnnouncedItem> = {}) =>
  decision(id, text, { kind: 'action', state: 'open', ...more })

test('a recap that is made again with the same items announces nothing', () => {
  const items = [decision('d', 'We ship on Friday'), action('a', 'Fix the page')]
  assert.deepEqual(findItemChanges(items, structuredClone(items)), [])
})

test('a decision in other words keeps the id with which it was announced', () => {
  const before = decision('d', 'We decided to ship the search page on Friday')
  const [change, ...others] = findItemChanges([before], [decision('e', 'Ship the search page')])
  assert.deepEqual(change, { before, after: decision('d', 'Ship the search page') })
  assert.deepEqual(others, [])
})

test('an item that is gone is announced as deleted, once', () => {
  const before = [decision('d', 'We ship on Friday'), action('a', 'Fix the page')]
  const changes = findItemChanges(before, [])
  assert.deepEqual(
    changes.map(({ after }) => [after.id, after.state]),
    [
      ['d', 'deleted'],
      ['a', 'deleted'],
    ],
  )
  const after = changes.map((change) => change.after)
  assert.deepEqual(findItemChanges(after, []), [])
})

test('new items come in the order of the recap, and a deleted decision can be made again', () => {
  const gone = decision('d', 'We ship on Friday', { state: 'deleted' })
  const current = [decision('e', 'We ship on Friday'), action('a', 'Fix the page')]
  const changes = findItemChanges([gone], current)
  assert.deepEqual(
    changes,
    current.map((after) => ({ before: null, after })),
  )
})

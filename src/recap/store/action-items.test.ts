import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecapAction } from '../recap.ts'
import { mergeActionItems, type StoredActionItem } from './action-items.ts'

const action = (text: string, segmentNumbers: number[]): RecapAction => {
  return { text, owner: null, dueText: null, dueDate: null, segmentNumbers }
}
const item = (
  id: string,
  foundText: string,
  segmentNumbers: number[],
  more: Partial<StoredActionItem> = {},
): StoredActionItem => ({
  id,
  meetingId: 'meeting_1',
  number: 1,
  text: foundText,
  foundText,
  owner: null,
  foundOwner: null,
  foundSegmentNumbers: null,
  dueText: null,
  dueDate: null,
  segmentNumbers,
  state: 'open',
  source: 'rules',
  createdAt: new Date(0),
  editedAt: null,
  ...more,
})
const EDITED = { editedAt: new Date(1) }

test('an action that is found again keeps the id of its item', () => {
  const stored = [item('a', 'Ben will fix the search page by Wednesday', [4])]
  const found = [action('Fix the search page', [4, 5])]
  assert.deepEqual(mergeActionItems(stored, found), {
    added: [],
    updated: [{ id: 'a', number: 1, action: found[0] }],
    moved: [],
    removedIds: [],
  })
})

test('an item that a person changed is neither overwritten nor added again', () => {
  const stored = [
    item('a', 'Ben will fix the search page', [4], { ...EDITED, text: 'Call the customer' }),
    item('b', 'Chloé will run the test', [4], { ...EDITED, state: 'deleted' }),
  ]
  const found = [action('Run the test', [4]), action('Ben will fix the search page', [4])]
  assert.deepEqual(mergeActionItems(stored, found), {
    added: [],
    updated: [],
    moved: [
      { id: 'b', number: 1 },
      { id: 'a', number: 2 },
    ],
    removedIds: [],
  })
})

test('an item that is not found again goes, unless a person changed it', () => {
  const stored = [item('a', 'Write to Ben', [1]), item('b', 'Order lunch', [2], EDITED)]
  const found = [action('Write to Ben', [9])]
  assert.deepEqual(mergeActionItems(stored, found), {
    added: [{ number: 1, action: found[0] }],
    updated: [],
    moved: [{ id: 'b', number: 2 }],
    removedIds: ['a'],
  })
})

test('several tasks in one segment are matched by their words', () => {
  const stored = [
    item('a', 'Ben will fix the page', [4]),
    item('b', 'Dev will write the mail', [4]),
  ]
  const found = [action('Dev will write the mail', [4]), action('Ben will fix the page', [4])]
  const { updated, added, removedIds } = mergeActionItems(stored, found)
  assert.deepEqual(
    [updated.map(({ id, number }) => [id, number]), added, removedIds],
    [
      [
        ['b', 1],
        ['a', 2],
      ],
      [],
      [],
    ],
  )
})

test('an item that a person changed is recognised in other words, in the same segment or near it', () => {
  const reassigned = { ...EDITED, owner: 'Zoë', foundOwner: 'Ben' }
  const stored = [
    item('a', 'So Ben will fix the search page by Wednesday', [4], reassigned),
    item('b', 'Chloé will run the upgrade test today', [4], {
      ...EDITED,
      foundOwner: 'Chloé',
      state: 'deleted',
    }),
    item('c', "I'll send the minutes to everybody", [9], { ...EDITED, state: 'done' }),
    item('d', 'Dev will write to the customers', [20], { ...EDITED, foundOwner: 'Dev' }),
  ]
  const found = [
    { ...action('Get lookup working again', [4]), owner: 'Ben' },
    { ...action('Execute migration trial', [4]), owner: 'Chloé' },
    { ...action('Send everybody the minutes', [10, 11]), owner: 'Ana' },
    { ...action('Write to the customers', [42]), owner: 'Dev' },
    { ...action('Write to the customers', [50]), owner: 'Ana' },
  ]
  const { added, updated, moved } = mergeActionItems(stored, found)
  assert.deepEqual(
    [added.map(({ number }) => number), updated, moved.map(({ id }) => id)],
    [[5], [], ['a', 'b', 'c', 'd']],
  )
})

test('a task of another person in the same segment, and a similar one elsewhere, are new', () => {
  const stored = [item('a', 'Ben will fix the search page', [4], { ...EDITED, foundOwner: 'Ben' })]
  const found = [
    { ...action('Run the upgrade test', [4]), owner: 'Chloé' },
    { ...action('Fix the printer on the second floor', [30]), owner: 'Ben' },
  ]
  assert.equal(mergeActionItems(stored, found).added.length, 2)
})

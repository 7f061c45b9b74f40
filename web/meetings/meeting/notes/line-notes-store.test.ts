import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ApiComment } from '../../../../src/http/shapes/meetings/line-notes.ts'
import { createLineNotesStore } from './line-notes-store.ts'

const comment = (segmentNumber: number, text: string): ApiComment => ({
  commentId: `comment_${text}`,
  segmentNumber,
  author: 'Ada',
  text,
  createdAt: '2026-11-15T08:30:00.000Z',
  editedAt: null,
  canEdit: true,
  canDelete: true,
})

test('only the lines whose notes change are drawn again', () => {
  const store = createLineNotesStore()
  const drawn: number[] = []
  for (const line of [1, 2, 3]) store.subscribe(line, () => void drawn.push(line))
  store.setBookmarks([1, 2])
  store.setBookmarks([2])
  store.setActiveLines([3])
  store.setActiveLines([3, 3])
  store.setComments([comment(3, 'a'), comment(3, 'b')])
  assert.deepEqual(drawn, [1, 2, 1, 3, 3])
  assert.deepEqual(
    [1, 2, 3].map((line) => store.of(line).isBookmarked),
    [false, true, false],
  )
  assert.deepEqual(
    store.of(3).comments.map(({ text }) => text),
    ['a', 'b'],
  )
})

test('a line without notes keeps the same value, and a removed comment leaves its line', () => {
  const store = createLineNotesStore()
  const nothing = store.of(1)
  store.setComments([comment(1, 'a')])
  assert.equal(store.of(1).comments.length, 1)
  store.setComments([])
  assert.equal(store.of(1), nothing)
  store.setActiveLines([1])
  store.setActiveLines([2, null])
  assert.equal(store.of(1), nothing)
  assert.deepEqual([store.of(2).isActive, store.activeLine()], [true, 2])
})

test('a line that unsubscribes is not drawn again', () => {
  const store = createLineNotesStore()
  let drawn = 0
  const stop = store.subscribe(1, () => void (drawn += 1))
  stop()
  store.setCommenting(1, true)
  assert.equal(drawn, 0)
  assert.equal(store.of(1).isCommenting, true)
})

test('the pointer makes a second line active beside the line that has the focus', () => {
  const store = createLineNotesStore()
  const drawn: number[] = []
  for (const line of [1, 2, 3]) store.subscribe(line, () => void drawn.push(line))
  store.setActiveLines([1])
  store.setActiveLines([2, 1])
  store.setActiveLines([3, 1])
  assert.deepEqual(drawn, [1, 2, 2, 3])
  assert.deepEqual(
    [1, 2, 3].map((line) => store.of(line).isActive),
    [true, false, true],
  )
  assert.equal(store.activeLine(), 3)
})

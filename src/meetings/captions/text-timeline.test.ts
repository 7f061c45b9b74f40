import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  appearedAt,
  createTextTimeline,
  dropTimelineStart,
  recordTextChange,
  stableSince,
} from './text-timeline.ts'

test('a text timeline records when text appeared and when it last changed', () => {
  const timeline = createTextTimeline()
  recordTextChange(timeline, '', 'one', 10)
  recordTextChange(timeline, 'one', 'one two', 20)
  recordTextChange(timeline, 'one two', 'one too', 30)
  assert.deepEqual([stableSince(timeline, 3), stableSince(timeline, 7)], [10, 30])
  assert.deepEqual([appearedAt(timeline, 0), appearedAt(timeline, 5)], [10, 20])
  dropTimelineStart(timeline, 4)
  assert.deepEqual([appearedAt(timeline, 0), stableSince(timeline, 3)], [20, 30])
})

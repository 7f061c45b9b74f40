import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  findAppearanceTime,
  createTextTimeline,
  dropTimelineStart,
  recordTextChange,
  findLastChangeTime,
} from './text-timeline.ts'

test('a text timeline records when text appeared and when it last changed', () => {
  const timeline = createTextTimeline()
  recordTextChange(timeline, '', 'one', 10)
  recordTextChange(timeline, 'one', 'one two', 20)
  recordTextChange(timeline, 'one two', 'one too', 30)
  assert.deepEqual([findLastChangeTime(timeline, 3), findLastChangeTime(timeline, 7)], [10, 30])
  assert.deepEqual([findAppearanceTime(timeline, 0), findAppearanceTime(timeline, 5)], [10, 20])
  dropTimelineStart(timeline, 'one too', 4)
  assert.deepEqual([findAppearanceTime(timeline, 0), findLastChangeTime(timeline, 3)], [20, 30])
})

test('a text that follows dropped text did not appear before it', () => {
  const timeline = createTextTimeline()
  recordTextChange(timeline, '', 'one', 10)
  dropTimelineStart(timeline, 'one', 3)
  recordTextChange(timeline, '', 'two', 30, 5)
  assert.deepEqual([findAppearanceTime(timeline, 0), findLastChangeTime(timeline, 3)], [10, 30])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import type { ShownGap } from './gap-mark.tsx'
import type { StreamedMeetingEvent } from '../../../api/event-stream.ts'
import { LINES_PER_CHUNK, createTranscriptStore } from './transcript-store.ts'

const line = (segmentNumber: number): ApiSegment => ({
  segmentNumber,
  speaker: 'Ana',
  text: `line ${segmentNumber}`,
  timestamp: '2026-01-01T10:00:00.000Z',
  source: 'captions',
})
const final = (segmentNumber: number) =>
  ({
    type: 'segment_finalized',
    meetingId: 'm',
    sequence: segmentNumber,
    timestamp: '2026-01-01T10:00:00.000Z',
    payload: { ...line(segmentNumber), captionId: `c${segmentNumber}` },
  }) as StreamedMeetingEvent

/** A transcript store whose fake API has `stored.lines` lines. */
function open(stored: { lines: number; gaps?: ShownGap[] }) {
  const requestedAfter: number[] = []
  const store = createTranscriptStore(async (after) => {
    requestedAfter.push(after)
    const segments = Array.from({ length: stored.lines - after }, (_, i) => line(after + i + 1))
    return { segments, gaps: stored.gaps ?? [], endedAt: null }
  })
  const numbers = () =>
    store.lines().chunks.flatMap((chunk) => chunk.map((one) => one.segmentNumber))
  return { store, requestedAfter, numbers }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

test('duplicate transcript lines are dropped and a gap is fetched', async () => {
  const stored = { lines: 3 }
  const { store, requestedAfter, numbers } = open(stored)
  store.catchUp()
  store.applyEvent(final(3))
  await setImmediate()
  assert.deepEqual(numbers(), upTo(3))
  for (const number of [2, 3, 4, 4]) store.applyEvent(final(number))
  assert.deepEqual(numbers(), upTo(4))
  stored.lines = 9
  store.applyEvent(final(9))
  await setImmediate()
  assert.deepEqual(numbers(), upTo(9))
  assert.equal(requestedAfter.at(-1), 4)
})

test('a full chunk of transcript lines keeps its identity', async () => {
  const { store, numbers } = open({ lines: LINES_PER_CHUNK + 1 })
  store.catchUp()
  await setImmediate()
  const [first] = store.lines().chunks
  store.applyEvent(final(LINES_PER_CHUNK + 2))
  assert.equal(store.lines().chunks[0], first)
  assert.deepEqual(numbers(), upTo(LINES_PER_CHUNK + 2))
})

test('a partial caption disappears when its line is final', async () => {
  const { store } = open({ lines: 0 })
  store.catchUp()
  await setImmediate()
  const { payload } = final(1)
  store.applyEvent({ ...final(1), type: 'caption_partial', payload } as StreamedMeetingEvent)
  assert.equal(store.partialCaptions().length, 1)
  store.applyEvent(final(1))
  assert.equal(store.partialCaptions().length, 0)
  assert.equal(store.lines().count, 1)
})

const gap = (afterSegmentNumber: number): ShownGap => ({
  cause: 'captions_lost',
  startedAt: '2026-01-01T10:00:10.000Z',
  endedAt: '2026-01-01T10:00:25.000Z',
  afterSegmentNumber,
})

test('a gap is shown at the end until the next line, and then before that line', async () => {
  const open1 = { ...gap(2), endedAt: null }
  const { store } = open({ lines: 2, gaps: [open1] })
  store.catchUp()
  await setImmediate()
  assert.deepEqual(store.lines().gapsAtEnd, [open1])
  // A line that the store already has does not remove the gap.
  store.applyEvent(final(2))
  assert.deepEqual(store.lines().gapsAtEnd, [open1])
  const { payload } = final(3)
  store.applyEvent({ ...final(3), payload: { ...payload, gaps: [gap(2)] } } as StreamedMeetingEvent)
  assert.deepEqual(store.lines().gapsAtEnd, [])
  assert.deepEqual(store.lines().gapsBefore.get(3), [gap(2)])
})

test('when the meeting has ended, the whole transcript is read again in its final order', async () => {
  const isOver = { value: false }
  const store = createTranscriptStore(async (after) => ({
    segments: (isOver.value ? [line(2), line(1)] : [line(1), line(2)]).slice(after),
    gaps: [],
    endedAt: isOver.value ? '2026-01-01T11:00:00.000Z' : null,
  }))
  const numbers = () =>
    store.lines().chunks.flatMap((chunk) => chunk.map((one) => one.segmentNumber))
  store.catchUp()
  await setImmediate()
  assert.deepEqual(numbers(), [1, 2])
  isOver.value = true
  store.catchUp()
  await setImmediate()
  assert.deepEqual(numbers(), [2, 1])
})

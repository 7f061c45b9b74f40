import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createFrameSplitter, FRAME_MS, FRAME_SAMPLES, type SoundFrame } from './sound.ts'
import { createUtteranceCutter, type UtteranceSound } from './utterance-cutter.ts'

/** Frames of the given levels. A frame's position is its number, so that a test sees which frames an utterance has. */
function cutLevels(levels: readonly number[]): UtteranceSound[] {
  const cutter = createUtteranceCutter()
  const cuts = levels.flatMap((level, index) => cutter.add(createFrame(index, level), level > 50))
  return [...cuts, ...cutter.end()]
}

function createFrame(index: number, level: number): SoundFrame {
  const samples = new Int16Array(FRAME_SAMPLES).fill(level)
  return { samples, startsAt: index * FRAME_MS, from: index, to: index + 1 }
}

const repeat = (count: number, level: number) => Array.from({ length: count }, () => level)

test('an utterance has sound before its first speech, and ends after half a second of silence', () => {
  const [utterance, ...others] = cutLevels([
    ...repeat(40, 0),
    ...repeat(20, 1_000),
    ...repeat(60, 0),
  ])
  assert.equal(others.length, 0)
  assert.deepEqual(
    { ...utterance, samples: utterance?.samples.length },
    {
      samples: (10 + 20 + 8) * FRAME_SAMPLES,
      startedAt: 40 * FRAME_MS,
      endedAt: 60 * FRAME_MS,
      from: 30,
      to: 68,
    },
  )
})

test('a short pause does not end an utterance, and a click is none', () => {
  assert.equal(
    cutLevels([...repeat(10, 900), ...repeat(12, 0), ...repeat(10, 900), ...repeat(30, 0)]).length,
    1,
  )
  assert.deepEqual(cutLevels([...repeat(20, 0), ...repeat(3, 9_000), ...repeat(40, 0)]), [])
})

test('a long utterance is cut at its quietest moment near the limit', () => {
  const levels = repeat(500, 1_000)
  for (const [at, level] of [
    [200, 60],
    [330, 100],
    [331, 100],
    [332, 100],
  ] as const)
    levels[at] = level
  const [first, second] = cutLevels(levels)
  assert.equal(first?.from, 0)
  assert.ok(first !== undefined && first.to >= 330 && first.to <= 333, String(first?.to))
  assert.equal(second?.from, first.to)
  assert.equal(second?.to, 500)
})

test('no sound of speech is lost or in two utterances, and none is longer than 12 seconds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(0, 60, 500, 5_000)), {
        maxLength: 12,
      }),
      (runs) => {
        const levels = runs.flatMap(([count, level]) => repeat(count, level))
        const cuts = cutLevels(levels)
        let last = 0
        for (const { from, to, samples } of cuts) {
          assert.ok(from >= last)
          assert.equal(samples.length, (to - from) * FRAME_SAMPLES)
          assert.ok(samples.length <= 12.1 * 16_000)
          last = to
        }
        const covered = new Set(
          cuts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
        )
        // Fewer than five frames of speech are a click.
        const missing = levels.flatMap((level, index) =>
          level > 50 && !covered.has(index) ? [index] : [],
        )
        for (const index of missing)
          assert.ok(missing.filter((other) => Math.abs(other - index) <= 16).length < 5)
      },
    ),
    { numRuns: 60 },
  )
})

test('missing time between chunks becomes silence, at most one second of it', () => {
  const splitter = createFrameSplitter()
  const samples = new Int16Array(700).fill(7)
  assert.equal(splitter.add({ position: 0, startsAt: 1_000, samples }).length, 1)
  const after = splitter.add({ position: 700, startsAt: 9_000, samples })
  // The rest of the first chunk, 32 silent frames, and the first frame of the second chunk.
  assert.equal(after.length, 1 + 32 + 1)
  assert.deepEqual([after[0]?.from, after[0]?.to], [512, 700])
  assert.ok(after.slice(1, -1).every(({ from, to, samples }) => from === to && samples[0] === 0))
  assert.equal(after.at(-1)?.startsAt, 9_000)
  const [rest] = splitter.flush()
  assert.deepEqual(
    [rest?.from, rest?.to, rest?.samples[187], rest?.samples[188]],
    [1212, 1400, 7, 0],
  )
})

test('slightly wrong times of chunks do not add silence', () => {
  const splitter = createFrameSplitter()
  const samples = new Int16Array(320)
  const frames = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) =>
    splitter.add({ position: n * 320, startsAt: n * 20 + (n % 2) * 30, samples }),
  )
  assert.equal(frames.length, 5)
})

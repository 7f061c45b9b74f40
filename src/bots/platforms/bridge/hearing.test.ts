import { strict as assert } from 'node:assert'
import { test } from 'node:test'

type Piece = { sources: number[]; samples: Int16Array; startsAt: number; isEnd: boolean }
type Resampler = (input: Float32Array) => Int16Array
type SoundGate = {
  isOpen(): boolean
  add(input: Float32Array, rate: number, at: number, readSources: () => number[]): void
  end(): void
}

const folder = new URL('injected/hearing/', import.meta.url)
const { createResamplers } = (await import(new URL('resample-sound.js', folder).href)) as {
  createResamplers(): { createResampler(rate: number): Resampler }
}
const { createSoundGate } = (await import(new URL('sound-gate.js', folder).href)) as {
  createSoundGate(
    createResampler: (rate: number) => Resampler,
    onPiece: (piece: Piece) => void,
  ): SoundGate
}
const { selectSources } = (await import(new URL('select-sources.js', folder).href)) as {
  selectSources(
    sources: ReadonlyArray<{ source: number; timestamp: number; audioLevel?: number }>,
    heardAt: number,
    dominant?: number | null,
  ): number[]
}
const { createResampler } = createResamplers()

/** A tone of the given frequency and amplitude, as the browser delivers it. */
function tone(hertz: number, ms: number, rate: number, amplitude = 0.5): Float32Array {
  return Float32Array.from(
    { length: Math.round((ms * rate) / 1_000) },
    (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate),
  )
}
/** The amplitude of one frequency in 16 kHz samples, where 1 is the maximum. */
function amplitudeOf(hertz: number, samples: ArrayLike<number>): number {
  let [re, im] = [0, 0]
  for (let i = 0; i < samples.length; i += 1) {
    const angle = (2 * Math.PI * hertz * i) / 16_000
    re += (samples[i] ?? 0) * Math.cos(angle)
    im += (samples[i] ?? 0) * Math.sin(angle)
  }
  return (2 * Math.hypot(re, im)) / samples.length / 32_767
}
function resampleInParts(input: Float32Array, rate: number, partLength: number): Int16Array {
  const resample = createResampler(rate)
  const output: number[] = []
  for (let at = 0; at < input.length; at += partLength)
    output.push(...resample(input.subarray(at, at + partLength)))
  return Int16Array.from(output)
}

test('sound of every rate is converted to 16 kHz with its pitch and loudness', () => {
  for (const rate of [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 44_101]) {
    const samples = resampleInParts(tone(1_000, 1_000, rate), rate, Math.round(rate / 100))
    assert.ok(Math.abs(samples.length - 16_000) <= 20, `${rate}: ${samples.length} samples`)
    const inner = samples.subarray(1_600, 14_400)
    assert.ok(Math.abs(amplitudeOf(1_000, inner) - 0.5) < 0.01, `${rate}: loudness`)
    for (const other of [500, 2_000, 3_000, 6_500])
      assert.ok(amplitudeOf(other, inner) < 0.005, `${rate}: adds ${other} Hz`)
  }
})

test('sound above the new band is removed, and clipped sound stays in range', () => {
  const high = resampleInParts(tone(11_000, 500, 48_000), 48_000, 480)
  assert.ok(amplitudeOf(5_000, high.subarray(800)) < 0.01)
  const clipped = tone(440, 500, 48_000, 40).map((sample) => Math.max(-1, Math.min(1, sample)))
  const samples = resampleInParts(clipped, 48_000, 480)
  assert.ok(amplitudeOf(440, samples.subarray(800)) > 0.9)
  // After an overflow, a sample would have the opposite sign right after one near the limit.
  for (let i = 1; i < samples.length; i += 1)
    assert.ok(Math.abs((samples[i] ?? 0) - (samples[i - 1] ?? 0)) < 60_000)
})

test('the length of the parts does not change the samples', () => {
  const input = tone(700, 300, 44_100)
  assert.deepEqual(resampleInParts(input, 44_100, 441), resampleInParts(input, 44_100, 10_000))
})

/** Feeds sound in buffers of 10 ms, beginning at the given time. */
function createTrack() {
  const pieces: Piece[] = []
  const gate = createSoundGate(createResampler, (piece) => pieces.push(piece))
  let at = 1_000
  const add = (input: Float32Array, sources: number[] = [], rate = 48_000) => {
    for (let i = 0; i < input.length; i += rate / 100) {
      gate.add(input.subarray(i, i + rate / 100), rate, at, () => sources)
      at += 10
    }
  }
  return { pieces, gate, add, skip: (ms: number) => (at += ms) }
}
const silence = (ms: number) => new Float32Array((ms * 48_000) / 1_000)
const lengthMs = (pieces: readonly Piece[]) =>
  pieces.reduce((sum, { samples }) => sum + samples.length, 0) / 16

test('silence is not passed on, and sound comes with the silence around it', () => {
  const { pieces, add, gate } = createTrack()
  add(silence(5_000))
  add(tone(1_000, 10, 48_000, 0.001))
  assert.equal(pieces.length, 0)
  add(tone(1_000, 500, 48_000))
  add(silence(790))
  assert.ok(gate.isOpen())
  add(silence(2_000))
  assert.ok(!gate.isOpen())
  assert.deepEqual(
    pieces.map(({ isEnd }) => isEnd),
    pieces.map((_, i) => i === pieces.length - 1),
  )
  assert.ok(Math.abs(lengthMs(pieces) - (400 + 500 + 800)) < 5)
  assert.ok(pieces.every(({ samples }) => samples.length <= 3_200))
  // The lead of 400 ms begins here, because the sound began after 5,010 ms.
  assert.ok(Math.abs((pieces[0]?.startsAt ?? 0) - 5_610) < 1)
  assert.ok(amplitudeOf(1_000, pieces[3]?.samples ?? []) > 0.4)
})

test('a piece has one dominant source, and the times of pieces follow each other', () => {
  const { pieces, add } = createTrack()
  add(tone(500, 310, 48_000), [7, 8])
  add(tone(2_000, 310, 48_000), [8, 7])
  // For a moment, no source is named.
  add(tone(2_000, 310, 48_000), [])
  add(silence(1_000), [8])
  const ofSeven = pieces.filter(({ sources }) => sources[0] === 7)
  assert.ok(Math.abs(lengthMs(ofSeven) - 310) < 2)
  for (const { samples } of ofSeven) assert.ok(amplitudeOf(2_000, samples) < 0.05)
  for (const [i, { startsAt, samples }] of pieces.entries()) {
    const next = pieces[i + 1]
    if (next) assert.ok(Math.abs(startsAt + samples.length / 16 - next.startsAt) < 0.1)
  }
})

test('a missing part of the sound shows in the times of the pieces', () => {
  const { pieces, add, gate, skip } = createTrack()
  add(tone(500, 250, 48_000))
  skip(1_500)
  add(tone(500, 250, 48_000))
  gate.end()
  gate.end()
  assert.deepEqual(
    pieces.map(({ startsAt, isEnd }) => [Math.round(startsAt), isEnd]),
    [
      [1_000, false],
      [1_200, false],
      [2_750, false],
      [2_950, true],
    ],
  )
})

test('a track that changes its rate ends the sound and begins another', () => {
  const { pieces, add, gate } = createTrack()
  add(tone(500, 100, 48_000))
  add(tone(500, 100, 8_000), [], 8_000)
  gate.end()
  assert.deepEqual(
    pieces.map(({ isEnd, samples }) => [isEnd, Math.round(samples.length / 160)]),
    [
      [true, 10],
      [true, 10],
    ],
  )
})

test('sound that is read late belongs to the source that was heard at its time, not to a later one', () => {
  const sources = [
    { source: 1, timestamp: 10_000, audioLevel: 0.2 },
    { source: 2, timestamp: 10_400, audioLevel: 0.9 },
  ]
  assert.deepEqual(selectSources(sources, 9_800), [1])
  assert.deepEqual(selectSources(sources, 10_200), [2])
  assert.deepEqual(selectSources(sources, 10_410), [2])
})

test('of sources that are heard at the same time the loudest comes first', () => {
  const sources = [
    { source: 1, timestamp: 10_000, audioLevel: 0.2 },
    { source: 2, timestamp: 10_020, audioLevel: 0.9 },
    { source: 3, timestamp: 5_000, audioLevel: 1 },
  ]
  assert.deepEqual(selectSources(sources, 10_010), [2, 1])
  // No source has sent for a while, so the last one is used.
  assert.deepEqual(selectSources(sources, 12_000), [2, 1])
  assert.deepEqual(selectSources([], 12_000), [])
  const equal = sources.map((source) => ({ ...source, audioLevel: 0.5 }))
  assert.deepEqual(selectSources(equal, 10_010, 2), [2, 1])
  assert.deepEqual(selectSources(equal, 10_010, 1), [1, 2])
})

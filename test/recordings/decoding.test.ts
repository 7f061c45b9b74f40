import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decodeSound, DamagedRest } from '../../src/recordings/decoding/decode-sound.ts'
import { openRecordingFile } from '../../src/recordings/decoding/recording-file.ts'
import { UnreadableRecording } from '../../src/recordings/decoding/unreadable-recording.ts'
import {
  createWav,
  createWavHeader,
  FIXTURE_TONES,
  measureTone,
  readFixture,
} from './support/tones.ts'

const HOUR_MS = 3_600_000
const LIMITS = { fromMs: 0, maxMs: 8 * HOUR_MS }

function sourceOf(bytes: Buffer) {
  return {
    size: bytes.length,
    read: async (start: number, end: number) => new Uint8Array(bytes.subarray(start, end)),
  }
}

/** The tones of both channels by second, and where the sound begins and ends. */
async function readTones(bytes: Buffer, limits = LIMITS) {
  const file = await openRecordingFile(sourceOf(bytes), limits.maxMs)
  const channels: number[][] = []
  let firstMs: number | null = null
  let endMs = 0
  let damagedAtMs: number | null = null
  try {
    for await (const sound of decodeSound(file, limits)) {
      firstMs ??= sound.startMs
      endMs = sound.startMs + sound.channels[0]!.length / 16
      for (const [channel, samples] of sound.channels.entries()) {
        const all = (channels[channel] ??= [])
        for (const sample of samples) all.push(sample)
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedRest)) throw error
    damagedAtMs = error.atMs
  }
  /** The tone between two times in seconds. */
  const toneAt = (channel: number, from: number, to: number) => {
    const start = firstMs ?? 0
    const at = (seconds: number) => (seconds * 1_000 - start) * 16
    return measureTone(Int16Array.from(channels[channel]!.slice(at(from), at(to))))
  }
  return { info: file.info, toneAt, firstMs, endMs, damagedAtMs }
}

for (const [name, format, codec] of [
  ['two.mp3', 'MP3', 'mp3'],
  ['two.ogg', 'Ogg', 'opus'],
  ['two.webm', 'WebM', 'opus'],
  ['two.m4a', 'MP4', 'aac'],
  ['two.mp4', 'MP4', 'aac'],
] as const) {
  test(`the sound of ${name} is decoded at its times, from its start and from a later time`, async () => {
    const bytes = readFixture(name)
    const whole = await readTones(bytes)
    assert.deepEqual([whole.info.format, whole.info.codec, whole.info.channels], [format, codec, 2])
    assert.equal(whole.info.audioTracks, 1)
    assert.ok(Math.abs((whole.info.durationMs ?? 0) - 5_000) < 100, String(whole.info.durationMs))
    assert.ok(Math.abs(whole.endMs - 5_000) < 100, String(whole.endMs))
    for (const { channel, hertz, from, to } of FIXTURE_TONES) {
      assert.equal(whole.toneAt(channel, from + 0.1, to - 0.1), hertz)
      assert.equal(whole.toneAt(1 - channel, from + 0.1, to - 0.1), 0)
    }
    assert.equal(whole.toneAt(0, 2.2, 2.8), 0)
    const rest = await readTones(bytes, { ...LIMITS, fromMs: 3_500 })
    assert.equal(rest.firstMs, 3_500)
    assert.ok(Math.abs(rest.endMs - whole.endMs) < 30, `${rest.endMs} ${whole.endMs}`)
    assert.equal(rest.toneAt(1, 3.6, 4.4), 800)
    assert.equal(rest.toneAt(1, 4.6, 4.9), 0)
  })
}

test('a WAV file is decoded, and what is missing of a truncated one is left out', async () => {
  const bytes = createWav(5, FIXTURE_TONES)
  const whole = await readTones(bytes)
  assert.deepEqual([whole.info.format, whole.info.codec], ['WAVE', 'pcm-s16'])
  assert.deepEqual([whole.toneAt(0, 0.6, 1.9), whole.toneAt(1, 3.1, 4.4)], [400, 800])
  assert.equal(whole.endMs, 5_000)
  const part = await readTones(bytes.subarray(0, bytes.length / 2))
  assert.equal(part.toneAt(0, 0.6, 1.9), 400)
  assert.ok(part.endMs <= 2_500 && part.endMs > 2_300, String(part.endMs))
})

async function reasonOf(bytes: Buffer, maxMs = LIMITS.maxMs): Promise<string> {
  try {
    await readTones(bytes, { fromMs: 0, maxMs })
  } catch (error) {
    assert.ok(error instanceof UnreadableRecording, String(error))
    return error.message
  }
  return 'readable'
}

test('files that cannot be read are refused with the exact reason', async () => {
  assert.equal(await reasonOf(readFixture('silent-film.mp4')), 'The file has no sound')
  assert.equal(await reasonOf(readFixture('encrypted.mp4')), 'The sound is encrypted')
  assert.match(
    await reasonOf(readFixture('vorbis.ogg')),
    /^The sound is Vorbis, which cannot be read/,
  )
  assert.match(await reasonOf(readFixture('two.mp3'), 4_000), /^The recording is longer than/)
  const text = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n'.repeat(100))
  assert.match(await reasonOf(text), /^This is not a WAV, MP3/)
})

test('headers that declare impossible sound are refused before anything is decoded', async () => {
  const wav = (header: Parameters<typeof createWavHeader>[0]) =>
    Buffer.concat([createWavHeader(header), Buffer.alloc(64_000)])
  assert.match(
    await reasonOf(wav({ bytes: 64_000, channels: 1_000 })),
    /^The sound has 1000 channels/,
  )
  assert.match(await reasonOf(wav({ bytes: 64_000, sampleRate: 1 })), /1 samples per second/)
  assert.match(await reasonOf(wav({ bytes: 64_000, sampleRate: 10_000_000 })), /10000000 samples/)
  // A header that declares hours which are not in the file.
  const long = await readTones(wav({ bytes: 0xffff_fff0, sampleRate: 8_000 }))
  assert.ok(long.endMs <= 4_000, String(long.endMs))
})

test('changed bytes end in sound or in a reason, never in an endless loop', async () => {
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state % below
  }
  const outcomes = new Set<string>()
  for (const name of ['two.mp3', 'two.ogg', 'two.webm', 'two.m4a'])
    for (let round = 0; round < 6; round += 1) {
      const bytes = Buffer.from(readFixture(name))
      for (let change = 0; change < 20; change += 1) bytes[random(bytes.length)] = random(256)
      const cut = round % 2 === 0 ? bytes : bytes.subarray(0, random(bytes.length))
      try {
        const { endMs } = await readTones(cut)
        assert.ok(endMs <= LIMITS.maxMs)
        outcomes.add('sound')
      } catch (error) {
        // The process reports any other error of a library as a damaged file.
        outcomes.add(error instanceof UnreadableRecording ? 'reason' : 'error')
      }
    }
  assert.ok(outcomes.has('sound'))
})

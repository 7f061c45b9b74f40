import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const SAMPLE_RATE = 16_000

/** A tone of a channel, between two times in seconds. */
export type Tone = { channel: number; hertz: number; from: number; to: number }

/** What the fixtures contain: a tone on the left, then one on the right. */
export const FIXTURE_TONES: readonly Tone[] = [
  { channel: 0, hertz: 400, from: 0.5, to: 2 },
  { channel: 1, hertz: 800, from: 3, to: 4.5 },
]

/** A small file of our own that contains the tones, made with ffmpeg: `two.mp3`, `two.m4a` and others. */
export function readFixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../fixtures', name))
}

/** A WAV file with tones. */
export function createWav(seconds: number, tones: readonly Tone[], channels = 2): Buffer {
  const samples = new Int16Array(seconds * SAMPLE_RATE * channels)
  for (const { channel, hertz, from, to } of tones)
    for (let index = from * SAMPLE_RATE; index < to * SAMPLE_RATE; index += 1)
      samples[index * channels + channel] =
        10_000 * Math.sin((2 * Math.PI * hertz * index) / SAMPLE_RATE)
  return Buffer.concat([
    createWavHeader({ channels, bytes: samples.byteLength }),
    Buffer.from(samples.buffer),
  ])
}

/** An MP3 file of nothing but silence: the smallest frames that exist, 8 kbit/s, each of 36 ms in 36 bytes. */
export function createSilentMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(36)
  frame.writeUInt32BE(0xfff3_18c4)
  return Buffer.alloc(Math.ceil(seconds / 0.036) * frame.length, frame)
}

export function createWavHeader({
  channels = 1,
  sampleRate = SAMPLE_RATE,
  bytes,
}: {
  channels?: number
  sampleRate?: number
  bytes: number
}): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(0xffff_ffff, 36 + bytes), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE((sampleRate * channels * 2) % 2 ** 32, 28)
  header.writeUInt16LE((channels * 2) % 2 ** 16, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(bytes, 40)
  return header
}

/** The frequency of a tone, rounded to 100 hertz; 0 for silence. */
export function measureTone(samples: Int16Array): number {
  const loud = samples.filter((sample) => Math.abs(sample) > 1_000).length
  if (loud < samples.length / 20) return 0
  let crossings = 0
  let first = -1
  let last = 0
  let sign = 0
  for (const [index, sample] of samples.entries()) {
    if (Math.abs(sample) < 1_000 || Math.sign(sample) === sign) continue
    sign = Math.sign(sample)
    crossings += 1
    if (first === -1) first = index
    last = index
  }
  const seconds = (last - first) / SAMPLE_RATE
  return seconds === 0 ? 0 : Math.round((crossings - 1) / 2 / seconds / 100) * 100
}

export type FakeEndpoint = AsyncDisposable & {
  url: string
  /** Answers with this status instead of a text, after so many requests. */
  fail(status: number | null, after?: number): void
  /** Answers with this text instead of the name of the tone. */
  say(text: string | null): void
  count(): number
}

/** A server that recognizes tones: it answers `tone of 400 hertz`. */
export async function openToneEndpoint(): Promise<FakeEndpoint> {
  let status: number | null = null
  let firstFailed = 0
  let said: string | null = null
  let count = 0
  const server = createServer((request, response) => {
    request.toArray().then(
      async (parts) => {
        const number = (count += 1)
        const type = String(request.headers['content-type'])
        const body = new Response(Buffer.concat(parts as Buffer[]), {
          headers: { 'content-type': type },
        })
        const file = (await body.formData()).get('file') as File
        const samples = new Int16Array((await file.arrayBuffer()).slice(44))
        if (status !== null && number > firstFailed) response.writeHead(status).end()
        else
          response.end(JSON.stringify({ text: said ?? `Tone of ${measureTone(samples)} hertz.` }))
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    fail(value, after = 0) {
      status = value
      firstFailed = after
    },
    say(text) {
      said = text
    },
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

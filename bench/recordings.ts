import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchRecording, openSpeechCache } from '../test/speech/support/speech-cache.ts'
import { openRecognition, RUNTIMES } from './measures/speech-alone.ts'
import { openInstance, type Instance } from './support/instance.ts'
import { measureDescendants, measureProcessTree } from './support/process-usage.ts'

const MINUTES = Number(process.env['MINUTES'] ?? 30)
const SAMPLE_MS = 250

/** How ffmpeg encodes each format: the name of the file, and its options. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'speech.wav': ['-ar', '16000', '-ac', '1'],
  'speech.mp3': ['-ar', '44100', '-ac', '2', '-b:a', '96k'],
  'speech.ogg': ['-ac', '1', '-c:a', 'libopus', '-b:a', '32k'],
  'speech.webm': ['-ac', '2', '-c:a', 'libopus', '-b:a', '48k'],
  'speech.m4a': ['-ar', '48000', '-ac', '2', '-c:a', 'aac', '-b:a', '96k'],
}

type Recording = {
  recordingId: string
  state: string
  detail: string | null
  durationSeconds: number
  meetingId: string | null
}

/** `MINUTES=5 npm run bench -- recordings mp3 m4a` measures a part. */
export const recordings = {
  about:
    'recordings of MINUTES (30) minutes in each format: time, processor time and memory until they are meetings',
  async run(parts: readonly string[] = []) {
    if (spawnSync('ffmpeg', ['-version']).status !== 0)
      return console.log('  not measured: the program ffmpeg is not installed')
    const [runtime] = RUNTIMES
    if (runtime === undefined) return console.log('  not measured: no runtime for this machine')
    await openRecognition(runtime).install()
    const folder = mkdtempSync(join(tmpdir(), 'hansard-recordings-'))
    try {
      await using instance = await openInstance({ HANSARD_SPEECH_WORKERS: '1' })
      const installed = join(openSpeechCache(), 'runtimes', runtime.runtime, 'speech')
      cpSync(installed, join(instance.data, 'speech'), { recursive: true })
      const names = Object.keys(FORMATS)
      for (const name of names.filter(
        (one) => parts.length === 0 || parts.some((part) => one.endsWith(part)),
      ))
        await measure(instance, await encode(folder, name))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Repeats recorded speech until it is long enough. */
async function encode(folder: string, name: string): Promise<string> {
  const file = join(folder, name)
  const options = FORMATS[name] ?? []
  const source = await fetchRecording()
  const { status, stderr } = spawnSync('ffmpeg', [
    '-v',
    'error',
    '-stream_loop',
    '-1',
    '-i',
    source,
    '-t',
    String(MINUTES * 60),
    ...options,
    file,
  ])
  if (status !== 0) throw new Error(`ffmpeg failed: ${String(stderr)}`)
  return file
}

async function measure({ call, port, key }: Instance, file: string): Promise<void> {
  const bytes = statSync(file).size
  const startedAt = performance.now()
  const created = await call('POST', '/api/v1/recordings', {
    fileName: file.split('/').at(-1),
    bytes,
  })
  const { recordingId, partBytes, parts } = created.body as {
    recordingId: string
    partBytes: number
    parts: number
  }
  const blob = await openAsBlob(file)
  for (let part = 1; part <= parts; part += 1) {
    const response = await fetch(
      `http://127.0.0.1:${port}/api/v1/recordings/${recordingId}/parts/${part}`,
      {
        method: 'PUT',
        headers: { 'x-api-key': key, 'content-type': 'application/octet-stream' },
        body: blob.slice((part - 1) * partBytes, part * partBytes),
      },
    )
    if (!response.ok) throw new Error(await response.text())
  }
  const sentMs = performance.now() - startedAt
  const before = measureCpuMs()
  let serviceMb = 0
  let decoderMb = 0
  let recognizerMb = 0
  let recording: Recording
  do {
    await sleep(SAMPLE_MS)
    serviceMb = Math.max(serviceMb, process.memoryUsage.rss() / 1024 ** 2)
    decoderMb = Math.max(decoderMb, measureDescendants(process.pid, 'decode-worker').memoryMb)
    recognizerMb = Math.max(recognizerMb, measureDescendants(process.pid, 'sherpa-worker').memoryMb)
    const { status, body } = await call('GET', `/api/v1/recordings/${recordingId}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    recording = body as Recording
  } while (recording.state === 'waiting' || recording.state === 'processing')
  const totalMs = performance.now() - startedAt
  const cpuMs = measureCpuMs() - before
  const meeting = await call('GET', `/api/v1/meetings/${recording.meetingId}`)
  const { segmentCount } = (meeting.body['meeting'] ?? {}) as { segmentCount?: number }
  const figures = [
    `${(bytes / 1024 ** 2).toFixed(1)} MiB`,
    `sent in ${(sentMs / 1_000).toFixed(1)} s`,
    `${recording.state} after ${(totalMs / 1_000).toFixed(0)} s (${((recording.durationSeconds * 1_000) / totalMs).toFixed(1)} times real time)`,
    `${(cpuMs / 1_000).toFixed(0)} s of processor time`,
    `decoder ${decoderMb.toFixed(0)} MB`,
    `recognizer ${recognizerMb.toFixed(0)} MB`,
    `service ${serviceMb.toFixed(0)} MB`,
    `${segmentCount ?? 0} lines`,
  ]
  console.log(`  ${file.split('/').at(-1)}: ${figures.join(', ')} ${recording.detail ?? ''}`)
}

/** Processor time of this process and of the processes that it has started. */
function measureCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return measureProcessTree(process.pid).cpuMs + (user + system) / 1_000
}

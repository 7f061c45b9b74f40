import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchRecording } from '../../../test/speech/support/speech-cache.ts'
import { SENTENCES } from './sentences.ts'

/** What one voice says, as 16-bit samples, 16,000 per second. */
export type Recording = { voice: string; text: string; samples: Int16Array }

const KENNEDY =
  'And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country.'

/** Voices of the program `flite`, which every Debian has as a package. */
export const SYNTHETIC_VOICES = ['slt', 'rms', 'awb'] as const

/** The recording that the tests use, and another one if its sound file and text file are given. */
export async function loadHumanReadings(files: readonly string[]): Promise<Recording[]> {
  const short = { voice: 'human, 11 s', text: KENNEDY, samples: readWav(await fetchRecording()) }
  const [sound, text] = files
  if (sound === undefined || text === undefined) return [short]
  const samples = readWav(sound)
  const voice = `human, ${Math.round(samples.length / 16_000)} s`
  return [short, { voice, text: readFileSync(text, 'utf8'), samples }]
}

/** The sentences of each synthetic voice; null if the program is missing. */
export function speakSentences(): Map<string, Recording[]> | null {
  if (spawnSync('flite', ['--version']).error !== undefined) return null
  const folder = mkdtempSync(join(tmpdir(), 'hansard-voices-'))
  try {
    return new Map(
      SYNTHETIC_VOICES.map((voice, v) => [
        voice,
        SENTENCES.filter((_, i) => i % SYNTHETIC_VOICES.length === v).map((text) =>
          speak(voice, text, join(folder, 'sentence.wav')),
        ),
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Speaks with the program `flite`, which writes only to files. */
export function speak(voice: string, text: string, file: string): Recording {
  const { status, stderr } = spawnSync('flite', ['-voice', voice, '-t', text, '-o', file])
  if (status !== 0) throw new Error(`flite failed: ${String(stderr)}`)
  return { voice, text, samples: readWav(file) }
}

/** All sentences of a voice with pauses between them. */
export function joinRecordings(recordings: readonly Recording[], pauseMs = 900): Recording {
  const pause = 16 * pauseMs
  const size = recordings.reduce((sum, { samples }) => sum + samples.length + pause, 0)
  const samples = new Int16Array(size)
  let at = 0
  for (const recording of recordings) {
    samples.set(recording.samples, at)
    at += recording.samples.length + pause
  }
  const [first] = recordings
  return {
    voice: first?.voice ?? '',
    text: recordings.map(({ text }) => text).join(' '),
    samples,
  }
}

function readWav(path: string): Int16Array {
  return readWavSamples(readFileSync(path))
}

/** The samples of a WAV file, 16,000 per second. Between two samples of the original the line that connects them is used. */
export function readWavSamples(file: Buffer): Int16Array {
  const data = file.indexOf('data') + 8
  const step = file.readUInt32LE(24) / 16_000
  const count = Math.floor((file.length - data) / 2)
  const sample = (index: number) => (index < count ? file.readInt16LE(data + 2 * index) : 0)
  return Int16Array.from({ length: Math.floor(count / step) }, (_, i) => {
    const before = Math.floor(i * step)
    const share = i * step - before
    return Math.round(sample(before) * (1 - share) + sample(before + 1) * share)
  })
}

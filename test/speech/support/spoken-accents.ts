import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ACCENTS, fetchVoices } from './speech-cache.ts'

/** A sentence and answers of one or two words, for which models often write nothing. */
export const SHORT_ANSWERS = [
  'Good morning everybody, the budget for the next year is ready.',
  '420.',
  'Seventeen.',
  'Fifty thousand.',
  'Yes.',
] as const

const PROGRAM = join(import.meta.dirname, 'speak.cjs')
const SAMPLE_RATE = 16_000
const WAV_HEADER_BYTES = 44
const PAUSE = new Int16Array(SAMPLE_RATE)

/** The phrases with a second of silence after each, spoken by a synthetic voice: 16,000 samples per second. */
export async function speakInTurn(
  accent: (typeof ACCENTS)[number],
  phrases: readonly string[],
): Promise<Int16Array> {
  const args = ['--no-deprecation', PROGRAM, await fetchVoices(), accent, ...phrases]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: 256 * 1024 * 1024,
    timeout: 60_000,
  })
  const sounds = (JSON.parse(stdout) as string[]).map((wav) => resample(Buffer.from(wav, 'base64')))
  return Int16Array.from(sounds.flatMap((sound) => [...sound, ...PAUSE]))
}

/** Between two samples of the original the line that connects them is used. */
function resample(wav: Buffer): Int16Array {
  const step = wav.readUInt32LE(24) / SAMPLE_RATE
  const count = (wav.length - WAV_HEADER_BYTES) / 2
  const sample = (index: number) =>
    index < count ? wav.readInt16LE(WAV_HEADER_BYTES + 2 * index) : 0
  return Int16Array.from({ length: Math.floor(count / step) }, (_, i) => {
    const before = Math.floor(i * step)
    const share = i * step - before
    return Math.round(sample(before) * (1 - share) + sample(before + 1) * share)
  })
}

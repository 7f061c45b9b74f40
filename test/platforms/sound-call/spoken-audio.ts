import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** Programs that each speak a text into a WAV file with another voice. */
const SPEAKERS = {
  'espeak-ng': (text, file, voice = 'en-us') => ['-v', voice, '-s', '150', '-w', file, text],
  flite: (text, file, voice = 'slt') => ['-voice', voice, '-t', text, '-o', file],
} as const satisfies Record<string, (text: string, file: string, voice?: string) => string[]>
export type SpeakingProgram = keyof typeof SPEAKERS

/** The programs of this list that this machine does not have. */
export function findMissingPrograms(): SpeakingProgram[] {
  return (Object.keys(SPEAKERS) as SpeakingProgram[]).filter(
    (name) => spawnSync(name, ['--version']).error !== undefined,
  )
}

/** Writes a WAV file with silence, the spoken text, and silence again. The bot connects during the first silence. */
export function speakIntoFile(
  program: SpeakingProgram,
  text: string,
  { file, silentSeconds, voice }: { file: string; silentSeconds: number; voice?: string },
): void {
  const { status, stderr } = spawnSync(program, SPEAKERS[program](text, file, voice))
  if (status !== 0) throw new Error(`${program}: ${String(stderr)}`)
  const { header, samples } = readWav(readFileSync(file))
  const rate = header.readUInt32LE(24)
  const body = Buffer.concat([
    Buffer.alloc(rate * silentSeconds * 2),
    samples,
    Buffer.alloc(rate * 4),
  ])
  header.writeUInt32LE(36 + body.length, 4)
  header.writeUInt32LE(body.length, 40)
  writeFileSync(file, Buffer.concat([header, body]))
}

/** Both programs write mono 16-bit samples after a header of 44 bytes. */
function readWav(bytes: Buffer): { header: Buffer; samples: Buffer } {
  const dataAt = bytes.indexOf('data')
  if (dataAt !== 36 || bytes.readUInt16LE(22) !== 1 || bytes.readUInt16LE(34) !== 16)
    throw new Error('the WAV file has an unexpected format')
  return { header: bytes.subarray(0, 44), samples: bytes.subarray(44) }
}

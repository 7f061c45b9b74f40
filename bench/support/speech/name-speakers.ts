import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWavSamples, speak } from './recordings.ts'
import type { SpokenSentence } from './spoken-names.ts'

/** A synthetic voice that speaks a sentence with names: 16,000 samples per second. */
export type Speaker = { name: string; speak(sentence: SpokenSentence): Int16Array }

const VOICES = {
  tuned: {
    flite: ['slt', 'rms', 'awb'],
    'espeak-ng': ['en-us', 'en-gb-x-rp', 'en-gb-scotland'],
  },
  heldOut: { flite: ['slt', 'kal16'], 'espeak-ng': ['en-gb', 'en-029', 'en-gb-x-gbclan'] },
} as const

/** The voices of the installed programs. With `espeak-ng`, one of them speaks each name in the language it is from. */
export function listSpeakers(isTuned: boolean): Speaker[] {
  const voices = VOICES[isTuned ? 'tuned' : 'heldOut']
  const flite = hasProgram('flite') ? voices.flite.map(createFliteSpeaker) : []
  if (!hasProgram('espeak-ng')) return flite
  return [...flite, ...voices['espeak-ng'].map(createEspeakSpeaker), NATIVE_NAMES]
}

function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version']).error === undefined
}

function createFliteSpeaker(voice: string): Speaker {
  return {
    name: `flite ${voice}`,
    speak({ text }) {
      const folder = mkdtempSync(join(tmpdir(), 'hansard-voices-'))
      try {
        // This program reads only ASCII.
        const plain = text.normalize('NFD').replaceAll(/[^\0-\x7f]/g, '')
        return speak(voice, plain, join(folder, 'sentence.wav')).samples
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  }
}

function createEspeakSpeaker(voice: string): Speaker {
  return {
    name: `espeak-ng ${voice}`,
    speak: ({ text }) => run('espeak-ng', ['-v', voice, '-s', '150', '--stdout', text]),
  }
}

const NATIVE_NAMES: Speaker = {
  name: 'espeak-ng en-us, names in their languages',
  speak({ marked }) {
    const parts = marked.map(({ text, language }) =>
      language === 'en' ? text : `<voice xml:lang="${language}">${text}</voice>`,
    )
    const ssml = `<speak>${parts.join('')}</speak>`
    return run('espeak-ng', ['-v', 'en-us', '-s', '140', '-m', '--stdout', ssml])
  },
}

function run(program: string, args: readonly string[]): Int16Array {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 100_000_000 })
  if (status !== 0) throw new Error(`${program} failed: ${String(stderr)}`)
  return readWavSamples(stdout)
}

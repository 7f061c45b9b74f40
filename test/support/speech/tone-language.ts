import { SPEECH_SAMPLE_RATE } from '../../../src/bots/platforms/speech/recognition.ts'

/**
 * A language of tones, in which every word is a pair of frequencies. It survives a call's codecs, and its words can be
 * told apart without a model.
 */
const LOW_HERTZ = [500, 650, 800, 950] as const
const HIGH_HERTZ = [1_400, 1_700, 2_050, 2_450] as const
const WORDS = [
  ['alpha', 'bravo', 'charlie', 'delta'],
  ['echo', 'foxtrot', 'golf', 'hotel'],
  ['india', 'juliet', 'kilo', 'lima'],
  ['mike', 'november', 'oscar', 'papa'],
] as const

const WORD_MS = 140
const GAP_MS = 60
/** Words begin and end softly, because a click has every frequency. */
const FADE_MS = 8
const WINDOW = (SPEECH_SAMPLE_RATE * 40) / 1_000
const STEP = WINDOW / 2
/** The same pair in this many windows is a word. More windows with it are the same word, as no word is repeated. */
const MIN_WINDOWS = 3
/** The smallest amplitude of a frequency that is present. The maximum is 1. */
const MIN_AMPLITUDE = 0.02
/** How much stronger a group's strongest frequency must be than the next one. */
const MIN_RATIO = 2.5

export type ToneOptions = {
  sampleRate?: number
  /** Above 0.5 the tones are clipped, as with a microphone that is too loud. */
  amplitude?: number
  /** Silence after the last word. */
  silenceMs?: number
}

/** Speaks words of the table. No word may follow itself. */
export function speakTones(
  text: string,
  { sampleRate = SPEECH_SAMPLE_RATE, amplitude = 0.3, silenceMs = 0 }: ToneOptions = {},
): { samples: Int16Array; sampleRate: number } {
  const silence = (ms: number) => Array.from({ length: (ms * sampleRate) / 1_000 }, () => 0)
  const words = text
    .split(' ')
    .flatMap((word) => [...wordSamples(word, sampleRate, amplitude), ...silence(GAP_MS)])
  return {
    samples: Int16Array.from([...words, ...silence(silenceMs)]),
    sampleRate,
  }
}

function wordSamples(word: string, sampleRate: number, amplitude: number): number[] {
  const row = WORDS.findIndex((words) => (words as readonly string[]).includes(word))
  const column = WORDS[row]?.findIndex((other) => other === word) ?? -1
  const [low, high] = [LOW_HERTZ[row], HIGH_HERTZ[column]]
  if (low === undefined || high === undefined) throw new Error(`${word} is not a word of tones`)
  const length = (WORD_MS * sampleRate) / 1_000
  const fade = (FADE_MS * sampleRate) / 1_000
  return Array.from({ length }, (_, i) => {
    const loudness = amplitude * Math.min(1, i / fade, (length - i) / fade)
    const angle = (2 * Math.PI * i) / sampleRate
    const value = loudness * (Math.sin(low * angle) + Math.sin(high * angle))
    return Math.round(Math.max(-1, Math.min(1, value)) * 32_767)
  })
}

/** The words in 16 kHz samples. */
export function readTones(samples: Int16Array): string {
  const words: string[] = []
  let current: string | null = null
  let windows = 0
  for (let at = 0; at + WINDOW <= samples.length; at += STEP) {
    const word = wordIn(samples.subarray(at, at + WINDOW))
    windows = word === current ? windows + 1 : 1
    current = word
    // A call under load may interrupt a word for a moment.
    if (word !== null && windows === MIN_WINDOWS && words.at(-1) !== word) words.push(word)
  }
  return words.join(' ')
}

function wordIn(window: Int16Array): string | null {
  const row = strongestOf(window, LOW_HERTZ)
  const column = strongestOf(window, HIGH_HERTZ)
  return row === null || column === null ? null : (WORDS[row]?.[column] ?? null)
}

/** The index of the only frequency in the window; null if there is none or more than one. */
function strongestOf(window: Int16Array, frequencies: readonly number[]): number | null {
  const amplitudes = frequencies.map((hertz) => amplitudeOf(window, hertz))
  const [first = 0, second = 0] = amplitudes.toSorted((a, b) => b - a)
  if (first < MIN_AMPLITUDE || first < second * MIN_RATIO) return null
  return amplitudes.indexOf(first)
}

/** The Goertzel algorithm, on a window that fades in and out, so that neighbouring frequencies do not leak. */
function amplitudeOf(window: Int16Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / SPEECH_SAMPLE_RATE)
  let [before, last] = [0, 0]
  for (const [i, sample] of window.entries()) {
    const fade = 1 - Math.cos((2 * Math.PI * i) / window.length)
    ;[before, last] = [last, factor * last - before + fade * sample]
  }
  const power = last * last + before * before - factor * last * before
  return (2 * Math.sqrt(Math.max(0, power))) / window.length / 32_767
}

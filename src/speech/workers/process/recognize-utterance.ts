import { SAMPLES_PER_MS } from '../../cutting/sound.ts'
import type { UtteranceSound } from '../../cutting/utterance-cutter.ts'
import { isTooLongForSound } from '../../text/recognized-text.ts'
import type { SpeechEngine } from './engine.ts'

/** Nobody speaks more slowly for longer. The model sometimes writes nothing for sound of a certain length. */
const LEAST_WORDS_PER_SECOND = 0.6
/** Shorter sound may have no word. */
const LEAST_SPEECH_MS = 400
/** Silence that is added around the sound, which changes its length, for the second and third attempt. */
const PADDINGS_MS = [100, 250]

/** Recognizes an utterance, again with silence around it when the text is far too short. Returns the longest text. */
export function recognizeUtterance(engine: SpeechEngine, sound: UtteranceSound): string {
  const { samples, startedAt, endedAt } = sound
  const speechMs = endedAt - startedAt
  let best = engine.recognize(samples)
  for (const paddingMs of PADDINGS_MS) {
    if (!isTooShort(best, speechMs)) return best
    const padding = paddingMs * SAMPLES_PER_MS
    const padded = new Int16Array(samples.length + 2 * padding)
    padded.set(samples, padding)
    const text = engine.recognize(padded)
    if (countWords(text) > countWords(best) && !isTooLongForSound(text, speechMs)) best = text
  }
  return best
}

function isTooShort(text: string, speechMs: number): boolean {
  if (speechMs < LEAST_SPEECH_MS) return false
  return countWords(text) < (speechMs / 1_000) * LEAST_WORDS_PER_SECOND
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}

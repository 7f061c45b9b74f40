import { measureLevel } from './sound.ts'
import type { SpeechDetector } from './speech-detector.ts'

/** Speech is this much louder than the background. */
const SPEECH_TO_BACKGROUND = 3
/** Quieter sound is never speech: about -55 dB. */
const LEAST_LEVEL = 60
/** How quickly the background follows sound that is louder than it. Quieter sound replaces it at once. */
const RISE_FACTOR = 1.01
/** The background never counts as louder than this, so that a long loud sentence remains speech. */
const LOUDEST_BACKGROUND = 400
/** Pauses between sounds of a word count as speech: 96 ms. */
const HOLD_FRAMES = 3

/** Takes loud sound for speech. It needs no weights, so it works where only an endpoint recognizes speech. */
export function createEnergyDetector(): SpeechDetector {
  let background = LEAST_LEVEL
  let hold = 0
  return {
    isSpeech(samples) {
      const level = measureLevel(samples)
      background = Math.min(Math.max(level, 1), background * RISE_FACTOR, LOUDEST_BACKGROUND)
      const isLoud = level >= LEAST_LEVEL && level > background * SPEECH_TO_BACKGROUND
      hold = isLoud ? HOLD_FRAMES : Math.max(0, hold - 1)
      return isLoud || hold > 0
    },
    reset() {
      background = LEAST_LEVEL
      hold = 0
    },
  }
}

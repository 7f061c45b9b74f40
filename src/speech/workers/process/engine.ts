import type { SpeechDetector } from '../../cutting/speech-detector.ts'

/** A speech model and a voice detector in this process. All calls are synchronous. */
export interface SpeechEngine {
  createDetector(): SpeechDetector
  recognize(samples: Int16Array): string
}

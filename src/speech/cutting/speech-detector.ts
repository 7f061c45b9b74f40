/** Decides for each frame of one voice whether somebody speaks in it. It remembers earlier frames. */
export interface SpeechDetector {
  isSpeech(samples: Int16Array): boolean
  /** The next frame is of another voice. */
  reset(): void
}

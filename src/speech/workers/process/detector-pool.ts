import type { SoundFrame } from '../../cutting/sound.ts'
import type { SpeechDetector } from '../../cutting/speech-detector.ts'

/** Each detector needs about 8 MB, and few people of a meeting make sound at the same time. */
const MOST_DETECTORS = 12

/** Lends detectors to voices. The voice that was silent for the longest time gives its detector to a new one. */
export interface DetectorPool {
  /** A detector that has heard the recent frames of this voice. */
  lend(voice: object, recentFrames: () => SoundFrame[]): SpeechDetector
  takeBack(voice: object): void
}

export function createDetectorPool(create: () => SpeechDetector): DetectorPool {
  // In the order of the last use.
  const lent = new Map<object, SpeechDetector>()
  const free: SpeechDetector[] = []

  const takeBack = (voice: object) => {
    const detector = lent.get(voice)
    if (detector === undefined) return
    lent.delete(voice)
    free.push(detector)
  }
  const findFree = (): SpeechDetector => {
    if (lent.size >= MOST_DETECTORS) takeBack(lent.keys().next().value!)
    return free.pop() ?? create()
  }

  return {
    lend(voice, recentFrames) {
      let detector = lent.get(voice)
      if (detector === undefined) {
        detector = findFree()
        detector.reset()
        for (const { samples } of recentFrames()) detector.isSpeech(samples)
      }
      lent.delete(voice)
      lent.set(voice, detector)
      return detector
    },
    takeBack,
  }
}

import { isTooLongForSound } from '../../recognized-text.ts'
import {
  createFrameSplitter,
  type SoundChunk,
  type SoundFrame,
  SAMPLES_PER_MS,
} from '../../sound.ts'
import {
  createUtteranceCutter,
  type UtteranceSound,
  type SpeechDetector,
} from '../../utterance-cutter.ts'
import type { SpeechEngine } from './sherpa-engine.ts'

/** Cuts the sound of one voice into utterances, without recognizing them. */
export type VoiceListener = ReturnType<typeof createVoiceListener>

/** Each detector needs about 8 MB, and only a few people in a meeting make sound at the same time. */
const MOST_DETECTORS = 12

/** Lends detectors to voices. The voice that was silent for longest gives its detector to a new one. */
type DetectorPool = ReturnType<typeof createDetectorPool>

/** No one speaks more slowly for longer. For sound of certain lengths, the model sometimes writes nothing. */
const LEAST_WORDS_PER_SECOND = 0.6
/** Shorter sound may have no word. */
const LEAST_SPEECH_MS = 400
/**
 * The silence added before and after the sound for further attempts; a negative one is cut off. Most words that the model does not
 * write at first are found with less silence: see “accents are recognized” in test/speech/real-voice.test.ts.
 */
const FURTHER_ATTEMPTS_MS = [
  [-200, 0],
  [-150, -150],
  [0, -200],
  [100, 100],
] as const

export function createVoiceListener(detectors: DetectorPool) {
  const splitter = createFrameSplitter()
  const cutter = createUtteranceCutter()
  const key = {}
  let heardTo = 0
  // The first position that is not yet in the cutter.
  let splitTo: number | null = null

  const cut = (frames: readonly SoundFrame[]): UtteranceSound[] =>
    frames.flatMap((frame) => {
      const detector = detectors.lend(key, cutter.recentFrames)
      splitTo = frame.to
      return cutter.add(frame, detector.isSpeech(frame.samples))
    })

  return {
    add(chunk: SoundChunk): UtteranceSound[] {
      splitTo ??= chunk.position
      heardTo = chunk.position + chunk.samples.length
      return cut(splitter.add(chunk))
    },
    end(): UtteranceSound[] {
      const utterances = [...cut(splitter.flush()), ...cutter.end()]
      splitTo = heardTo
      detectors.takeBack(key)
      return utterances
    },
    state: (): { heardTo: number; keepFrom: number; isInUtterance: boolean } => ({
      heardTo,
      keepFrom: cutter.keepFrom() ?? splitTo ?? heardTo,
      isInUtterance: cutter.isInUtterance(),
    }),
  }
}

export function createDetectorPool(create: () => SpeechDetector) {
  // In the order of last use.
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
    /** A detector that has heard this voice's recent frames. */
    lend(voice: object, recentFrames: () => SoundFrame[]): SpeechDetector {
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

/** Recognizes an utterance. If the text is far too short, it tries other lengths of silence. Returns the longest text. */
export function recognizeUtterance(engine: SpeechEngine, sound: UtteranceSound): string {
  const { samples, startedAt, endedAt } = sound
  const speechMs = endedAt - startedAt
  const silenceMs = samples.length / SAMPLES_PER_MS - speechMs
  let best = engine.recognize(samples)
  for (const [before, after] of FURTHER_ATTEMPTS_MS) {
    if (!isTooShort(best, speechMs)) return best
    if (before + after + silenceMs < 0) continue
    const text = engine.recognize(changeSilence(samples, before, after))
    if (countWords(text) > countWords(best) && !isTooLongForSound(text, speechMs)) best = text
  }
  return best
}

function changeSilence(samples: Int16Array, beforeMs: number, afterMs: number): Int16Array {
  const [before, after] = [beforeMs * SAMPLES_PER_MS, afterMs * SAMPLES_PER_MS]
  const kept = samples.subarray(Math.max(0, -before), samples.length + Math.min(0, after))
  const changed = new Int16Array(samples.length + before + after)
  changed.set(kept, Math.max(0, before))
  return changed
}

function isTooShort(text: string, speechMs: number): boolean {
  if (speechMs < LEAST_SPEECH_MS) return false
  return countWords(text) < (speechMs / 1_000) * LEAST_WORDS_PER_SECOND
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}

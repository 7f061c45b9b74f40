import { FRAME_MS, joinSamples, measureLevel, type SoundFrame } from './sound.ts'

/** The sound of one utterance, including a little sound around it. */
export type UtteranceSound = {
  samples: Int16Array
  /** When the first word starts and when the last one ends. */
  startedAt: number
  endedAt: number
  /** The positions that this sound covers. No other utterance covers any of them. */
  from: number
  to: number
}

/** Cuts the frames of one voice into utterances. It keeps only the unfinished utterance's sound. */
export type UtteranceCutter = ReturnType<typeof createUtteranceCutter>

/** Decides for each frame of one voice whether it contains speech. It remembers earlier frames. */
export type SpeechDetector = ReturnType<typeof createEnergyDetector>

/** Speech is this much louder than the background. */
const SPEECH_TO_BACKGROUND = 3
/** Quieter sound is never speech: about -55 dB. */
const LEAST_LEVEL = 60
/** How quickly the background level follows louder sound. Quieter sound replaces it at once. */
const RISE_FACTOR = 1.01
/** The background level never rises above this, so that a long loud sentence remains speech. */
const LOUDEST_BACKGROUND = 400
/** Pauses between sounds of a word are part of the speech: 96 ms. */
const HOLD_FRAMES = 3

const toFrameCount = (ms: number) => Math.round(ms / FRAME_MS)

/** This much sound before the first speech belongs to the utterance, because detectors notice speech late. */
const LEAD_FRAMES = toFrameCount(320)
/** This much silence ends an utterance. */
const SILENCE_FRAMES = toFrameCount(512)
/** The part of that silence that stays in the utterance. The rest may be the lead of the next one. */
const TRAIL_FRAMES = toFrameCount(256)
/** Shorter speech is a click or a breath. */
const LEAST_SPEECH_FRAMES = 5
const LONGEST_FRAMES = toFrameCount(12_000)
/** A long utterance is cut at the quietest moment of its last part, which has this length. */
const CUT_SEARCH_FRAMES = toFrameCount(4_000)
/** How many frames around a moment decide how quiet it is. */
const QUIET_SPAN_FRAMES = 5
/** A moment without speech is treated as this much quieter. */
const NO_SPEECH_FACTOR = 0.25

type HeardFrame = SoundFrame & { isSpeech: boolean; level: number }

export function createUtteranceCutter() {
  // The frames of the unfinished utterance, or the lead of the next one.
  let frames: HeardFrame[] = []
  let isInUtterance = false
  let silentFrames = 0
  let heardTo: number | null = null

  const close = (count: number): UtteranceSound[] => {
    const part = frames.slice(0, count)
    frames = frames.slice(count)
    const speech = part.filter(({ isSpeech }) => isSpeech)
    const first = speech[0]
    const last = speech.at(-1)
    if (first === undefined || last === undefined || speech.length < LEAST_SPEECH_FRAMES) return []
    return [
      {
        samples: joinSamples(part.map(({ samples }) => samples)),
        startedAt: first.startsAt,
        endedAt: last.startsAt + FRAME_MS,
        from: part[0]!.from,
        to: part.at(-1)!.to,
      },
    ]
  }
  const endUtterance = (): UtteranceSound[] => {
    const extra = Math.max(0, silentFrames - TRAIL_FRAMES)
    const closed = close(frames.length - extra)
    isInUtterance = false
    silentFrames = 0
    return closed
  }
  const cutLongUtterance = (): UtteranceSound[] => {
    const closed = close(findQuietestFrame(frames) + 1)
    isInUtterance = frames.some(({ isSpeech }) => isSpeech)
    return closed
  }

  return {
    add(frame: SoundFrame, isSpeech: boolean): UtteranceSound[] {
      frames.push({ ...frame, isSpeech, level: measureLevel(frame.samples) })
      heardTo = frame.to
      silentFrames = isSpeech ? 0 : silentFrames + 1
      isInUtterance ||= isSpeech
      if (!isInUtterance) {
        if (frames.length > LEAD_FRAMES) frames.shift()
        return []
      }
      if (silentFrames >= SILENCE_FRAMES) return endUtterance()
      return frames.length >= LONGEST_FRAMES ? cutLongUtterance() : []
    },
    /** Call this when the voice is silent from now on. */
    end(): UtteranceSound[] {
      const closed = isInUtterance ? endUtterance() : []
      frames = []
      return closed
    },
    isInUtterance: () => isInUtterance,
    /** Sound before this position will not be needed again; null before the first frame. */
    keepFrom: () => frames[0]?.from ?? heardTo,
    /** The newest frames, for a detector that has not heard this voice yet. */
    recentFrames: () => frames.slice(-LEAD_FRAMES),
  }
}

/** Index of the quietest frame in the last part of the utterance, preferably in a pause. */
function findQuietestFrame(frames: readonly HeardFrame[]): number {
  const reach = Math.floor(QUIET_SPAN_FRAMES / 2)
  let best = frames.length - 1 - reach
  let bestLevel = Number.POSITIVE_INFINITY
  // Starts at the end, so that the utterance becomes as long as possible among equally quiet moments.
  for (let index = best; index >= frames.length - CUT_SEARCH_FRAMES; index -= 1) {
    const span = frames.slice(index - reach, index + reach + 1)
    const level = span.reduce(
      (sum, { level, isSpeech }) => sum + level * (isSpeech ? 1 : NO_SPEECH_FACTOR),
      0,
    )
    if (level >= bestLevel) continue
    best = index
    bestLevel = level
  }
  return best
}

/** Takes loud sound for speech. It needs no weights, so it works where only an endpoint recognizes speech. */
export function createEnergyDetector() {
  let background = LEAST_LEVEL
  let hold = 0
  return {
    isSpeech(samples: Int16Array) {
      const level = measureLevel(samples)
      background = Math.min(Math.max(level, 1), background * RISE_FACTOR, LOUDEST_BACKGROUND)
      const isLoud = level >= LEAST_LEVEL && level > background * SPEECH_TO_BACKGROUND
      hold = isLoud ? HOLD_FRAMES : Math.max(0, hold - 1)
      return isLoud || hold > 0
    },
    /** Call this before a frame of another voice. */
    reset() {
      background = LEAST_LEVEL
      hold = 0
    },
  }
}

import {
  SPEECH_SAMPLE_RATE,
  type SpeechRecognition,
  type SpeechSession,
  type SpeechSessionOptions,
  type VoiceSound,
} from '../../../src/bots/platforms/speech/recognition.ts'
import { readTones } from './tone-language.ts'

/** Silence of this length ends an utterance. */
const PAUSE_MS = 500
/** Samples below this value are silence. */
const QUIET = 200
const SAMPLES_PER_MS = SPEECH_SAMPLE_RATE / 1_000

/** Recognizes the language of tones: a small speech recognition without weights. */
export function createToneRecognition({
  obstacle = null,
}: { obstacle?: string | null } = {}): SpeechRecognition & { openSessions(): number } {
  const sessions = new Set<SpeechSession>()
  return {
    openSessions: () => sessions.size,
    findObstacle: () => Promise.resolve(obstacle),
    openSession(options) {
      const session = createToneSession(options, () => sessions.delete(session))
      sessions.add(session)
      return session
    },
  }
}

/** What a voice has said since its last pause. */
type Unfinished = { startsAt: number; samples: number[] }

function createToneSession(
  { onUtterance }: SpeechSessionOptions,
  onClose: () => void,
): SpeechSession {
  const voices = new Map<string, Unfinished>()
  let waiting = 0
  let isClosed = false

  /** Reports an utterance later, like a recognizer in another process. */
  function recognize(voice: string, { startsAt, samples }: Unfinished): void {
    const text = readTones(Int16Array.from(samples))
    if (text === '') return
    const first = samples.findIndex(isLoud)
    const last = samples.findLastIndex(isLoud)
    const startedAt = startsAt + first / SAMPLES_PER_MS
    const endedAt = startsAt + last / SAMPLES_PER_MS
    waiting += 1
    setImmediate(() => {
      waiting -= 1
      if (!isClosed) onUtterance({ voice, text, startedAt, endedAt, incompleteReason: null })
    })
  }
  function endVoice(voice: string): void {
    const unfinished = voices.get(voice)
    voices.delete(voice)
    if (unfinished !== undefined) recognize(voice, unfinished)
  }

  return {
    addSound({ voice, startsAt, samples }: VoiceSound) {
      const known = voices.get(voice)
      const missingMs = known === undefined ? 0 : startsAt - endOf(known)
      if (missingMs > PAUSE_MS) endVoice(voice)
      const unfinished = voices.get(voice) ?? { startsAt, samples: [] }
      unfinished.samples.push(...samples)
      voices.set(voice, unfinished)
      const last = unfinished.samples.findLastIndex(isLoud)
      if (unfinished.samples.length - last > PAUSE_MS * SAMPLES_PER_MS) endVoice(voice)
    },
    endVoice,
    isBusy: () => voices.size > 0 || waiting > 0,
    async finish() {
      for (const voice of voices.keys()) endVoice(voice)
      // Runs after the immediates of all utterances.
      await new Promise((resolve) => void setImmediate(resolve))
    },
    [Symbol.asyncDispose]() {
      isClosed = true
      voices.clear()
      onClose()
      return Promise.resolve()
    },
  }
}

function endOf({ startsAt, samples }: Unfinished): number {
  return startsAt + samples.length / SAMPLES_PER_MS
}

function isLoud(sample: number): boolean {
  return Math.abs(sample) > QUIET
}

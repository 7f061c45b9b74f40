import {
  SPEECH_SAMPLE_RATE,
  type SpeechRecognition,
  type SpeechSessionOptions,
} from '../../../src/bots/platforms/speech/recognition.ts'

type Burst = { startedAt: number; samples: number; energy: number }

export type BurstRecognition = SpeechRecognition & {
  /** The options of every opened session. */
  opened: SpeechSessionOptions[]
}

/** A recognition that only notices sound: each burst of sound of a voice is an utterance, which says how long it was. */
export function createBurstRecognition(obstacle: string | null = null): BurstRecognition {
  const opened: SpeechSessionOptions[] = []
  return {
    opened,
    findObstacle: () => Promise.resolve(obstacle),
    openSession(options) {
      opened.push(options)
      const bursts = new Map<string, Burst>()
      function end(voice: string): void {
        const burst = bursts.get(voice)
        if (burst === undefined) return
        bursts.delete(voice)
        const ms = (burst.samples * 1_000) / SPEECH_SAMPLE_RATE
        const level = Math.round(Math.sqrt(burst.energy / burst.samples))
        options.onUtterance({
          voice,
          text: `sound of ${(ms / 1_000).toFixed(1)} s at level ${level}`,
          startedAt: burst.startedAt,
          endedAt: burst.startedAt + ms,
          incompleteReason: null,
        })
      }
      return {
        addSound({ voice, startsAt, samples }) {
          const burst = bursts.get(voice) ?? { startedAt: startsAt, samples: 0, energy: 0 }
          burst.samples += samples.length
          burst.energy += samples.reduce((sum, sample) => sum + sample * sample, 0)
          bursts.set(voice, burst)
        },
        endVoice: end,
        isBusy: () => bursts.size > 0,
        finish: () => Promise.resolve([...bursts.keys()].forEach(end)),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }
    },
  }
}

import {
  SPEECH_SAMPLE_RATE,
  type SpeechRecognition,
} from '../../../src/bots/platforms/speech/recognition.ts'

type Burst = {
  startedAt: number
  samples: number
  loudSamples: number
  turns: number
  sign: number
}

/** Quieter samples are neither part of a tone nor a change of its sign. */
const LOUD = 500

export type BurstRecognition = SpeechRecognition & {
  /** How many voices have been loud for at least a third of a second and are not silent yet. */
  countLoudVoices(): number
}

/** A recognition that only notices sound. Each burst of a voice's sound is an utterance that names its pitch. */
export function createBurstRecognition(obstacle: string | null = null): BurstRecognition {
  const bursts = new Map<string, Burst>()
  return {
    countLoudVoices: () =>
      [...bursts.values()].filter(({ loudSamples }) => loudSamples > SPEECH_SAMPLE_RATE / 3).length,
    findObstacle: () => Promise.resolve(obstacle),
    openSession(options) {
      function end(voice: string): void {
        const burst = bursts.get(voice)
        if (burst === undefined) return
        bursts.delete(voice)
        const ms = (burst.samples * 1_000) / SPEECH_SAMPLE_RATE
        const hertz = (burst.turns / 2 / burst.loudSamples) * SPEECH_SAMPLE_RATE
        options.onUtterance({
          voice,
          text: `${Math.round(hertz)} Hz`,
          startedAt: burst.startedAt,
          endedAt: burst.startedAt + ms,
          incompleteReason: null,
        })
      }
      return {
        addSound({ voice, startsAt, samples }) {
          const burst = bursts.get(voice) ?? {
            startedAt: startsAt,
            samples: 0,
            loudSamples: 0,
            turns: 0,
            sign: 0,
          }
          measure(burst, samples)
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

/** Counts how often the wave changes its sign. */
function measure(burst: Burst, samples: Int16Array): void {
  burst.samples += samples.length
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? 0
    const isNearLoud = samples
      .subarray(Math.max(0, at - 20), at + 20)
      .some((one) => Math.abs(one) > LOUD)
    if (isNearLoud) burst.loudSamples += 1
    const sign = Math.abs(sample) > LOUD ? Math.sign(sample) : burst.sign
    if (sign !== burst.sign) burst.turns += 1
    burst.sign = sign
  }
}

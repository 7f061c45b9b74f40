/** Samples per second of all sound here; the same as SPEECH_SAMPLE_RATE of the platforms. */
export const SAMPLE_RATE = 16_000
export const SAMPLES_PER_MS = SAMPLE_RATE / 1_000

/** The length of sound that the voice detector decides on at once: 32 milliseconds. */
export const FRAME_SAMPLES = 512
export const FRAME_MS = FRAME_SAMPLES / SAMPLES_PER_MS

/** Sound of one voice. Positions count the samples of the voice from its first one, without missing time. */
export type SoundChunk = {
  position: number
  /** Milliseconds of the clock of the caller. */
  startsAt: number
  samples: Int16Array
}

/** A piece of sound of fixed length. `from` and `to` are positions; both are the same for time that is missing. */
export type SoundFrame = {
  samples: Int16Array
  startsAt: number
  from: number
  to: number
}

export function toMs(sampleCount: number): number {
  return sampleCount / SAMPLES_PER_MS
}

/** Largest distance of a sample from zero, up to 32,768. */
export function findPeak(samples: Int16Array): number {
  let peak = 0
  for (const sample of samples) {
    const size = sample < 0 ? -sample : sample
    if (size > peak) peak = size
  }
  return peak
}

/** Loudness as the root mean square of the samples, up to 32,768. */
export function measureLevel(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}

export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

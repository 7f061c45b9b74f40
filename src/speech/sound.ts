/** Samples per second of all sound here. Equal to SPEECH_SAMPLE_RATE of the platforms. */
export const SAMPLE_RATE = 16_000
export const SAMPLES_PER_MS = SAMPLE_RATE / 1_000

/** The voice detector decides about this much sound at a time: 32 milliseconds. */
export const FRAME_SAMPLES = 512
export const FRAME_MS = FRAME_SAMPLES / SAMPLES_PER_MS

/** Sound of one voice. Positions count the voice's samples from its first one, without missing time. */
export type SoundChunk = {
  position: number
  /** Milliseconds of the caller's clock. */
  startsAt: number
  samples: Int16Array
}

/** A piece of sound of fixed length. `from` and `to` are positions; they are equal for missing time. */
export type SoundFrame = {
  samples: Int16Array
  startsAt: number
  from: number
  to: number
}

/** Chunks of a running stream arrive with slightly wrong times, so a shorter gap is ignored. */
const IGNORED_GAP_MS = 60
/** Enough silence to end every utterance. A longer gap needs no more frames. */
const LONGEST_GAP_MS = 1_000

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

/** Turns the chunks of one voice into frames of equal length. Missing time becomes silent frames. */
export function createFrameSplitter() {
  let pending: SoundFrame | null = null
  let filled = 0
  let expectedAt: number | null = null

  const flush = (): SoundFrame[] => {
    if (pending === null) return []
    const frame = pending
    pending = null
    filled = 0
    return [frame]
  }

  const bridgeGap = (gapMs: number, fromMs: number, position: number): SoundFrame[] => {
    const frames = flush()
    const silentMs = Math.min(gapMs, LONGEST_GAP_MS)
    for (let at = 0; at < silentMs; at += FRAME_MS)
      frames.push({
        samples: new Int16Array(FRAME_SAMPLES),
        startsAt: fromMs + at,
        from: position,
        to: position,
      })
    return frames
  }

  return {
    add({ position, startsAt, samples }: SoundChunk): SoundFrame[] {
      const gapMs = expectedAt === null ? 0 : startsAt - expectedAt
      const frames =
        expectedAt !== null && gapMs > IGNORED_GAP_MS ? bridgeGap(gapMs, expectedAt, position) : []
      let offset = 0
      while (offset < samples.length) {
        pending ??= {
          samples: new Int16Array(FRAME_SAMPLES),
          startsAt: startsAt + offset / SAMPLES_PER_MS,
          from: position + offset,
          to: position + offset,
        }
        const count = Math.min(FRAME_SAMPLES - filled, samples.length - offset)
        pending.samples.set(samples.subarray(offset, offset + count), filled)
        filled += count
        offset += count
        pending.to = position + offset
        if (filled === FRAME_SAMPLES) frames.push(...flush())
      }
      expectedAt = startsAt + toMs(samples.length)
      return frames
    },
    /** The rest that does not fill a frame, padded with silence. */
    flush,
  }
}

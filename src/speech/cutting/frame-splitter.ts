import {
  FRAME_MS,
  FRAME_SAMPLES,
  SAMPLES_PER_MS,
  toMs,
  type SoundChunk,
  type SoundFrame,
} from './sound.ts'

/** Chunks of a running stream arrive with slightly wrong times; less missing time than this is ignored. */
const IGNORED_GAP_MS = 60
/** Enough silence to end every utterance. A longer gap needs no more frames. */
const LONGEST_GAP_MS = 1_000

/** Turns the chunks of one voice into frames of equal length. Missing time becomes silent frames. */
export interface FrameSplitter {
  add(chunk: SoundChunk): SoundFrame[]
  /** The rest that does not fill a frame, filled up with silence. */
  flush(): SoundFrame[]
}

export function createFrameSplitter(): FrameSplitter {
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
    add({ position, startsAt, samples }) {
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
    flush,
  }
}

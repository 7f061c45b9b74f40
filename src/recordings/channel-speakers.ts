import type { DecodedSound } from './decoding/decoder-messages.ts'

const SAMPLE_RATE = 16_000
/** Loudness is compared in pieces of this length: 32 ms. */
const FRAME_SAMPLES = 512
/** Quieter pieces are background. About -46 dB. */
const LEAST_LEVEL = 160
/** If one channel is this much louder than each other one, only the person of that channel speaks: 10 dB. */
const DOMINANCE = 3.2
/** In a recording of a channel per person, one channel dominates in most pieces, because people take turns. */
const MIN_DOMINATED_SHARE = 0.7
/** A channel with less speech than this is not another person: 2 s. */
const MIN_SPEECH_FRAMES = Math.ceil((2 * SAMPLE_RATE) / FRAME_SAMPLES)

/** How much of a recording is measured. */
export const MEASURED_MS = 20 * 60_000

/**
 * Measures if the channels of a recording are different people. In a stereo recording of a room every voice is in all
 * channels, and nearly as loud.
 */
export function createChannelMeter(channelCount: number) {
  const dominated = Array.from({ length: channelCount }, () => 0)
  let loud = 0

  return {
    add({ channels }: DecodedSound): void {
      const length = channels[0]?.length ?? 0
      for (let from = 0; from + FRAME_SAMPLES <= length; from += FRAME_SAMPLES) {
        const levels = measureLevels(channels, from, FRAME_SAMPLES)
        const loudest = findLoudest(levels)
        if (levels[loudest]! < LEAST_LEVEL) continue
        loud += 1
        const isAlone = levels.every(
          (level, i) => i === loudest || level * DOMINANCE < levels[loudest]!,
        )
        if (isAlone) dominated[loudest]! += 1
      }
    },
    /** True if at least two channels have their own person. */
    hasChannelSpeakers(): boolean {
      const total = dominated.reduce((sum, count) => sum + count, 0)
      const people = dominated.filter((count) => count >= MIN_SPEECH_FRAMES).length
      return people >= 2 && total >= MIN_DOMINATED_SHARE * loud
    },
  }
}

/**
 * Silences each channel while another one is much louder, because microphones also hear the others. Otherwise one
 * sentence would be recognized several times.
 */
export function muteOtherVoices(channels: readonly Int16Array[]): Int16Array[] {
  const muted = channels.map((samples) => samples.slice())
  const length = channels[0]?.length ?? 0
  for (let from = 0; from < length; from += FRAME_SAMPLES) {
    const levels = measureLevels(channels, from, FRAME_SAMPLES)
    const loudest = levels[findLoudest(levels)]!
    for (const [channel, samples] of muted.entries())
      if (levels[channel]! * DOMINANCE < loudest) samples.fill(0, from, from + FRAME_SAMPLES)
  }
  return muted
}

/** One channel of all. Channels with nothing but silence do not make the others quieter. */
export function mixChannels(channels: readonly Int16Array[]): Int16Array {
  if (channels.length === 1) return channels[0]!
  const audible = channels.filter((samples) => samples.some((sample) => sample !== 0))
  if (audible.length <= 1) return audible[0] ?? channels[0]!
  if (isInverted(audible)) return audible[0]!
  const mixed = new Int16Array(audible[0]!.length)
  for (let index = 0; index < mixed.length; index += 1) {
    let sum = 0
    for (const samples of audible) sum += samples[index]!
    mixed[index] = sum / audible.length
  }
  return mixed
}

/** True for two channels that would cancel each other out, as from a microphone with reversed poles. */
function isInverted([left, right, ...others]: readonly Int16Array[]): boolean {
  if (left === undefined || right === undefined || others.length > 0) return false
  let product = 0
  let energy = 0
  for (let index = 0; index < left.length; index += 1) {
    product += left[index]! * right[index]!
    energy += left[index]! ** 2 + right[index]! ** 2
  }
  return product < -0.25 * energy
}

function findLoudest(levels: readonly number[]): number {
  return levels.indexOf(Math.max(...levels))
}

function measureLevels(channels: readonly Int16Array[], from: number, count: number): number[] {
  return channels.map((samples) => {
    const to = Math.min(samples.length, from + count)
    let sum = 0
    for (let index = from; index < to; index += 1) sum += samples[index]! ** 2
    return to > from ? Math.sqrt(sum / (to - from)) : 0
  })
}

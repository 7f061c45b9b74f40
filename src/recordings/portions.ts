import type { DecodedSound } from './decoding/decoder-messages.ts'

/**
 * A part of a recording that is recognized in one piece. What was recognized is stored with its end, so a node that
 * continues after a crash begins with the next portion.
 */
export type Portion = { endMs: number; sounds: DecodedSound[] }

export type PortionLengths = { leastMs: number; mostMs: number }

export const PORTION_LENGTHS: PortionLengths = { leastMs: 45_000, mostMs: 60_000 }

const SAMPLES_PER_MS = 16
/** A portion ends in the middle of the quietest moment of this length, so that no word is cut. */
const PAUSE_SAMPLES = 320 * SAMPLES_PER_MS
const STEP_SAMPLES = 20 * SAMPLES_PER_MS
/** Missing sound of this length is a pause. */
const GAP_MS = 500

/** Divides sound into portions that end in a pause. */
export async function* dividePortions(
  decoded: AsyncGenerator<DecodedSound>,
  fromMs: number,
  { leastMs, mostMs }: PortionLengths = PORTION_LENGTHS,
): AsyncGenerator<Portion> {
  let startMs = fromMs
  let sounds: DecodedSound[] = []
  const take = (endMs: number, rest: DecodedSound[]): Portion => {
    const portion = { endMs, sounds }
    sounds = rest
    startMs = endMs
    return portion
  }
  for await (const sound of decoded) {
    const lastMs = endOf(sounds.at(-1)) ?? startMs
    if (sound.startMs - lastMs > GAP_MS) {
      if (lastMs - startMs >= leastMs) yield take(sound.startMs, [])
      // Hours of missing sound cost nothing.
      else if (sounds.length === 0) startMs = sound.startMs
    }
    sounds.push(sound)
    if (endOf(sound)! - startMs < mostMs) continue
    const { index, sample } = findPause(sounds, startMs + leastMs)
    const [before, after] = splitSound(sounds[index]!, sample)
    const rest = [after, ...sounds.slice(index + 1)]
    sounds = [...sounds.slice(0, index), before]
    yield take(after.startMs, rest)
  }
  if (sounds.length > 0) yield take(endOf(sounds.at(-1))!, [])
}

function endOf(sound: DecodedSound | undefined): number | null {
  if (sound === undefined) return null
  return sound.startMs + sound.channels[0]!.length / SAMPLES_PER_MS
}

/** The middle of the quietest moment after a time: the index of a sound, and a position in it. */
function findPause(
  sounds: readonly DecodedSound[],
  fromMs: number,
): { index: number; sample: number } {
  let best = { index: sounds.length - 1, sample: sounds.at(-1)!.channels[0]!.length }
  let least = Number.POSITIVE_INFINITY
  for (const [index, { startMs, channels }] of sounds.entries()) {
    const length = channels[0]!.length
    const first = Math.max(0, Math.ceil((fromMs - startMs) * SAMPLES_PER_MS))
    for (let sample = first; sample + PAUSE_SAMPLES <= length; sample += STEP_SAMPLES) {
      const energy = measureEnergy(channels, sample, sample + PAUSE_SAMPLES)
      if (energy >= least) continue
      least = energy
      best = { index, sample: sample + PAUSE_SAMPLES / 2 }
    }
  }
  return best
}

/** Reads every seventh sample, which is enough to find a pause. No usual tone has this period. */
function measureEnergy(channels: readonly Int16Array[], from: number, to: number): number {
  let sum = 0
  for (const samples of channels)
    for (let index = from; index < to; index += 7) sum += samples[index]! ** 2
  return sum
}

function splitSound(
  { startMs, channels }: DecodedSound,
  sample: number,
): [DecodedSound, DecodedSound] {
  return [
    { startMs, channels: channels.map((samples) => samples.slice(0, sample)) },
    {
      startMs: startMs + sample / SAMPLES_PER_MS,
      channels: channels.map((samples) => samples.slice(sample)),
    },
  ]
}

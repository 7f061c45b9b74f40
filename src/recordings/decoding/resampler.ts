/** Samples per second of all sound that is recognized. */
export const OUTPUT_RATE = 16_000

/** Zero crossings of the filter on each side. More are sharper and slower. */
const CROSSINGS = 8
/** The part of the frequencies that stays. The rest is the slope of the filter. */
const PASSED = 0.92
/** Positions between two samples for which the filter is computed in advance. */
const PHASES = 128

/** Changes the sample rate of one channel to 16,000. Returns what is complete after each part. */
export type Resampler = { add(samples: Float32Array): Float32Array; end(): Float32Array }

export function createResampler(inputRate: number): Resampler {
  if (inputRate === OUTPUT_RATE)
    return { add: (samples) => samples, end: () => new Float32Array(0) }
  const step = inputRate / OUTPUT_RATE
  const { taps, reach } = findFilter(inputRate)
  // Silence before the first sample.
  let pending: Float32Array = new Float32Array(reach)
  /** Where the next output sample is in `pending`. */
  let position = reach

  const add = (samples: Float32Array): Float32Array => {
    const input = new Float32Array(pending.length + samples.length)
    input.set(pending)
    input.set(samples, pending.length)
    const count = Math.max(0, Math.ceil((input.length - reach - position) / step))
    const output = new Float32Array(count)
    for (let index = 0; index < count; index += 1) {
      const at = position + index * step
      const whole = Math.floor(at)
      const phase = Math.round((at - whole) * PHASES)
      let sum = 0
      const offset = phase * 2 * reach
      const first = whole - reach + 1
      for (let tap = 0; tap < 2 * reach; tap += 1) sum += input[first + tap]! * taps[offset + tap]!
      output[index] = sum
    }
    position += count * step
    const used = Math.max(0, Math.min(input.length, Math.floor(position) - reach))
    pending = input.slice(used)
    position -= used
    return output
  }
  return { add, end: () => add(new Float32Array(reach)) }
}

type Filter = { taps: Float32Array; reach: number }
const filters = new Map<number, Filter>()

/** A low-pass filter for each phase: a sine cardinal in a Hann window. */
function findFilter(inputRate: number): Filter {
  const known = filters.get(inputRate)
  if (known !== undefined) return known
  const cutoff = PASSED * Math.min(1, OUTPUT_RATE / inputRate)
  const reach = Math.ceil(CROSSINGS / cutoff)
  const taps = new Float32Array((PHASES + 1) * 2 * reach)
  for (let phase = 0; phase <= PHASES; phase += 1)
    for (let tap = 0; tap < 2 * reach; tap += 1) {
      const distance = tap - reach + 1 - phase / PHASES
      const x = Math.PI * distance * cutoff
      const sinc = x === 0 ? 1 : Math.sin(x) / x
      const window =
        Math.abs(distance) >= reach ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach)
      taps[phase * 2 * reach + tap] = cutoff * sinc * window
    }
  const filter = { taps, reach }
  filters.set(inputRate, filter)
  return filter
}

export function toSamples(sound: Float32Array): Int16Array {
  const samples = new Int16Array(sound.length)
  for (let index = 0; index < sound.length; index += 1) {
    const value = sound[index]! * 32_768
    // A damaged packet can contain values that are not numbers.
    samples[index] = value >= 32_767 ? 32_767 : value <= -32_768 ? -32_768 : value
  }
  return samples
}

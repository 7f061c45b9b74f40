/** The sample rate that speech recognition expects. */
export const SPEECH_RATE = 16_000
/** Zero crossings of the filter on each side of a sample, in samples of the lower rate. */
const ZERO_CROSSINGS = 8
/** The part of the band that passes. In the rest the filter falls off, which prevents aliasing. */
const PASS_BAND = 0.94
/** Rates are rounded to this step. That bounds the size of a filter table, and no one can hear the difference. */
const RATE_STEP = 25

/** Creates resamplers to 16 kHz. Each input rate has one filter table, because a table needs thousands of sines. */
export function createResamplers() {
  const { Float32Array, Int16Array, Math, Map } = globalThis
  const filters = new Map()

  /** A windowed sinc filter: the weights for each position of an output sample between two input samples. */
  function filterOf(given) {
    const rate = Math.max(RATE_STEP, Math.round(given / RATE_STEP) * RATE_STEP)
    const known = filters.get(rate)
    if (known !== undefined) return known
    const divisor = greatestCommonDivisor(rate, SPEECH_RATE)
    const [phases, step] = [SPEECH_RATE / divisor, rate / divisor]
    const scale = Math.min(1, SPEECH_RATE / rate) * PASS_BAND
    const reach = Math.ceil(ZERO_CROSSINGS / scale)
    const weights = new Float32Array(phases * 2 * reach)
    for (let phase = 0; phase < phases; phase += 1) {
      let sum = 0
      for (let tap = 0; tap < 2 * reach; tap += 1) {
        const x = tap - reach + 1 - phase / phases
        const sinc = x === 0 ? 1 : Math.sin(Math.PI * x * scale) / (Math.PI * x * scale)
        const weight = sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach))
        weights[phase * 2 * reach + tap] = weight
        sum += weight
      }
      for (let tap = 0; tap < 2 * reach; tap += 1) weights[phase * 2 * reach + tap] /= sum
    }
    const filter = { phases, step, taps: 2 * reach, weights }
    filters.set(rate, filter)
    return filter
  }

  return {
    /** Converts the samples of one sound to 16-bit samples at 16 kHz. The samples may come in any number of parts. */
    createResampler(rate) {
      const { phases, step, taps, weights } = filterOf(rate)
      /** Input for the next output samples. It starts with the first sample that the next output sample needs. */
      let pending = new Float32Array(taps - 1)
      let phase = 0
      return (input) => {
        const joined = new Float32Array(pending.length + input.length)
        joined.set(pending)
        joined.set(input, pending.length)
        const output = new Int16Array(Math.ceil((joined.length * phases) / step) + 1)
        let size = 0
        let start = 0
        while (start + taps <= joined.length) {
          let sum = 0
          for (let tap = 0, at = phase * taps; tap < taps; tap += 1, at += 1)
            sum += joined[start + tap] * weights[at]
          output[size] = Math.round(Math.max(-1, Math.min(1, sum)) * 32_767)
          size += 1
          phase += step
          start += Math.floor(phase / phases)
          phase %= phases
        }
        pending = joined.slice(start)
        return output.subarray(0, size)
      }
    },
  }
}

function greatestCommonDivisor(a, b) {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

import type { Bands } from './bands.ts'
import { DamagedSound, type BitReader } from './bit-reader.ts'
import { EIGHT_SHORT } from './filter-bank.ts'
import type { Filter, NoiseShaping, StreamInfo } from './stream.ts'

const MAX_ORDER = 20

export function readNoiseShaping(reader: BitReader, { sequence }: StreamInfo): NoiseShaping {
  const isShort = sequence === EIGHT_SHORT
  return Array.from({ length: isShort ? 8 : 1 }, () => {
    const count = reader.bits(isShort ? 1 : 2)
    const resolution = count > 0 ? 3 + reader.bit() : 3
    return Array.from({ length: count }, () => readFilter(reader, isShort, resolution))
  })
}

function readFilter(reader: BitReader, isShort: boolean, resolution: number): Filter {
  const length = reader.bits(isShort ? 4 : 6)
  const order = reader.bits(isShort ? 3 : 5)
  if (order > MAX_ORDER) throw new DamagedSound('a filter is too long')
  if (order === 0) return { length, isDownward: false, coefficients: new Float64Array(0) }
  const isDownward = reader.bit() === 1
  const bits = resolution - reader.bit()
  const reflections = Array.from({ length: order }, () => {
    const raw = reader.bits(bits)
    const value = raw >= 1 << (bits - 1) ? raw - (1 << bits) : raw
    const steps = (1 << (resolution - 1)) + (value >= 0 ? -0.5 : 0.5)
    return Math.sin((value * Math.PI) / 2 / steps)
  })
  return { length, isDownward, coefficients: toFilterCoefficients(reflections) }
}

/** The coefficients of a recursive filter from its reflection coefficients. */
function toFilterCoefficients(reflections: readonly number[]): Float64Array {
  let filter: number[] = []
  for (const reflection of reflections) {
    const before = filter
    filter = before.map((value, index) => value + reflection * before[before.length - 1 - index]!)
    filter.push(reflection)
  }
  return Float64Array.from(filter)
}

export function applyNoiseShaping(
  spectrum: Float32Array,
  shaping: NoiseShaping,
  { sequence, maxBand, starts }: StreamInfo,
  { tnsLong, tnsShort }: Bands,
): void {
  const highest = Math.min(maxBand, sequence === EIGHT_SHORT ? tnsShort : tnsLong)
  const windowLength = starts.at(-1)!
  for (const [window, filters] of shaping.entries()) {
    let bottom = starts.length - 1
    for (const { length, isDownward, coefficients } of filters) {
      const top = bottom
      bottom = Math.max(0, top - length)
      const from = window * windowLength + starts[Math.min(bottom, highest)]!
      const to = window * windowLength + starts[Math.min(top, highest)]!
      applyFilter(spectrum.subarray(from, to), coefficients, isDownward)
    }
  }
}

function applyFilter(part: Float32Array, coefficients: Float64Array, isDownward: boolean): void {
  const step = isDownward ? -1 : 1
  const start = isDownward ? part.length - 1 : 0
  for (let n = 0; n < part.length; n += 1) {
    const at = start + n * step
    let value = part[at]!
    for (let i = 0; i < Math.min(n, coefficients.length); i += 1)
      value -= coefficients[i]! * part[at - (i + 1) * step]!
    part[at] = value
  }
}

import { DamagedSound, type BitReader } from './bit-reader.ts'
import {
  INTENSITY,
  INTENSITY_INVERSE,
  NOISE,
  ZERO,
  type ChannelStream,
  type Pulse,
} from './stream.ts'
import { FRAME_LENGTH } from './filter-bank.ts'
import { readSymbol } from './huffman.ts'
import { SPECTRUM_CODES } from './huffman-codes.ts'

/** How the symbols of a codebook stand for several coefficients: digits of a number to the base `values`. */
type Codebook = { size: 2 | 4; values: number; isSigned: boolean }

const CODEBOOKS: readonly Codebook[] = [
  { size: 4, values: 3, isSigned: true },
  { size: 4, values: 3, isSigned: true },
  { size: 4, values: 3, isSigned: false },
  { size: 4, values: 3, isSigned: false },
  { size: 2, values: 9, isSigned: true },
  { size: 2, values: 9, isSigned: true },
  { size: 2, values: 8, isSigned: false },
  { size: 2, values: 8, isSigned: false },
  { size: 2, values: 13, isSigned: false },
  { size: 2, values: 13, isSigned: false },
  { size: 2, values: 17, isSigned: false },
]
/** In the last codebook, this value announces a larger one. */
const ESCAPE = 16
const ESCAPE_CODEBOOK = 11
const MAX_ESCAPE_BITS = 12

/** The factor that leaves coefficients as they are. */
const NEUTRAL_FACTOR = 100

type Parts = Pick<ChannelStream, 'info' | 'codebooks' | 'factors'> & { pulses: readonly Pulse[] }

/** Reads the coefficients of all windows, and scales them. */
export function readSpectrum(reader: BitReader, parts: Parts): Float32Array {
  const { info, codebooks, factors, pulses } = parts
  const { groups, maxBand, starts } = info
  const spectrum = new Float32Array(FRAME_LENGTH)
  const windowLength = starts.at(-1)!
  let groupStart = 0
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < maxBand; band += 1) {
      const codebook = codebooks[group * maxBand + band]!
      const factor = factors[group * maxBand + band]!
      if (codebook === ZERO || codebook === INTENSITY || codebook === INTENSITY_INVERSE) continue
      const [from, to] = [starts[band]!, starts[band + 1]!]
      for (let window = 0; window < windows; window += 1) {
        const offset = groupStart + window * windowLength
        const part = spectrum.subarray(offset + from, offset + to)
        if (codebook === NOISE) fillWithNoise(part, factor)
        else readCoefficients(reader, codebook, part)
      }
    }
    groupStart += windows * windowLength
  }
  for (const { at, amount } of pulses) spectrum[at]! += spectrum[at]! > 0 ? amount : -amount
  scale(spectrum, parts)
  return spectrum
}

const digits = new Int16Array(4)

function readCoefficients(reader: BitReader, codebook: number, part: Float32Array): void {
  const { size, values, isSigned } = CODEBOOKS[codebook - 1]!
  const code = SPECTRUM_CODES[codebook - 1]!
  for (let index = 0; index < part.length; index += size) {
    let symbol = readSymbol(reader, code)
    for (let digit = size - 1; digit >= 0; digit -= 1) {
      digits[digit] = symbol % values
      symbol = Math.floor(symbol / values)
    }
    if (isSigned) {
      const middle = (values - 1) / 2
      for (let digit = 0; digit < size; digit += 1) part[index + digit] = digits[digit]! - middle
      continue
    }
    // All signs come before the first large value.
    for (let digit = 0; digit < size; digit += 1) {
      const value = digits[digit]!
      part[index + digit] = value !== 0 && reader.bit() === 1 ? -value : value
    }
    if (codebook !== ESCAPE_CODEBOOK) continue
    for (let digit = 0; digit < size; digit += 1)
      if (digits[digit] === ESCAPE)
        part[index + digit] = Math.sign(part[index + digit]!) * readLargeValue(reader)
  }
}

function readLargeValue(reader: BitReader): number {
  let bits = 4
  while (reader.bit() === 1) bits += 1
  if (bits > MAX_ESCAPE_BITS) throw new DamagedSound('a coefficient is too large')
  return (1 << bits) + reader.bits(bits)
}

let randomState = 1

function fillWithNoise(part: Float32Array, factor: number): void {
  let energy = 0
  for (let index = 0; index < part.length; index += 1) {
    randomState = (Math.imul(randomState, 1_103_515_245) + 12_345) | 0
    const value = randomState / 2_147_483_648
    part[index] = value
    energy += value * value
  }
  const level = energy === 0 ? 0 : 2 ** (factor / 4) / Math.sqrt(energy)
  for (let index = 0; index < part.length; index += 1) part[index]! *= level
}

function scale(spectrum: Float32Array, { info, codebooks, factors }: Parts): void {
  const { groups, maxBand, starts } = info
  const windowLength = starts.at(-1)!
  let groupStart = 0
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < maxBand; band += 1) {
      const codebook = codebooks[group * maxBand + band]!
      if (codebook === ZERO || codebook > ESCAPE_CODEBOOK) continue
      const level = 2 ** ((factors[group * maxBand + band]! - NEUTRAL_FACTOR) / 4)
      for (let window = 0; window < windows; window += 1) {
        const offset = groupStart + window * windowLength
        for (let at = offset + starts[band]!; at < offset + starts[band + 1]!; at += 1) {
          const value = spectrum[at]!
          spectrum[at] = Math.sign(value) * Math.abs(value) ** (4 / 3) * level
        }
      }
    }
    groupStart += windows * windowLength
  }
}

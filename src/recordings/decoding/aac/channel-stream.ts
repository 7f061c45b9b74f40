import type { Bands } from './bands.ts'
import { DamagedSound, type BitReader } from './bit-reader.ts'
import { EIGHT_SHORT, FRAME_LENGTH, type WindowShape } from './filter-bank.ts'
import { readSymbol } from './huffman.ts'
import { SCALE_FACTOR_CODE } from './huffman-codes.ts'
import { readSpectrum } from './spectrum.ts'
import { applyNoiseShaping, readNoiseShaping } from './noise-shaping.ts'
import {
  INTENSITY,
  INTENSITY_INVERSE,
  NOISE,
  ZERO,
  type ChannelStream,
  type Pulse,
  type StreamInfo,
} from './stream.ts'

const RESERVED = 12

const NOISE_OFFSET = 90
const MAX_FACTOR = 255

export function readStreamInfo(reader: BitReader, bands: Bands): StreamInfo {
  reader.skip(1)
  const sequence = reader.bits(2)
  const shape = reader.bit() as WindowShape
  if (sequence === EIGHT_SHORT) {
    const maxBand = reader.bits(4)
    const grouping = reader.bits(7)
    const groups = [1]
    for (let bit = 6; bit >= 0; bit -= 1) {
      if ((grouping >> bit) & 1) groups[groups.length - 1]! += 1
      else groups.push(1)
    }
    return checkBands({ sequence, shape, maxBand, groups, starts: bands.short })
  }
  const maxBand = reader.bits(6)
  if (reader.bit() === 1) throw new DamagedSound('prediction is not part of AAC-LC')
  return checkBands({ sequence, shape, maxBand, groups: [1], starts: bands.long })
}

function checkBands(info: StreamInfo): StreamInfo {
  if (info.maxBand >= info.starts.length) throw new DamagedSound('the packet has too many bands')
  return info
}

/** Reads one channel. `common` is the information that both channels of a pair share. */
export function readChannelStream(
  reader: BitReader,
  bands: Bands,
  common: StreamInfo | null,
): ChannelStream {
  const gain = reader.bits(8)
  const info = common ?? readStreamInfo(reader, bands)
  const codebooks = readSections(reader, info)
  const factors = readFactors(reader, info, codebooks, gain)
  const pulses = reader.bit() === 1 ? readPulses(reader, info) : []
  const shaping = reader.bit() === 1 ? readNoiseShaping(reader, info) : null
  if (reader.bit() === 1) throw new DamagedSound('gain control is not part of AAC-LC')
  const spectrum = readSpectrum(reader, { info, codebooks, factors, pulses })
  return { info, codebooks, factors, shaping, spectrum }
}

export function shapeNoise(stream: ChannelStream, bands: Bands): void {
  if (stream.shaping !== null)
    applyNoiseShaping(stream.spectrum, stream.shaping, stream.info, bands)
}

function readSections(reader: BitReader, { sequence, maxBand, groups }: StreamInfo): Uint8Array {
  const lengthBits = sequence === EIGHT_SHORT ? 3 : 5
  const escape = (1 << lengthBits) - 1
  const codebooks = new Uint8Array(groups.length * maxBand)
  for (let group = 0; group < groups.length; group += 1) {
    let band = 0
    while (band < maxBand) {
      const codebook = reader.bits(4)
      if (codebook === RESERVED) throw new DamagedSound('the packet has an unknown codebook')
      let length = 0
      let part = escape
      while (part === escape) {
        part = reader.bits(lengthBits)
        length += part
      }
      if (band + length > maxBand) throw new DamagedSound('a section is too long')
      codebooks.fill(codebook, group * maxBand + band, group * maxBand + band + length)
      // Sections without bands are allowed. Each reads bits, so they end with the packet.
      band += length
    }
  }
  return codebooks
}

function readFactors(
  reader: BitReader,
  { maxBand, groups }: StreamInfo,
  codebooks: Uint8Array,
  gain: number,
): Int16Array {
  const factors = new Int16Array(codebooks.length)
  let factor = gain
  let direction = 0
  let noise: number | null = null
  const readDifference = () => readSymbol(reader, SCALE_FACTOR_CODE) - 60
  for (let index = 0; index < groups.length * maxBand; index += 1) {
    const codebook = codebooks[index]!
    if (codebook === ZERO) continue
    if (codebook === INTENSITY || codebook === INTENSITY_INVERSE) {
      direction += readDifference()
      factors[index] = direction
    } else if (codebook === NOISE) {
      noise = noise === null ? gain - NOISE_OFFSET + reader.bits(9) - 256 : noise + readDifference()
      factors[index] = noise
    } else {
      factor += readDifference()
      if (factor < 0 || factor > MAX_FACTOR) throw new DamagedSound('a scale factor is too large')
      factors[index] = factor
    }
    if (Math.abs(factors[index]!) > 1_000) throw new DamagedSound('a scale factor is too large')
  }
  return factors
}

function readPulses(reader: BitReader, { sequence, starts }: StreamInfo): Pulse[] {
  if (sequence === EIGHT_SHORT) throw new DamagedSound('short windows have no pulses')
  const count = reader.bits(2) + 1
  const startBand = reader.bits(6)
  if (startBand >= starts.length) throw new DamagedSound('a pulse is outside of the bands')
  let at = starts[startBand]!
  return Array.from({ length: count }, () => {
    at += reader.bits(5)
    const amount = reader.bits(4)
    if (at >= FRAME_LENGTH) throw new DamagedSound('a pulse is outside of the bands')
    return { at, amount }
  })
}

import { findBands, type Bands } from './bands.ts'
import { createBitReader, DamagedSound, type BitReader } from './bit-reader.ts'
import { readChannelStream, readStreamInfo, shapeNoise } from './channel-stream.ts'
import { createFilterBank } from './filter-bank.ts'
import { INTENSITY, INTENSITY_INVERSE, NOISE, type ChannelStream } from './stream.ts'

/** What the header of a track says about its AAC packets. */
export type AacConfig = { objectType: number; sampleRate: number; channels: number }

const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
]
const LOW_COMPLEXITY = 2
/** The extensions of HE-AAC. Without them its sound has only the lower half of the frequencies, which is enough for speech. */
const SPECTRAL_BAND_REPLICATION = 5
const PARAMETRIC_STEREO = 29
const MAX_CHANNELS = 8
const CHANNELS_BY_CONFIGURATION = [0, 1, 2, 3, 4, 5, 6, 8]

/** Reads an AudioSpecificConfig. Throws `DamagedSound` if it is not AAC-LC or HE-AAC. */
export function readAacConfig(bytes: Uint8Array): AacConfig {
  const reader = createBitReader(bytes)
  let objectType = readObjectType(reader)
  const sampleRate = readSampleRate(reader)
  const configuration = reader.bits(4)
  if (objectType === SPECTRAL_BAND_REPLICATION || objectType === PARAMETRIC_STEREO) {
    readSampleRate(reader)
    objectType = readObjectType(reader)
  }
  if (objectType !== LOW_COMPLEXITY)
    throw new DamagedSound(`AAC of type ${objectType} is not supported, only AAC-LC and HE-AAC`)
  if (reader.bit() === 1) throw new DamagedSound('AAC frames of 960 samples are not supported')
  const channels = CHANNELS_BY_CONFIGURATION[configuration]
  // With 0 the packets say it.
  if (channels === undefined) throw new DamagedSound('the header has an unknown number of channels')
  return { objectType, sampleRate, channels }
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5)
  return type === 31 ? 32 + reader.bits(6) : type
}

function readSampleRate(reader: BitReader): number {
  const index = reader.bits(4)
  const rate = index === 15 ? reader.bits(24) : SAMPLE_RATES[index]
  if (rate === undefined || rate < 7_000 || rate > 96_000)
    throw new DamagedSound('the header has an unknown sample rate')
  return rate
}

/** The header of a packet in an .aac file (ADTS), and its length. */
export function readAdtsHeader(bytes: Uint8Array): { config: AacConfig; length: number } {
  const reader = createBitReader(bytes)
  if (reader.bits(12) !== 0xfff) throw new DamagedSound('the packet has no header')
  reader.skip(3)
  const length = reader.bit() === 1 ? 7 : 9
  const objectType = reader.bits(2) + 1
  const sampleRate = SAMPLE_RATES[reader.bits(4)]
  reader.skip(1)
  const channels = CHANNELS_BY_CONFIGURATION[reader.bits(3)]
  if (objectType !== LOW_COMPLEXITY || sampleRate === undefined || channels === undefined)
    throw new DamagedSound('only AAC-LC is supported')
  return { config: { objectType, sampleRate, channels }, length }
}

type Filter = ReturnType<typeof createFilterBank>

/** Decodes packets of AAC-LC into samples between -1 and 1, one array for each channel. */
export function createAacDecoder({ sampleRate }: AacConfig) {
  const bands = findBands(sampleRate)
  const filters: Filter[] = []

  return (packet: Uint8Array): Float32Array[] => {
    const streams = readPacket(createBitReader(packet), bands)
    return streams.map((stream, channel) => {
      const filter = (filters[channel] ??= createFilterBank())
      return filter(stream.spectrum, stream.info.sequence, stream.info.shape)
    })
  }
}

/** The elements of a packet, by their number in the bitstream. */
const ELEMENTS = {
  single: 0,
  pair: 1,
  coupling: 2,
  lowFrequency: 3,
  data: 4,
  program: 5,
  fill: 6,
  end: 7,
}

function readPacket(reader: BitReader, bands: Bands): ChannelStream[] {
  const streams: ChannelStream[] = []
  for (;;) {
    const element = reader.bits(3)
    if (element === ELEMENTS.end) return streams
    if (element === ELEMENTS.fill) skipFill(reader)
    else if (element === ELEMENTS.data) skipData(reader)
    else if (element === ELEMENTS.program) skipProgram(reader)
    else if (element === ELEMENTS.coupling)
      throw new DamagedSound('coupled channels are not supported')
    else {
      reader.skip(4)
      if (element === ELEMENTS.pair) streams.push(...readPair(reader, bands))
      else {
        const stream = readChannelStream(reader, bands, null)
        shapeNoise(stream, bands)
        streams.push(stream)
      }
    }
    if (streams.length > MAX_CHANNELS) throw new DamagedSound('the packet has too many channels')
  }
}

function skipFill(reader: BitReader): void {
  const count = reader.bits(4)
  reader.skip(8 * (count === 15 ? count + reader.bits(8) - 1 : count))
}

function skipData(reader: BitReader): void {
  reader.skip(4)
  const isAligned = reader.bit() === 1
  const count = reader.bits(8)
  const bytes = count === 255 ? count + reader.bits(8) : count
  if (isAligned) reader.alignToByte()
  reader.skip(8 * bytes)
}

function skipProgram(reader: BitReader): void {
  reader.skip(10)
  const [front, side, back] = [reader.bits(4), reader.bits(4), reader.bits(4)]
  const [low, data, coupling] = [reader.bits(2), reader.bits(3), reader.bits(4)]
  for (const size of [4, 4, 3]) if (reader.bit() === 1) reader.skip(size)
  reader.skip(5 * (front + side + back + coupling) + 4 * (low + data))
  reader.alignToByte()
  reader.skip(8 * reader.bits(8))
}

function readPair(reader: BitReader, bands: Bands): [ChannelStream, ChannelStream] {
  const isCommon = reader.bit() === 1
  const info = isCommon ? readStreamInfo(reader, bands) : null
  let middleSide: Uint8Array | null = null
  let isMaskGiven = false
  if (info !== null) {
    const kind = reader.bits(2)
    if (kind === 3) throw new DamagedSound('the packet has an unknown kind of stereo')
    const length = info.groups.length * info.maxBand
    isMaskGiven = kind === 1
    if (isMaskGiven) middleSide = Uint8Array.from({ length }, () => reader.bit())
    if (kind === 2) middleSide = new Uint8Array(length).fill(1)
  }
  const left = readChannelStream(reader, bands, info)
  const right = readChannelStream(reader, bands, info)
  if (info !== null) combineStereo(left, right, { middleSide, isMaskGiven })
  shapeNoise(left, bands)
  shapeNoise(right, bands)
  return [left, right]
}

/** Computes left and right from their middle and difference, or right as a part of left. */
function combineStereo(
  left: ChannelStream,
  right: ChannelStream,
  { middleSide, isMaskGiven }: { middleSide: Uint8Array | null; isMaskGiven: boolean },
): void {
  const { groups, maxBand, starts } = left.info
  const windowLength = starts.at(-1)!
  let groupStart = 0
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < maxBand; band += 1) {
      const index = group * maxBand + band
      const codebook = right.codebooks[index]!
      const isIntensity = codebook === INTENSITY || codebook === INTENSITY_INVERSE
      const isMiddleSide = middleSide?.[index] === 1
      const hasNoise = codebook === NOISE || left.codebooks[index] === NOISE
      if (!isIntensity && (!isMiddleSide || hasNoise)) continue
      const sign = (codebook === INTENSITY ? 1 : -1) * (isMaskGiven && isMiddleSide ? -1 : 1)
      const level = sign * 0.5 ** (right.factors[index]! / 4)
      for (let window = 0; window < windows; window += 1) {
        const offset = groupStart + window * windowLength
        for (let at = offset + starts[band]!; at < offset + starts[band + 1]!; at += 1) {
          const middle = left.spectrum[at]!
          const side = right.spectrum[at]!
          if (isIntensity) right.spectrum[at] = middle * level
          else {
            left.spectrum[at] = middle + side
            right.spectrum[at] = middle - side
          }
        }
      }
    }
    groupStart += windows * windowLength
  }
}

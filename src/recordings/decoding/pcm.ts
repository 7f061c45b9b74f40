import type { PacketDecoder } from './packet-decoders.ts'

/** How one sample without compression is read. Values are between -1 and 1. */
type Sample = { bytes: number; read(view: DataView, at: number): number }

const signed = (bits: number, read: (view: DataView, at: number) => number): Sample => ({
  bytes: bits / 8,
  read: (view, at) => read(view, at) / 2 ** (bits - 1),
})
const read24 = (isLittle: boolean) => (view: DataView, at: number) =>
  isLittle
    ? (view.getInt8(at + 2) << 16) | view.getUint16(at, true)
    : (view.getInt8(at) << 16) | view.getUint16(at + 1)

const SAMPLES: Readonly<Record<string, Sample>> = {
  'pcm-u8': { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) / 128 },
  'pcm-s8': signed(8, (view, at) => view.getInt8(at)),
  'pcm-s16': signed(16, (view, at) => view.getInt16(at, true)),
  'pcm-s16be': signed(16, (view, at) => view.getInt16(at)),
  'pcm-s24': signed(24, read24(true)),
  'pcm-s24be': signed(24, read24(false)),
  'pcm-s32': signed(32, (view, at) => view.getInt32(at, true)),
  'pcm-s32be': signed(32, (view, at) => view.getInt32(at)),
  'pcm-f32': { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  'pcm-f32be': { bytes: 4, read: (view, at) => view.getFloat32(at) },
  'pcm-f64': { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  'pcm-f64be': { bytes: 8, read: (view, at) => view.getFloat64(at) },
  ulaw: { bytes: 1, read: (view, at) => readMuLaw(view.getUint8(at)) },
  alaw: { bytes: 1, read: (view, at) => readALaw(view.getUint8(at)) },
}

/** Null if the codec is not one without compression. */
export function createPcmDecoder(
  codec: string,
  { channels, sampleRate }: { channels: number; sampleRate: number },
): PacketDecoder | null {
  const sample = SAMPLES[codec]
  if (sample === undefined) return null
  const frameBytes = sample.bytes * channels
  return (packet) => {
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength)
    const length = Math.floor(packet.byteLength / frameBytes)
    const decoded = Array.from({ length: channels }, (_, channel) =>
      Float32Array.from({ length }, (_sample, index) =>
        sample.read(view, index * frameBytes + channel * sample.bytes),
      ),
    )
    return { channels: decoded, sampleRate }
  }
}

/** G.711 with the law of North America and Japan. */
function readMuLaw(byte: number): number {
  const value = ~byte & 0xff
  const size = (((value & 0x0f) << 3) + 0x84) << ((value >> 4) & 0x07)
  return (value & 0x80 ? 0x84 - size : size - 0x84) / 32_768
}

/** G.711 with the law of the rest of the world. */
function readALaw(byte: number): number {
  const value = byte ^ 0x55
  const exponent = (value >> 4) & 0x07
  const mantissa = ((value & 0x0f) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (value & 0x80 ? size : -size) / 32_768
}

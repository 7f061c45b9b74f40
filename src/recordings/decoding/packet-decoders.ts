import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import { createAacDecoder, readAacConfig, readAdtsHeader } from './aac/aac-decoder.ts'
import { DamagedSound } from './aac/bit-reader.ts'
import { createPcmDecoder } from './pcm.ts'
import { OUTPUT_RATE } from './resampler.ts'
import { UnreadableRecording } from './unreadable-recording.ts'

/** Decodes one packet. Throws `DamagedSound` if it cannot. */
export type PacketDecoder = (packet: Uint8Array) => DecodedPacket
export type DecodedPacket = { channels: Float32Array[]; sampleRate: number }

type Track = { codec: string; channels: number; sampleRate: number; description: Uint8Array | null }

/** What people call codecs that this service does not decode. */
const OTHER_CODECS: Readonly<Record<string, string>> = {
  vorbis: 'Vorbis',
  flac: 'FLAC',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  dts: 'DTS',
}

export async function createPacketDecoder(track: Track): Promise<PacketDecoder> {
  if (track.codec === 'mp3') return createMp3Decoder()
  if (track.codec === 'opus') return createOpusDecoder(track)
  if (track.codec === 'aac') return createAacPacketDecoder(track)
  const decoder = createPcmDecoder(track.codec, track)
  if (decoder !== null) return decoder
  const name = OTHER_CODECS[track.codec] ?? track.codec
  throw new UnreadableRecording(
    `The sound is ${name}, which cannot be read. Convert it to MP3, Opus, AAC or WAV`,
  )
}

type WasmResult = {
  channelData: Float32Array[]
  samplesDecoded: number
  sampleRate: number
  errors: unknown[]
}

function toDecodedPacket({
  channelData,
  samplesDecoded,
  sampleRate,
  errors,
}: WasmResult): DecodedPacket {
  if (samplesDecoded === 0 && errors.length > 0) throw new DamagedSound('the packet is damaged')
  return { channels: channelData.map((channel) => channel.subarray(0, samplesDecoded)), sampleRate }
}

async function createMp3Decoder(): Promise<PacketDecoder> {
  // Without gapless playback, so that every packet has the time that the file says.
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  return (packet) => toDecodedPacket(decoder.decodeFrame(packet))
}

const OPUS_HEAD_BYTES = 19

async function createOpusDecoder({ channels, description }: Track): Promise<PacketDecoder> {
  const family = description?.[18] ?? 0
  const hasMapping =
    description !== null && family !== 0 && description.length >= OPUS_HEAD_BYTES + 2 + channels
  if (!hasMapping && channels > 2)
    throw new UnreadableRecording('The file does not say how its Opus channels are stored')
  const decoder = new OpusDecoder({
    sampleRate: OUTPUT_RATE,
    channels,
    ...(hasMapping && {
      streamCount: description[OPUS_HEAD_BYTES]!,
      coupledStreamCount: description[OPUS_HEAD_BYTES + 1]!,
      channelMappingTable: [
        ...description.subarray(OPUS_HEAD_BYTES + 2, OPUS_HEAD_BYTES + 2 + channels),
      ],
    }),
  })
  await decoder.ready
  return (packet) => toDecodedPacket(decoder.decodeFrame(packet))
}

function createAacPacketDecoder({ description }: Track): PacketDecoder {
  if (description !== null) {
    const config = readAacConfig(description)
    const decode = createAacDecoder(config)
    return (packet) => ({ channels: decode(packet), sampleRate: config.sampleRate })
  }
  let decode: ReturnType<typeof createAacDecoder> | null = null
  return (packet) => {
    const { config, length } = readAdtsHeader(packet)
    decode ??= createAacDecoder(config)
    return { channels: decode(packet.subarray(length)), sampleRate: config.sampleRate }
  }
}

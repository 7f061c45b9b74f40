import {
  ADTS,
  CustomSource,
  EncodedPacketSink,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
  type InputAudioTrack,
} from 'mediabunny'
import type { RecordingInfo } from './decoder-messages.ts'
import { UnreadableRecording } from './unreadable-recording.ts'

const FORMATS = [MP4, QTFF, WEBM, MATROSKA, OGG, MP3, WAVE, ADTS]
/** People want a speaker per channel for a few microphones. A header with more is damaged or made to use memory. */
const MAX_CHANNELS = 8
const MIN_SAMPLE_RATE = 7_000
const MAX_SAMPLE_RATE = 192_000
/** No packet and no table of a recording of hours is larger. */
const MAX_READ_BYTES = 64 * 1024 * 1024
const CACHE_BYTES = 4 * 1024 * 1024

export type RecordingFile = {
  info: RecordingInfo
  description: Uint8Array | null
  sink: EncodedPacketSink
}

type Source = { size: number; read(start: number, end: number): Promise<Uint8Array> }

/** Like `readHeaders`. The library cannot read every file with encrypted tracks, so they are looked for after an error. */
export async function openRecordingFile(source: Source, maxMs: number): Promise<RecordingFile> {
  try {
    return await readHeaders(source, maxMs)
  } catch (error) {
    if (!(error instanceof UnreadableRecording) && (await hasEncryptedTrack(source)))
      throw encryptedError()
    throw error
  }
}

/** Reads the headers of a recording. Throws `UnreadableRecording` with the reason if it cannot be used. */
async function readHeaders(source: Source, maxMs: number): Promise<RecordingFile> {
  const input = new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => source.size,
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: 'fileSystem',
      read(start, end) {
        if (end - start > MAX_READ_BYTES)
          throw new UnreadableRecording('The file is damaged: one of its parts is too large')
        return source.read(start, end)
      },
    }),
  })
  if (!(await input.canRead()))
    throw new UnreadableRecording('This is not a WAV, MP3, Ogg, WebM, MP4 or M4A file')
  const format = await input.getFormat()
  const tracks = await input.getAudioTracks()
  const track = tracks[0]
  if (track === undefined) throw new UnreadableRecording('The file has no sound')
  const codec = await findCodec(track)
  const [channels, sampleRate] = [await track.getNumberOfChannels(), await track.getSampleRate()]
  refuseImpossibleSound(channels, sampleRate)
  const durationMs = await findDurationMs(track)
  if (durationMs !== null && durationMs > maxMs) throw tooLongError(maxMs)
  const config = await track.getDecoderConfig()
  return {
    info: {
      format: format.name,
      codec,
      channels,
      sampleRate,
      durationMs,
      audioTracks: tracks.length,
    },
    description: toBytes(config?.description),
    sink: new EncodedPacketSink(track),
  }
}

export function tooLongError(maxMs: number): UnreadableRecording {
  const hours = Math.round(maxMs / 36_000) / 100
  return new UnreadableRecording(`The recording is longer than ${hours} hours`)
}

/** Four letters that MP4 files use for a track that needs a key. */
const ENCRYPTED = 'enca'
/** The headers of an MP4 file are at its beginning or its end. */
const HEADER_BYTES = 1024 * 1024

function encryptedError(): UnreadableRecording {
  return new UnreadableRecording('The sound is encrypted')
}

async function hasEncryptedTrack({ size, read }: Source): Promise<boolean> {
  const start = await read(0, Math.min(size, HEADER_BYTES))
  const end = await read(Math.max(0, size - HEADER_BYTES), size)
  return [start, end].some((bytes) => Buffer.from(bytes).includes(ENCRYPTED))
}

async function findCodec(track: InputAudioTrack): Promise<string> {
  const codec = await track.getCodec()
  const id = await track.getInternalCodecId()
  if (id === ENCRYPTED) throw encryptedError()
  if (codec !== null) return codec
  const name = typeof id === 'string' && /^[\w/.-]{1,20}$/.test(id) ? ` (${id})` : ''
  throw new UnreadableRecording(`The sound has a codec that cannot be read${name}`)
}

function refuseImpossibleSound(channels: number, sampleRate: number): void {
  if (!(channels >= 1 && channels <= MAX_CHANNELS))
    throw new UnreadableRecording(
      `The sound has ${channels} channels, and at most ${MAX_CHANNELS} can be read`,
    )
  if (!(sampleRate >= MIN_SAMPLE_RATE && sampleRate <= MAX_SAMPLE_RATE))
    throw new UnreadableRecording(
      `The sound has ${sampleRate} samples per second, which cannot be read`,
    )
}

async function findDurationMs(track: InputAudioTrack): Promise<number | null> {
  const seconds = await track.computeDuration()
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1_000) : null
}

function toBytes(description: ArrayBufferLike | ArrayBufferView | undefined): Uint8Array | null {
  if (description === undefined) return null
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description)
}

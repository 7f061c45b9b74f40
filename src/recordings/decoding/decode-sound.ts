import { DamagedSound } from './aac/bit-reader.ts'
import type { DecodedSound } from './decoder-messages.ts'
import { createPacketDecoder, type DecodedPacket } from './packet-decoders.ts'
import { tooLongError, type RecordingFile } from './recording-file.ts'
import { createResampler, OUTPUT_RATE, toSamples, type Resampler } from './resampler.ts'
import { UnreadableRecording } from './unreadable-recording.ts'

/** How much sound one message has. */
const PART_SAMPLES = OUTPUT_RATE
const SAMPLES_PER_MS = OUTPUT_RATE / 1_000
/** Decoders need some packets until their sound is right. */
const LEAD_MS = 500
/** Times of packets are rounded, so a smaller difference is not a gap. */
const IGNORED_GAP_MS = 100
/** So many damaged packets in a row are not a short disturbance. */
const MAX_DAMAGED_PACKETS = 500

/** Thrown when the rest of a file cannot be read although its beginning could. */
export class DamagedRest extends Error {
  readonly atMs: number

  constructor(atMs: number, cause: unknown) {
    super('the rest of the recording is damaged', { cause })
    this.atMs = atMs
  }
}

/** Yields the sound from a time on, in parts of a second. Parts do not follow each other where the file has a gap. */
export async function* decodeSound(
  { sink, info, description }: RecordingFile,
  { fromMs, maxMs }: { fromMs: number; maxMs: number },
): AsyncGenerator<DecodedSound> {
  const decode = await createPacketDecoder({ ...info, description })
  const run = createRun(info.channels, fromMs)
  let damaged = 0
  let decoded = 0
  const packets = readPackets(sink, fromMs)
  for (;;) {
    let next: IteratorResult<{ timestamp: number; data: Uint8Array }, void>
    try {
      next = await packets.next()
    } catch (error) {
      if (error instanceof UnreadableRecording || decoded === 0) throw error
      yield* run.end()
      throw new DamagedRest(run.positionMs(), error)
    }
    if (next.done === true) break
    const atMs = next.value.timestamp * 1_000
    if (atMs > maxMs) throw tooLongError(maxMs)
    let packet: DecodedPacket
    try {
      packet = decode(next.value.data)
    } catch (error) {
      if (!(error instanceof DamagedSound)) throw error
      damaged += 1
      if (damaged < MAX_DAMAGED_PACKETS) continue
      if (decoded === 0) throw new UnreadableRecording('The sound in this file is damaged')
      yield* run.end()
      throw new DamagedRest(run.positionMs(), error)
    }
    damaged = 0
    if (packet.channels[0] === undefined || packet.channels[0].length === 0) continue
    decoded += 1
    yield* run.add(atMs, packet)
  }
  yield* run.end()
  if (decoded === 0 && fromMs === 0)
    throw new UnreadableRecording(
      damaged > 0 ? 'The sound in this file is damaged' : 'The file has no sound',
    )
}

async function* readPackets(
  sink: RecordingFile['sink'],
  fromMs: number,
): AsyncGenerator<{ timestamp: number; data: Uint8Array }, void> {
  const leadMs = fromMs - LEAD_MS
  const first = leadMs > 0 ? await sink.getPacket(leadMs / 1_000) : null
  yield* sink.packets(first ?? undefined)
}

/** Collects decoded packets that follow each other. */
function createRun(channelCount: number, fromMs: number) {
  let resamplers: Resampler[] | null = null
  let rate = 0
  let parts: Int16Array[][] = []
  let collected = 0
  /** When the collected sound begins, and when the next packet should begin. */
  let startMs = 0
  let expectedMs: number | null = null

  const take = (): DecodedSound[] => {
    if (collected === 0) return []
    const channels = Array.from({ length: channelCount }, (_, channel) =>
      join(parts.map((part) => part[channel]!)),
    )
    const sound = { startMs, channels }
    startMs += collected / SAMPLES_PER_MS
    parts = []
    collected = 0
    return cutBefore(sound, fromMs)
  }
  const collect = (sounds: Float32Array[]) => {
    const samples = Array.from({ length: channelCount }, (_, channel) =>
      toSamples(sounds[Math.min(channel, sounds.length - 1)]!),
    )
    parts.push(samples)
    collected += samples[0]!.length
  }
  const finish = (): DecodedSound[] => {
    if (resamplers !== null) collect(resamplers.map((resampler) => resampler.end()))
    resamplers = null
    return take()
  }

  return {
    positionMs: () => startMs + collected / SAMPLES_PER_MS,
    add(atMs: number, { channels, sampleRate }: DecodedPacket): DecodedSound[] {
      const sounds: DecodedSound[] = []
      const isGap = expectedMs === null || atMs - expectedMs > IGNORED_GAP_MS
      if (isGap || rate !== sampleRate || resamplers?.length !== channels.length) {
        const endedAt = expectedMs
        sounds.push(...finish())
        rate = sampleRate
        resamplers = channels.map(() => createResampler(sampleRate))
        startMs = isGap || endedAt === null ? atMs : endedAt
        expectedMs = startMs
      }
      expectedMs = (expectedMs ?? atMs) + (channels[0]!.length / sampleRate) * 1_000
      const made = resamplers.map((resampler, index) => resampler.add(channels[index]!))
      collect(made)
      if (collected >= PART_SAMPLES) sounds.push(...take())
      return sounds
    },
    end: finish,
  }
}

/** The part of a sound from a time on. */
function cutBefore({ startMs, channels }: DecodedSound, fromMs: number): DecodedSound[] {
  const least = Math.max(0, fromMs)
  const skipped = Math.max(0, Math.round((least - startMs) * SAMPLES_PER_MS))
  if (skipped >= channels[0]!.length) return []
  if (skipped === 0) return [{ startMs, channels }]
  return [{ startMs: least, channels: channels.map((samples) => samples.slice(skipped)) }]
}

function join(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

import { openAsBlob, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'hansard/client'

type Recording = Awaited<ReturnType<Client['recordings']['get']>>
type Fields = Omit<Parameters<Client['recordings']['create']>[0], 'fileName' | 'bytes'>

const RECORDING_EXTENSIONS = new Set(
  '.wav .mp3 .ogg .opus .oga .webm .weba .mkv .mp4 .m4a .m4v .mov .aac'.split(' '),
)
/** A part can take long on a slow connection. */
const TIMEOUT_MS = 300_000
const POLL_MS = 2_000

export function isRecordingName(file: string): boolean {
  return RECORDING_EXTENSIONS.has(extname(file).toLowerCase())
}

/** Sends a file in parts. Returns the recording, which waits to be recognized. */
export async function sendRecording(
  client: Client,
  file: string,
  fields: Fields,
  showProgress: (text: string) => void,
): Promise<Recording> {
  const bytes = statSync(file).size
  const blob = await openAsBlob(file)
  let recording: Recording = await client.recordings.create({
    ...fields,
    fileName: basename(file),
    bytes,
  })
  const { recordingId, partBytes, parts } = recording
  for (let part = 1; part <= parts; part += 1) {
    showProgress(`sending ${Math.floor((100 * (part - 1)) / parts)} %`)
    const piece = blob.slice((part - 1) * partBytes, part * partBytes)
    recording = await client.recordings.sendPart(recordingId, String(part), piece, {
      timeoutMs: TIMEOUT_MS,
    })
  }
  return recording
}

/** Waits until a recording is imported or has failed. */
export async function followRecording(
  client: Client,
  sent: Recording,
  showProgress: (text: string) => void,
): Promise<Recording> {
  let recording = sent
  while (recording.state === 'waiting' || recording.state === 'processing') {
    showProgress(recording.percent === null ? 'recognizing' : `recognized ${recording.percent} %`)
    await sleep(POLL_MS)
    recording = await client.recordings.get(recording.recordingId)
  }
  return recording
}

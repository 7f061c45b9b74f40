import type { ApiClient } from '../../api/client.ts'

export const RECORDING_EXTENSIONS = [
  '.wav',
  '.mp3',
  '.ogg',
  '.opus',
  '.webm',
  '.mkv',
  '.mp4',
  '.m4a',
  '.m4v',
  '.mov',
  '.aac',
]

/** A part can take long on a slow connection. */
const TIMEOUT_MS = 300_000

export function isRecordingFile({ name, type }: File): boolean {
  const isMedia = type.startsWith('audio/') || type.startsWith('video/')
  return isMedia || RECORDING_EXTENSIONS.some((end) => name.toLowerCase().endsWith(end))
}

type Fields = Omit<Parameters<ApiClient['recordings']['create']>[0], 'bytes'>

/** Sends a recording in parts. The browser never reads more than one of them into memory. */
export async function sendRecording(
  api: ApiClient,
  file: File,
  fields: Fields,
  onPercent: (percent: number) => void,
): Promise<void> {
  onPercent(0)
  const recording = await api.recordings.create({ ...fields, bytes: file.size })
  const { recordingId, partBytes, parts } = recording
  for (let part = 1; part <= parts; part += 1) {
    const piece = file.slice((part - 1) * partBytes, part * partBytes)
    await api.recordings.sendPart(recordingId, String(part), piece, { timeoutMs: TIMEOUT_MS })
    onPercent((100 * part) / parts)
  }
}

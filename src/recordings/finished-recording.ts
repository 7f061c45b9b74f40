import type { AreaContext } from '../db/context.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import { UNKNOWN_SPEAKER } from '../language/person-names.ts'
import { UnreadableRecording } from './decoding/unreadable-recording.ts'
import {
  endRecording,
  readLines,
  type ClaimedRecording,
  type RecordedLine,
} from './recording-store.ts'

type Parts = AreaContext & { imports: Pick<TranscriptImports, 'add'> }

/**
 * Stores the recognized lines as a finished meeting, in the transaction that deletes the sound. Throws
 * `UnreadableRecording` if nothing was said.
 */
export async function storeMeeting(
  { db, clock, imports }: Parts,
  claimed: ClaimedRecording,
  damagedAtMs: number | null,
): Promise<void> {
  const lines = await readLines(db, claimed.id)
  if (lines.length === 0) throw new UnreadableRecording('No speech was found in this recording')
  const durationMs = claimed.info.durationMs ?? claimed.positionMs
  const startedAt = claimed.startedAt ?? new Date(claimed.createdAt.getTime() - durationMs)
  const notes = listNotes(claimed, damagedAtMs)
  const request = {
    content: formatTranscript(claimed, lines, startedAt, durationMs),
    fileName: claimed.fileName,
    format: 'hansard-json',
    title: claimed.title,
    project: claimed.project,
    startedAt,
    timeZone: null,
    recapLanguage: claimed.recapLanguage,
    detail: [
      `Recognized from the recording ${claimed.fileName} (${claimed.info.format}).`,
      ...notes,
    ].join(' '),
    segmentSource: 'speech',
  } as const
  await imports.add(claimed.viewer, request, claimed.tokenId, (tx, { meeting }) => {
    const detail = notes.length === 0 ? null : notes.join(' ')
    return endRecording(
      tx,
      claimed,
      { state: 'imported', detail, meetingId: meeting.id },
      clock.now(),
    )
  })
}

/** What is missing in the transcript, as sentences. */
function listNotes({ lostMs, info }: ClaimedRecording, damagedAtMs: number | null): string[] {
  return [
    ...(damagedAtMs === null
      ? []
      : [`The recording is damaged after ${formatPosition(damagedAtMs)}; the rest was not read.`]),
    ...(lostMs === 0
      ? []
      : [`${Math.max(1, Math.round(lostMs / 1_000))} s of speech are not in the transcript.`]),
    ...(info.audioTracks > 1
      ? [`The recording has ${info.audioTracks} sound tracks; only the first was read.`]
      : []),
  ]
}

function formatPosition(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** The lines as a transcript of this service, so that they are cleaned and stored as every imported one. */
function formatTranscript(
  { hasChannelSpeakers, title }: ClaimedRecording,
  lines: readonly RecordedLine[],
  startedAt: Date,
  durationMs: number,
): string {
  const at = (ms: number) => new Date(startedAt.getTime() + ms).toISOString()
  const segments = lines.map(({ channel, text, startMs }) => ({
    speaker: hasChannelSpeakers === true ? `Speaker ${channel + 1}` : UNKNOWN_SPEAKER,
    text,
    timestamp: at(startMs),
  }))
  return JSON.stringify({ title, startedAt: at(0), endedAt: at(durationMs), segments })
}

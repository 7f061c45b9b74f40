import { normalizeSpeakerName } from '../../coach/speech/utterance.ts'
import type { Db } from '../../db/database.ts'
import { readTranscript } from '../../meetings/transcript/read-transcript.ts'
import { calculateSegmentOffsetMs } from '../../meetings/transcript/source.ts'
import type { RecapSegment, RecapSource } from '../recap.ts'

/** The longest time that a segment counts for, because captions do not say when a speaker stopped. */
const MAX_SEGMENT_MS = 30_000

/** Reads an ended meeting as the rules and the model need it. Throws `meeting_not_found` if it was removed. */
export async function readRecapSource(
  db: Db,
  meetingId: string,
  timeZone: string,
): Promise<RecapSource> {
  const { meeting, source } = await readTranscript(db, meetingId)
  const starts = source.segments.map((segment) =>
    calculateSegmentOffsetMs(segment, source.startedAt),
  )
  const meetingEndMs =
    source.endedAt === null ? Infinity : source.endedAt.getTime() - source.startedAt.getTime()
  const segments = source.segments.map(({ number, speaker, text }, i): RecapSegment => {
    const startMs = starts[i] ?? 0
    const nextStartMs = starts[i + 1] ?? meetingEndMs
    const endMs = Math.min(Math.max(nextStartMs, startMs), startMs + MAX_SEGMENT_MS)
    return { number, speaker: normalizeSpeakerName(speaker), text, startMs, endMs }
  })
  const { startedAt } = source
  const participants = source.participants.map(normalizeSpeakerName).filter((name) => name !== '')
  const languageHint = meeting.options.language
  return { startedAt, timeZone, languageHint, participants, segments }
}

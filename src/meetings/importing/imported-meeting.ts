import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { LISTENER_SCHEME } from '../../deliveries/listeners.ts'
import { ServiceError } from '../../errors.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import {
  MEETING_WORDS_INDEX_VERSION,
  type SearchVectors,
} from '../../projects/search/words/search-vector.ts'
import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import { createMeetingId, type Meeting, type MeetingOptions } from '../meeting.ts'
import type { SegmentSource } from '../captions/segment-sources.ts'
import { cleanText } from '../../language/clean-text.ts'
import type { TranscriptContent, TranscriptSegment } from '../transcript/source.ts'
import { IMPORT_FORMAT_TITLES } from './format-names.ts'
import type { ImportedTranscript, ImportWarning } from './read-transcript-file.ts'
import type { ImportRequest } from './transcript-imports.ts'

export type ImportedMeeting = {
  meeting: Meeting
  segmentSource: SegmentSource
  content: TranscriptContent
  warnings: ImportWarning[]
}

/** The title if the file has neither a title nor a name. */
const LABEL = 'Imported transcript'

/** No bot attended, so these options have no effect. */
const NO_OPTIONS: MeetingOptions = {
  language: null,
  botName: '',
  account: null,
  coach: false,
  events: [],
  leave: {
    lobbyTimeout: 0,
    hostTimeout: 0,
    nobodyJoined: 0,
    everyoneLeft: 0,
    silence: null,
    maxDuration: 0,
  },
}

/** The callback of a meeting that sends no events. It has no lane. */
const NO_CALLBACK_URL = `${LISTENER_SCHEME}nobody`
const SEGMENTS_PER_STATEMENT = 500

type ImportedMeetingRows = {
  meeting: Meeting
  segmentSource: SegmentSource
  tokenId: string | null
  content: TranscriptContent
  /** The search vectors of the title and of the segments. */
  vectors: SearchVectors
}

/** Builds a finished meeting from a transcript. */
export function buildImportedMeeting(
  request: ImportRequest,
  transcript: ImportedTranscript,
  now: Date,
): ImportedMeeting {
  const { startedAt, warnings } = findStart(request.startedAt, transcript, now)
  const endedAt = new Date(startedAt.getTime() + transcript.durationMs)
  const id = createMeetingId(now)
  const fileName = cleanText(request.fileName ?? '')
  const from = fileName === '' ? '' : ` from ${fileName}`
  const meeting: Meeting = {
    id,
    platform: IMPORTED_PLATFORM,
    url: `${IMPORTED_PLATFORM}:${id}`,
    label: LABEL,
    title: (request.title === null ? '' : cleanText(request.title)) || transcript.title,
    recapTitle: null,
    project: request.project,
    documentPath: null,
    status: 'ended',
    reason: null,
    detail: request.detail ?? `Imported${from} (${IMPORT_FORMAT_TITLES[transcript.format]})`,
    startedAt,
    joinAt: null,
    liveAt: startedAt,
    endedAt,
    importedAt: now,
    participantCount: transcript.participants.length,
    segmentCount: transcript.segments.length,
    options: {
      ...NO_OPTIONS,
      ...(request.recapLanguage !== null && { recapLanguage: request.recapLanguage }),
    },
  }
  const segmentSource = request.segmentSource ?? 'imported'
  return { meeting, segmentSource, content: toContent(meeting, transcript), warnings }
}

function toContent(meeting: Meeting, transcript: ImportedTranscript): TranscriptContent {
  const { startedAt, endedAt, title, label, platform } = meeting
  const at = (ms: number) => new Date(startedAt.getTime() + ms)
  return {
    title: title ?? label,
    platform,
    startedAt,
    endedAt,
    participants: transcript.participants,
    segments: transcript.segments.map(({ speaker, text, startMs }, i) => ({
      number: i + 1,
      speaker,
      text,
      startedAt: at(startMs),
    })),
    gaps: transcript.gaps.map(({ cause, startMs, endMs, afterSegment }) => ({
      cause,
      startedAt: at(startMs),
      endedAt: at(endMs),
      afterSegment,
    })),
    insights: [],
  }
}

/** The start from the caller or the file. If neither gives one, the meeting ends now. */
function findStart(
  requested: Date | null,
  { startedAt: found, durationMs, warnings }: ImportedTranscript,
  now: Date,
): { startedAt: Date; warnings: ImportWarning[] } {
  if (requested !== null) {
    const message = findStartProblem(requested, now)
    if (message === null)
      return { startedAt: requested, warnings: warnings.filter(isNotAboutStart) }
    throw new ServiceError('invalid_request', { details: [{ path: 'startedAt', message }] })
  }
  if (found !== null && findStartProblem(found, now) === null) return { startedAt: found, warnings }
  const problem =
    found === null
      ? 'The file does not say when the meeting started'
      : 'The start in the file is in the future'
  const message = `${problem}, so the time of the import was used`
  return {
    startedAt: new Date(now.getTime() - durationMs),
    warnings: [{ path: 'startedAt', message }, ...warnings.filter(isNotAboutStart)],
  }
}

/** Returns why a meeting cannot have started at this time; null if it can. */
export function findStartProblem(at: Date, now: Date): string | null {
  const isPossible = at.getTime() >= 0 && at.getTime() <= now.getTime() + DAY_MS
  return isPossible ? null : 'Must be between 1970 and a day from now'
}

function isNotAboutStart({ path }: ImportWarning): boolean {
  return path !== 'startedAt'
}

/** Inserts a finished meeting, without its document and events. */
export async function insertImportedMeeting(tx: Tx, rows: ImportedMeetingRows): Promise<void> {
  const { meeting, content, vectors } = rows
  const [titleWords = '', ...segmentWords] = vectors.texts
  await insertMeetingRow(tx, rows)
  await insertSegments(tx, meeting.id, content.segments, segmentWords, rows.segmentSource)
  if (vectors.whole !== null) {
    await sql`insert into meeting_words (meeting_id, title, words)
      values (${meeting.id}, ${titleWords}::tsvector, ${vectors.whole}::tsvector)`.execute(tx)
  }
  await insertParticipants(tx, meeting, content.participants)
  await insertGaps(tx, meeting.id, content.gaps)
}

async function insertMeetingRow(tx: Tx, { meeting, tokenId }: ImportedMeetingRows): Promise<void> {
  const { id, importedAt } = meeting
  await tx
    .insertInto('meeting')
    .values({
      id,
      platform: meeting.platform,
      url: meeting.url,
      room: meeting.url,
      label: meeting.label,
      title: meeting.title,
      project: meeting.project,
      callback_url: NO_CALLBACK_URL,
      token_id: tokenId,
      options: JSON.stringify(meeting.options),
      status: meeting.status,
      detail: meeting.detail,
      started_at: meeting.startedAt,
      live_at: meeting.liveAt,
      ended_at: meeting.endedAt,
      ...(importedAt !== null && { imported_at: importedAt }),
      segment_count: meeting.segmentCount,
      flushed_count: meeting.segmentCount,
      participant_count: meeting.participantCount,
      words_version: MEETING_WORDS_INDEX_VERSION,
    })
    .execute()
}

async function insertRows(
  tx: Tx,
  meetingId: string,
  segments: readonly TranscriptSegment[],
  words: readonly string[],
  source: SegmentSource,
): Promise<void> {
  const rows = segments.map(({ number, speaker, text, startedAt }, i) => ({
    number,
    speaker,
    text,
    ms: startedAt.getTime(),
    words: words[i] ?? '',
  }))
  await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words, source)
    select ${meetingId}, s.number, 'imported-' || s.number, s.speaker, s.text, to_timestamp(s.ms / 1000), s.words::tsvector,
      ${source}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as s(number int, speaker text, text text, ms float8, words text)`.execute(tx)
}

/** Inserts all segments of a meeting, with their search vectors. */
export async function insertSegments(
  tx: Tx,
  meetingId: string,
  segments: readonly TranscriptSegment[],
  words: readonly string[],
  source: SegmentSource,
): Promise<void> {
  for (let start = 0; start < segments.length; start += SEGMENTS_PER_STATEMENT) {
    const end = start + SEGMENTS_PER_STATEMENT
    await insertRows(tx, meetingId, segments.slice(start, end), words.slice(start, end), source)
  }
}

/** The file says who spoke, but not who joined when, so all are present all the time. */
export async function insertParticipants(
  tx: Tx,
  { id, startedAt, endedAt }: Meeting,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const rows = names.map((name, i) => ({
    meeting_id: id,
    // Participants who joined at the same time are listed by id.
    id: `imported-${String(i + 1).padStart(4, '0')}`,
    name,
    joined_at: startedAt,
    left_at: endedAt,
  }))
  await tx.insertInto('participant').values(rows).execute()
}

async function insertGaps(
  tx: Tx,
  meetingId: string,
  gaps: TranscriptContent['gaps'],
): Promise<void> {
  if (gaps.length === 0) return
  const rows = gaps.map((gap, i) => ({
    meeting_id: meetingId,
    number: i + 1,
    cause: gap.cause,
    started_at: gap.startedAt,
    ended_at: gap.endedAt,
    after_segment: gap.afterSegment,
    is_reported: true,
  }))
  await tx.insertInto('transcript_gap').values(rows).execute()
}

import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { LISTENER_SCHEME } from '../../deliveries/listeners/listeners.ts'
import {
  MEETING_WORDS_INDEX_VERSION,
  type SearchVectors,
} from '../../projects/search/words/search-vector.ts'
import type { Meeting } from '../meeting.ts'
import type { TranscriptContent, TranscriptSegment } from '../transcript/source.ts'

/** The callback of a meeting that sends no events. It has no lane. */
const NO_CALLBACK_URL = `${LISTENER_SCHEME}nobody`
const SEGMENTS_PER_STATEMENT = 500

export type ImportedMeetingRows = {
  meeting: Meeting
  tokenId: string | null
  content: TranscriptContent
  /** The search vectors of the title and the segments. */
  vectors: SearchVectors
}

/** Inserts a meeting that is over, with everything but its document and events. */
export async function insertImportedMeeting(tx: Tx, rows: ImportedMeetingRows): Promise<void> {
  const { meeting, content, vectors } = rows
  const [titleWords = '', ...segmentWords] = vectors.texts
  await insertMeetingRow(tx, rows)
  for (let start = 0; start < content.segments.length; start += SEGMENTS_PER_STATEMENT) {
    const end = start + SEGMENTS_PER_STATEMENT
    const words = segmentWords.slice(start, end)
    await insertSegments(tx, meeting.id, content.segments.slice(start, end), words)
  }
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

async function insertSegments(
  tx: Tx,
  meetingId: string,
  segments: readonly TranscriptSegment[],
  words: readonly string[],
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
      'imported'
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as s(number int, speaker text, text text, ms float8, words text)`.execute(tx)
}

/** The file says who spoke, but not when somebody joined, so all are present all the time. */
async function insertParticipants(
  tx: Tx,
  { id, startedAt, endedAt }: Meeting,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const rows = names.map((name, i) => ({
    meeting_id: id,
    // Participants who joined together are listed by their ids.
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

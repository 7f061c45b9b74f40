import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { MeetingsContext } from '../context.ts'
import type { EventContent } from '../event-types.ts'
import { insertParticipants, insertSegments } from '../importing/imported-meeting.ts'
import { reserveDocument, writeImportedDocument } from '../importing/transcript-imports.ts'
import type { Meeting } from '../meeting.ts'
import {
  appendEvents,
  changeMeetingStatus,
  convertMeetingRow,
  createMeetingQuery,
  updateMeeting,
  type EventRow,
} from '../record/meeting-store.ts'
import type { EndReason } from '../status.ts'
import type { OfficialLine } from './official-lines.ts'

/** Ends meetings that wait for their official transcript. */
export type OfficialCaptures = ReturnType<typeof createOfficialCaptures>

type Parts = MeetingsContext & {
  learnWords(texts: readonly string[]): Promise<void> | void
  publishLateEvents(meetingId: string, events: readonly EventRow[]): void
  /** Runs after a meeting has ended, with a transcript if `reason` is null. */
  onEnded(meeting: Meeting, reason: EndReason | null): void
}

export type CapturedTranscript = {
  lines: readonly OfficialLine[]
  startedAt: Date
  endedAt: Date
  /** The title of the meeting on the platform; used if the start request named none. */
  title: string
}

/** A meeting that waits, and when that is over. */
export type WaitingCapture = {
  id: string
  platform: string
  url: string
  startedAt: Date
  startedBy: string | null
  deadline: Date
}

/** A transcript is available some minutes after the meeting. */
const LATEST_AFTER_END_SECONDS = 2 * 3_600
/** The multi-row insert of events must stay below the largest number of parameters. */
const EVENTS_PER_STATEMENT = 2_000
const MAX_OVERDUE = 200

export function createOfficialCaptures(parts: Parts) {
  const { db, clock } = parts
  return {
    /** Meetings whose transcript should have been there by now, the oldest first. */
    async listOverdue(now: Date): Promise<WaitingCapture[]> {
      const { rows } = await sql<WaitingCapture>`
        select id, platform, url, "startedAt", "startedBy", deadline from (
          select id, platform, url, started_at as "startedAt", started_by as "startedBy",
            coalesce(expected_end_at, started_at + make_interval(secs => (options -> 'leave' ->> 'maxDuration')::float8))
              + make_interval(secs => ${LATEST_AFTER_END_SECONDS}) as deadline
          from meeting where status = 'awaiting_transcript') as waiting
        where deadline <= ${now} order by deadline limit ${MAX_OVERDUE}`.execute(db)
      return rows
    },

    /**
     * Stores the transcript of a meeting that waits for it, and ends the meeting. `afterStore` runs in the same
     * transaction. Throws `meeting_not_found` if the meeting no longer waits.
     */
    async complete(
      meetingId: string,
      transcript: CapturedTranscript,
      afterStore: (tx: Tx) => Promise<void>,
    ): Promise<void> {
      if (!parts.hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      const texts = transcript.lines.map(({ text }) => text)
      const { meeting, events } = await db.transaction().execute(async (tx) => {
        const waiting = await lockWaiting(tx, meetingId)
        const stored = await storeTranscript(tx, waiting, transcript)
        const documentPath = await reserveDocumentOf(parts, tx, stored)
        const rows = await appendLines(tx, stored, documentPath, clock.now())
        const ended = await changeMeetingStatus(tx, meetingId, { to: 'ended', at: clock.now() })
        // The status is stored with the time of the event; the meeting itself was over before.
        const { startedAt, endedAt } = stored
        await updateMeeting(tx, meetingId, { started_at: startedAt, ended_at: endedAt })
        await afterStore(tx)
        return { meeting: { ...stored, documentPath }, events: [...rows, ...(ended ?? [])] }
      })
      await writeDocument(parts, meetingId)
      await parts.learnWords(texts)
      parts.publishLateEvents(meetingId, events)
      parts.onEnded(meeting, null)
      if (meeting.documentPath !== null) await parts.documentChanged(meeting.documentPath)
    },

    /** Ends a meeting whose transcript does not come. Does nothing if it no longer waits. */
    async fail(meetingId: string, reason: EndReason, detail: string): Promise<void> {
      const at = clock.now()
      const ended = await db.transaction().execute(async (tx) => {
        const row = await createMeetingQuery(tx)
          .where('id', '=', meetingId)
          .where('status', '=', 'awaiting_transcript')
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return null
        const to = 'error'
        const events = await changeMeetingStatus(tx, meetingId, { to, reason, detail, at })
        return { meeting: convertMeetingRow(row), events: events ?? [] }
      })
      if (ended === null) return
      parts.publishLateEvents(meetingId, ended.events)
      parts.onEnded(ended.meeting, reason)
    },
  }
}

async function lockWaiting(tx: Tx, id: string): Promise<Meeting> {
  const row = await createMeetingQuery(tx)
    .where('id', '=', id)
    .where('status', '=', 'awaiting_transcript')
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('meeting_not_found')
  return convertMeetingRow(row)
}

async function storeTranscript(
  tx: Tx,
  waiting: Meeting,
  { lines, startedAt, endedAt, title }: CapturedTranscript,
): Promise<Meeting> {
  const meeting = { ...waiting, startedAt, endedAt, title: waiting.title ?? (title || null) }
  const segments = lines.map(({ speaker, text, atMs }, i) => ({
    number: i + 1,
    speaker,
    text,
    startedAt: new Date(atMs),
  }))
  const words = lines.map((line) => line.words)
  await insertSegments(tx, meeting.id, segments, words, 'official')
  const speakers = [...new Set(lines.map(({ speaker }) => speaker))].filter((name) => name !== '')
  await insertParticipants(tx, meeting, speakers)
  await updateMeeting(tx, meeting.id, {
    title: meeting.title,
    live_at: startedAt,
    segment_count: segments.length,
    flushed_count: segments.length,
    participant_count: speakers.length,
  })
  return { ...meeting, segmentCount: segments.length }
}

/** Reserves the name of the document, which is written after the commit. Null if the start asked for none. */
async function reserveDocumentOf(
  { files, timeZone }: Parts,
  tx: Tx,
  meeting: Meeting,
): Promise<string | null> {
  if (meeting.options.saveTranscript === false) return null
  const title = meeting.title ?? meeting.label
  const created = await reserveDocument(files.inTransaction(tx), timeZone, meeting, title)
  const { documentPath } = created
  await updateMeeting(tx, meeting.id, { document_path: documentPath, document_size: 0 })
  return documentPath
}

/** Receivers get each line, as they do from a bot. */
async function appendLines(
  tx: Tx,
  { id, segmentCount }: Meeting,
  documentPath: string | null,
  at: Date,
): Promise<EventRow[]> {
  const segments = await tx
    .selectFrom('segment')
    .select(['number', 'speaker', 'text', 'caption_id', 'started_at'])
    .where('meeting_id', '=', id)
    .orderBy('number')
    .execute()
  const events: EventContent[] = segments.map((segment) => ({
    type: 'segment_finalized',
    payload: {
      speaker: segment.speaker,
      text: segment.text,
      timestamp: segment.started_at.toISOString(),
      segmentNumber: segment.number,
      captionId: segment.caption_id,
      source: 'official',
    },
  }))
  if (documentPath !== null) {
    const counts = { segmentsWritten: segmentCount, totalSegments: segmentCount }
    events.push({ type: 'document_saved', payload: { documentPath, ...counts } })
  }
  const rows: EventRow[] = []
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT)
    rows.push(
      ...(await appendEvents(tx, id, at, events.slice(start, start + EVENTS_PER_STATEMENT))),
    )
  return rows
}

/** Only logs a failure, because the meeting is stored and a maintenance job writes its document later. */
async function writeDocument(parts: Parts, meetingId: string): Promise<void> {
  try {
    await writeImportedDocument(parts, meetingId)
  } catch (error) {
    parts.log.error({ err: error, meetingId }, 'failed to write the document of a capture')
  }
}

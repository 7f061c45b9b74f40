import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { MeetingLink, Platform } from '../../bots/platforms/platform.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { NewLane } from '../../deliveries/lane/lane-rows.ts'
import { LISTENER_SCHEME } from '../../deliveries/listeners.ts'
import { currentTraceParent } from '../../lib/tracer.ts'
import type { Log } from '../../log.ts'
import { parsePathInDataFolder } from '../../projects/document-ref.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import type { CreatedDocument, DocumentFiles } from '../../projects/files/store/document-files.ts'
import {
  createMeetingId,
  type AttendedMeeting,
  type Meeting,
  type MeetingOptions,
} from '../meeting.ts'
import { formatTranscriptDocumentHeader } from '../record/transcript-document.ts'
import { findFirstStatus } from '../official/capture.ts'
import { ACTIVE_STATUSES } from '../status.ts'

export type StartMeetingRequest = {
  url: string
  title: string | null
  callbackUrl: string
  project: string
  saveTranscript: boolean
  options: MeetingOptions
  /** When the bot joins; null to join now. */
  joinAt: Date | null
  /** When the meeting is expected to end; null if unknown. After that, a late bot does not join. */
  expectedEndAt: Date | null
}

/** The callback of a meeting that is only read in the console. Its lane exists, but sends no events. */
export const NO_RECEIVER = { callbackUrl: `${LISTENER_SCHEME}nobody`, events: [] }

export type StartedMeeting = {
  meeting: AttendedMeeting
  /** Other active meetings with the same link; empty for a scheduled meeting. */
  otherMeetingIds: string[]
}

/** A meeting that begins now or is scheduled for `joinAt`. */
export function newMeeting(
  { title, project, options, saveTranscript }: StartMeetingRequest,
  { platform, link }: { platform: Platform; link: MeetingLink },
  { now, joinAt }: { now: Date; joinAt: Date | null },
): AttendedMeeting {
  return {
    id: createMeetingId(now),
    platform: platform.name,
    url: link.url,
    label: link.label,
    title,
    recapTitle: null,
    project,
    documentPath: null,
    status: joinAt === null ? findFirstStatus(options) : 'scheduled',
    reason: null,
    detail: null,
    startedAt: joinAt ?? now,
    joinAt,
    liveAt: null,
    endedAt: null,
    importedAt: null,
    participantCount: 0,
    segmentCount: 0,
    // Without a bot there is nothing to save until the transcript comes.
    options:
      joinAt === null && options.capture !== 'official' ? options : { ...options, saveTranscript },
  }
}

type NewMeetingRow = {
  meeting: Meeting
  link: MeetingLink
  callbackUrl: string
  tokenId: string | null
  documentSize?: number
  expectedEndAt: Date | null
  startedBy: Viewer
}

export async function insertMeeting(
  tx: Tx,
  { meeting, link, callbackUrl, tokenId, documentSize = 0, ...row }: NewMeetingRow,
): Promise<void> {
  await tx
    .insertInto('meeting')
    .values({
      id: meeting.id,
      platform: meeting.platform,
      url: meeting.url,
      room: link.room,
      label: meeting.label,
      title: meeting.title,
      project: meeting.project,
      document_path: meeting.documentPath,
      document_size: documentSize,
      callback_url: callbackUrl,
      token_id: tokenId,
      options: JSON.stringify(meeting.options),
      status: meeting.status,
      started_at: meeting.startedAt,
      join_at: meeting.joinAt,
      expected_end_at: row.expectedEndAt,
      trace_parent: currentTraceParent(),
      started_by: row.startedBy.kind === 'user' ? row.startedBy.userId : null,
      scheduled_viewer: meeting.status === 'scheduled' ? JSON.stringify(row.startedBy) : null,
    })
    .execute()
}

export function newLaneFor(
  { id, options }: Meeting,
  callbackUrl: string,
  tokenId: string | null,
): NewLane {
  const { events } = options
  return { meeting_id: id, kind: 'meeting', url: callbackUrl, token_id: tokenId, events }
}

/** The ids of active meetings with the same link that the viewer may read. */
export async function findActiveInRoom(tx: Db, viewer: Viewer, room: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('meeting')
    .select('id')
    .where(readsProject(viewer, 'meeting.project'))
    .where('room', '=', room)
    // Each practice meeting is separate, even if its link is the same.
    .where('platform', '<>', 'practice')
    .where('status', 'in', ACTIVE_STATUSES)
    .execute()
  return rows.map(({ id }) => id)
}

export function createTranscriptFile(
  files: DocumentFiles,
  timeZone: string,
  meeting: Meeting,
): Promise<CreatedDocument> {
  const label = formatDateLabel(meeting.startedAt, timeZone)
  const title = meeting.title ?? meeting.label
  return files.create({
    project: meeting.project,
    fileNameFor: (attempt) => formatDocumentFileName(label, title, attempt),
    header: formatTranscriptDocumentHeader(meeting, []),
    heading: '',
  })
}

/** After a broken connection, finds out if the transaction that stores a meeting was committed. */
export async function findOutcome(
  { db, log }: { db: Db; log: Log },
  meetingId: string,
): Promise<'stored' | 'not stored' | 'unknown'> {
  try {
    const meetings = db.selectFrom('meeting').select('id').where('id', '=', meetingId)
    return (await meetings.executeTakeFirst()) === undefined ? 'not stored' : 'stored'
  } catch (error) {
    // The caller reports why the commit failed.
    log.warn({ err: error, meetingId }, 'failed to check whether a meeting was stored')
    return 'unknown'
  }
}

/**
 * Removes the document of a meeting that was not stored. Only logs a failure, because the caller reports why the
 * meeting was not stored.
 */
export async function removeUnusedDocument(
  { files, log }: { files: DocumentFiles; log: Log },
  { documentPath }: CreatedDocument,
): Promise<void> {
  const place = parsePathInDataFolder(documentPath)
  try {
    if (place !== null) await files.remove(place)
  } catch (error) {
    const context = { err: error, documentPath }
    log.error(context, 'failed to remove the document of a meeting that was not stored')
  }
}

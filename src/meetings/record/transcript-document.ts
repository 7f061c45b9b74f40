import type { Db, Tx } from '../../db/database.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { parsePathInDataFolder, type DocumentRef } from '../../projects/document-ref.ts'
import { DocumentDamaged } from '../../projects/files/document-file.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { formatFrontMatter } from '../../projects/front-matter.ts'
import { readStoredChat } from '../chat/stored-chat.ts'
import type { MeetingsContext } from '../context.ts'
import { findShownName, toSpeakerNames, type SpeakerNames } from '../editing/speaker-names.ts'
import type { Meeting } from '../meeting.ts'
import { ACTIVE_STATUSES } from '../status.ts'
import {
  formatMarkdownChat,
  formatMarkdownEntries,
  formatMarkdownTitle,
  writeMarkdown,
} from '../transcript/markdown-format.ts'
import { readTranscript } from '../transcript/read-transcript.ts'
import {
  insertGapsBetweenSegments,
  sortByStart,
  isGap,
  type TranscriptChatMessage,
  type TranscriptContent,
  type TranscriptEntry,
  type TranscriptSegment,
} from '../transcript/source.ts'
import { type SegmentRow, updateMeeting } from './meeting-store.ts'
import type { MeetingWriter } from './meeting-writer.ts'

export type DocumentParts = Pick<MeetingsContext, 'db' | 'files'>
export type RepairParts = DocumentParts & Pick<MeetingsContext, 'log' | 'documentChanged'>

type Repair = {
  meetingIds: readonly string[]
  /** Writes a meeting's document. Resolves with its path, or null if there was nothing to write. */
  write(meetingId: string): Promise<string | null>
  /** The log message for a failure. */
  failure: string
}

/** The front matter and the heading at the top of a transcript document. */
export function formatTranscriptDocumentHeader(
  meeting: Meeting,
  participants: readonly string[],
): string {
  return `${formatFrontMatter({
    title: meeting.title ?? meeting.label,
    date: meeting.startedAt.toISOString(),
    meetingId: meeting.id,
    status: meeting.endedAt === null ? 'in_progress' : 'completed',
    platform: meeting.platform,
    project: meeting.project,
    participants: [...participants],
    startedAt: meeting.startedAt.toISOString(),
    endedAt: meeting.endedAt?.toISOString() ?? null,
    segments: meeting.segmentCount,
  })}\n${formatMarkdownTitle(meeting.title ?? meeting.label)}`
}

/**
 * Appends a meeting's stored segments to its saved document. Once another node owns the meeting, writes throw
 * `LeaseLost`.
 */
export type TranscriptDocumentWriter = ReturnType<typeof createTranscriptDocumentWriter>

export type TranscriptDocumentWriterOptions = {
  db: Db
  files: DocumentFiles
  meetingId: string
  documentPath: string
  writer: MeetingWriter
  /** Limits concurrent file writes, because each one occupies a database connection. */
  limitWrites: <T>(work: () => Promise<T>) => Promise<T>
  /** Called after the complete document was written. */
  onComplete?(documentPath: string): Promise<void>
}

type FileState = {
  size: number
  /** The last segment in the file. Its speaker determines if the next segment starts a paragraph. */
  last: TranscriptSegment | null
  /** Stored segments that are not in the file yet, with the gaps before them. */
  unwritten: TranscriptEntry[]
  startedAt: Date
  /** The names that people gave to speakers, and the number of the newest edit. */
  names: SpeakerNames
  edit: number
}

export function createTranscriptDocumentWriter(parts: TranscriptDocumentWriterOptions) {
  const { db, files, meetingId, documentPath, writer, limitWrites } = parts
  const place = parseTranscriptPath(meetingId, documentPath)
  /**
   * The state of the document file. Null until it is read from the database, because an earlier bot may have written
   * segments.
   */
  let state: FileState | null = null

  return {
    /** Queues newly stored segments, and the gaps before them, for the next flush. */
    addSegments(segments: readonly SegmentRow[]) {
      if (state === null) return
      const { unwritten, names } = state
      for (const row of segments) {
        const speaker = findShownName(names, row.speaker)
        unwritten.push(...(row.gapsBefore ?? []), { ...row, speaker })
      }
    },

    /** Appends the queued segments to the file and records a `document_saved` event. */
    async flush(at: Date) {
      state ??= await readFileState(db, meetingId)
      const { size, last, unwritten, startedAt, names, edit } = state
      const segments = withoutGaps(unwritten)
      if (segments.length === 0) return
      const text = [...formatMarkdownEntries(unwritten, startedAt, last)]
      // Null makes the next flush read the state from the database again, if appending or recording the flush fails.
      state = null
      const written = await limitWrites(() =>
        writer.withDocumentLock(async (tx, newest) => {
          // The earlier lines have other names now.
          const isOutdated = newest !== edit
          return {
            edit: newest,
            size: isOutdated
              ? await rewriteTranscriptDocument(tx, files, meetingId, null)
              : await append(tx, text.join(''), size),
          }
        }),
      )
      await writer.recordDocumentFlush({ count: segments.length, ...written }, documentPath, at)
      if (written.edit !== edit) return
      const { size: newSize } = written
      state = {
        size: newSize,
        last: segments.at(-1) ?? last,
        unwritten: [],
        startedAt,
        names,
        edit,
      }
    },

    /** Rewrites the whole document in its final form. Runs before the final status, so it is repeated after a crash. */
    async complete(endedAt: Date) {
      const flush = await limitWrites(() =>
        writer.withDocumentLock(async (tx) => {
          const { unwritten, edit } = await readFileState(tx, meetingId)
          const size = await rewriteTranscriptDocument(tx, files, meetingId, endedAt)
          return { count: withoutGaps(unwritten).length, size, edit }
        }),
      )
      await writer.recordDocumentFlush(flush, documentPath, endedAt)
      await parts.onComplete?.(documentPath)
    },
  }

  async function append(tx: Tx, text: string, expectedSize: number): Promise<number> {
    try {
      return await files.inTransaction(tx).truncateAndAppend(place, text, expectedSize)
    } catch (error) {
      if (!(error instanceof DocumentDamaged)) throw error
      return rewriteTranscriptDocument(tx, files, meetingId, null)
    }
  }
}

function withoutGaps(entries: readonly TranscriptEntry[]): TranscriptSegment[] {
  return entries.flatMap((entry) => (isGap(entry) ? [] : [entry]))
}

async function readFileState(db: Db, meetingId: string): Promise<FileState> {
  const row = await db
    .selectFrom('meeting')
    .select(['flushed_count', 'document_size', 'speaker_names', 'edit_count'])
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const { flushed_count: flushed, document_size: size, edit_count: edit } = row
  const { meeting, segments, source } = await readTranscript(db, meetingId, {
    after: Math.max(0, flushed - 1),
  })
  const unwritten = {
    segments: segments.filter(({ number }) => number > flushed),
    gaps: source.gaps.filter(({ afterSegment }) => afterSegment >= flushed),
    endedAt: null,
  }
  return {
    size,
    last: segments.find(({ number }) => number === flushed) ?? null,
    unwritten: [...insertGapsBetweenSegments(unwritten)],
    startedAt: meeting.startedAt,
    names: toSpeakerNames(row.speaker_names),
    edit,
  }
}

/**
 * Replaces the document atomically with all stored segments and returns its size. This also repairs a damaged or
 * missing document.
 */
export async function rewriteTranscriptDocument(
  db: Db,
  files: DocumentFiles,
  meetingId: string,
  endedAt: Date | null,
): Promise<number> {
  const { meeting: stored, source: content } = await readTranscript(db, meetingId)
  const meeting = { ...stored, endedAt: stored.endedAt ?? endedAt }
  const source = meeting.endedAt === null ? content : endTranscript(content, meeting.endedAt)
  if (meeting.documentPath === null) throw new Error(`meeting ${meetingId} has no document`)
  // A document that is still growing has no section after the segments.
  const chat = meeting.endedAt === null ? [] : await readStoredChat(db, meetingId)
  const place = parseTranscriptPath(meetingId, meeting.documentPath)
  const filesInTx = db.isTransaction ? files.inTransaction(db as Tx) : files
  return filesInTx.replace(place, formatTranscriptDocument(meeting, source, chat))
}

/** A crafted backup may have put a path into the database that leads out of the projects folder. */
function parseTranscriptPath(meetingId: string, documentPath: string): DocumentRef {
  const ref = parsePathInDataFolder(documentPath)
  if (ref !== null) return ref
  throw new OperatorError(`The document path of the meeting ${meetingId} is not valid`)
}

/** The transcript as it reads after the meeting. The final status is stored only after the document. */
function endTranscript(content: TranscriptContent, endedAt: Date): TranscriptContent {
  return {
    ...content,
    endedAt,
    segments: sortByStart(content.segments),
    gaps: content.gaps.map((gap) => ({ ...gap, endedAt: gap.endedAt ?? endedAt })),
  }
}

/** The whole document of a meeting that is over, in small pieces. */
export function* formatTranscriptDocument(
  meeting: Meeting,
  source: TranscriptContent,
  chat: readonly TranscriptChatMessage[],
): Generator<string> {
  const [, ...rest] = writeMarkdown(source)
  yield formatTranscriptDocumentHeader(meeting, source.participants)
  yield* rest
  yield* formatMarkdownChat(chat, source.startedAt)
}

/** Writes documents that a crash or a full disk left out of date. */
export async function repairDocuments(
  { log, documentChanged }: RepairParts,
  { meetingIds, write, failure }: Repair,
): Promise<void> {
  for (const meetingId of meetingIds) {
    try {
      const path = await write(meetingId)
      if (path !== null) await documentChanged(path)
    } catch (error) {
      // A document that cannot be written must not delay the others.
      log.error({ err: error, meetingId }, failure)
    }
  }
}

/**
 * After a restore, writes the documents of unfinished meetings again from their segments. The backed-up files may
 * contain more than the rows.
 */
export async function rewriteDocumentsOfActiveMeetings(
  db: Db,
  files: DocumentFiles,
): Promise<void> {
  const unfinished = await db
    .selectFrom('meeting')
    .select(['id', 'segment_count'])
    .where('status', 'in', ACTIVE_STATUSES)
    .where('document_path', 'is not', null)
    .execute()
  for (const { id, segment_count: count } of unfinished) {
    const size = await rewriteTranscriptDocument(db, files, id, null)
    await updateMeeting(db, id, { document_size: size, flushed_count: count })
  }
}

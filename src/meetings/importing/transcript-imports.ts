import { lockProjectAccess } from '../../access/registered-projects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { ServiceError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import type { CreatedDocument, DocumentFiles } from '../../projects/files/store/document-files.ts'
import { createSearchVectors } from '../../projects/search/words/search-vector.ts'
import type { MeetingsContext } from '../context.ts'
import type { SegmentSource } from '../captions/segment-sources.ts'
import type { Meeting } from '../meeting.ts'
import type { OfficialLine } from '../official/official-lines.ts'
import { appendEvents, updateMeeting } from '../record/meeting-store.ts'
import {
  rewriteTranscriptDocument,
  repairDocuments,
  type DocumentParts,
  type RepairParts,
} from '../record/transcript-document.ts'
import { removeUnusedDocument, findOutcome } from '../starting/new-meeting.ts'
import { MAX_IMPORT_BYTES, type ImportFormat } from './format-names.ts'
import { formatProblem, UnreadableTranscript } from './formats/found-transcript.ts'
import {
  insertImportedMeeting,
  buildImportedMeeting,
  type ImportedMeeting,
} from './imported-meeting.ts'
import { createTranscriptFileReader } from './read-thread.ts'
import type { ImportedTranscript, ImportWarning } from './read-transcript-file.ts'

export type ImportRequest = {
  content: string
  fileName: string | null
  /** Null to detect the format from the content. */
  format: ImportFormat | null
  /** Null to use the title in the file, or the file name. */
  title: string | null
  project: string
  /** Null to use the start in the file or in the file name. */
  startedAt: Date | null
  /** Null to use the service's time zone. */
  timeZone: string | null
  /** Null to write the recap in the language of the project or of the settings. */
  recapLanguage: string | null
  /** Where the transcript is from, as a sentence for people. Absent for a file that somebody imported. */
  detail?: string
  /** What the segments are, if not imported texts. */
  segmentSource?: SegmentSource
}

export type ImportResult = { meeting: Meeting; format: ImportFormat; warnings: ImportWarning[] }

/** Stores other products' transcripts as finished meetings. */
export type TranscriptImports = ReturnType<typeof createTranscriptImports>

type Parts = MeetingsContext & {
  membership: Pick<NodeMembership, 'requireFreshHeartbeat'>
  learnWords(texts: readonly string[]): Promise<void> | void
  /** Aborts when the service stops. */
  closing: AbortSignal
  onImported(meetingId: string): void
}

/** Each import holds a transcript in memory, and occupies a database connection while it is stored. */
const MAX_CONCURRENT_IMPORTS = 2
/** Running and waiting requests. Each holds a request body of up to 40 MiB. */
export const MAX_RESERVED_IMPORTS = 6
const RETRY_AFTER_SECONDS = 5

export function createTranscriptImports(parts: Parts) {
  const { db, clock, timeZone } = parts
  const readFile = createTranscriptFileReader(parts.closing)
  const limit = createConcurrencyLimit(MAX_CONCURRENT_IMPORTS)
  let reserved = 0

  const addOne: TranscriptImports['add'] = async (viewer, request, tokenId, beforeCommit) => {
    const zone = request.timeZone ?? timeZone
    const transcript = await readOrRefuse(() => readFile({ ...request, timeZone: zone }))
    const imported = buildImportedMeeting(request, transcript, clock.now())
    // Before the folder exists. Otherwise the index or a crash could turn it into a team project.
    await parts.registerProject(db, viewer, request.project)
    const meeting = await store(
      parts,
      imported,
      { viewer, tokenId, zone: timeZone },
      (tx, stored) => beforeCommit(tx, toResult(stored, imported, transcript)),
    )
    await writeDocument(parts, meeting.id)
    await parts.learnWords(transcript.segments.map(({ text }) => text))
    parts.onImported(meeting.id)
    if (meeting.documentPath !== null) await parts.documentChanged(meeting.documentPath)
    return toResult(meeting, imported, transcript)
  }

  return {
    /**
     * Reserves memory for a request before its body is read. Call the result to free it. Throws `at_capacity` if this
     * node can hold no more running and waiting requests.
     */
    reserve(): () => void {
      if (reserved >= MAX_RESERVED_IMPORTS) {
        throw new ServiceError('at_capacity', {
          text: 'This node is busy with other imports',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      reserved += 1
      let isReserved = true
      return () => {
        if (isReserved) reserved -= 1
        isReserved = false
      }
    },
    /**
     * Reads a transcript without storing it, for a meeting that exists. Times are in milliseconds since `startedAt`.
     * Throws like `add`.
     */
    async readLines(
      request: Pick<ImportRequest, 'content' | 'format'> & { startedAt: Date },
    ): Promise<OfficialLine[]> {
      refuseTooLarge(request.content)
      return limit(async () => {
        const file = { ...request, fileName: null, timeZone }
        const { segments } = await readOrRefuse(() => readFile(file))
        const { texts } = await createSearchVectors(segments)
        return segments.map(({ speaker, text, startMs }, i) => ({
          speaker,
          text,
          atMs: request.startedAt.getTime() + startMs,
          words: texts[i] ?? '',
        }))
      })
    },
    /**
     * Throws `invalid_request` with the lines that cannot be read, and then stores nothing. `beforeCommit` runs in the
     * transaction that stores the meeting.
     */
    async add(
      viewer: Viewer,
      request: ImportRequest,
      tokenId: string | null,
      beforeCommit: (tx: Tx, result: ImportResult) => Promise<void>,
    ): Promise<ImportResult> {
      refuseTooLarge(request.content)
      if (!parts.hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      await parts.membership.requireFreshHeartbeat()
      return limit(() => addOne(viewer, request, tokenId, beforeCommit))
    },
  }
}

function toResult(
  meeting: Meeting,
  { warnings }: ImportedMeeting,
  { format }: ImportedTranscript,
): ImportResult {
  return { meeting, format, warnings }
}

function refuseTooLarge(content: string): void {
  if (Buffer.byteLength(content) <= MAX_IMPORT_BYTES) return
  throw new ServiceError('body_too_large', { text: 'The transcript is larger than 20 MiB' })
}

async function readOrRefuse(read: () => Promise<ImportedTranscript>): Promise<ImportedTranscript> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableTranscript)) throw error
    throw new ServiceError('invalid_request', {
      text: 'The transcript cannot be read',
      details: error.problems.map((problem) => ({
        path: 'content',
        message: formatProblem(problem),
      })),
      cause: error,
    })
  }
}

/**
 * Stores the meeting in one transaction, with an empty document that reserves its name. So a crash leaves no transcript
 * without a meeting. If the document stays empty, `writeMissingImportedDocuments` writes it.
 */
async function store(
  parts: Parts,
  { meeting, segmentSource, content }: ImportedMeeting,
  { viewer, tokenId, zone }: { viewer: Viewer; tokenId: string | null; zone: string },
  beforeCommit: (tx: Tx, meeting: Meeting) => Promise<void>,
): Promise<Meeting> {
  const vectors = await createSearchVectors([{ text: content.title }, ...content.segments])
  let document: CreatedDocument | null = null
  let stored: Meeting | null = null
  try {
    return await parts.db.transaction().execute(async (tx) => {
      await lockProjectAccess(tx, meeting.project, 'use', parts.clock.now())
      // Checked again, because the viewer may have lost access while the file was read.
      await parts.registerProject(tx, viewer, meeting.project)
      await insertImportedMeeting(tx, { meeting, segmentSource, tokenId, content, vectors })
      await appendImportEvent(tx, meeting, parts.clock.now())
      document = await reserveDocument(parts.files.inTransaction(tx), zone, meeting, content.title)
      const { documentPath } = document
      await updateMeeting(tx, meeting.id, { document_path: documentPath, document_size: 0 })
      const result = { ...meeting, documentPath }
      await beforeCommit(tx, result)
      stored = result
      return result
    })
  } catch (error) {
    // If the connection broke during the commit, the meeting may still appear, so the reserved name stays.
    if (stored !== null) {
      if ((await findOutcome(parts, meeting.id)) === 'stored') return stored
    } else if (document !== null && parts.files.place === 'folder') {
      // In the database it was part of the transaction, and another document may have its name by now.
      await removeUnusedDocument(parts, document)
    }
    throw error
  }
}

/** Only logs a failure, because the meeting is stored and its document is written later. */
async function writeDocument(parts: Parts, meetingId: string): Promise<void> {
  try {
    await writeImportedDocument(parts, meetingId)
  } catch (error) {
    parts.log.error({ err: error, meetingId }, 'failed to write the document of an import')
  }
}

async function appendImportEvent(tx: Tx, meeting: Meeting, now: Date): Promise<void> {
  const { detail } = meeting
  const payload = {
    status: 'ended' as const,
    previousStatus: null,
    ...(detail !== null && { detail }),
  }
  const at = meeting.importedAt ?? now
  await appendEvents(tx, meeting.id, at, [{ type: 'meeting_status', payload }])
}

export function reserveDocument(
  files: DocumentFiles,
  timeZone: string,
  meeting: Meeting,
  title: string,
): Promise<CreatedDocument> {
  const label = formatDateLabel(meeting.startedAt, timeZone)
  return files.create({
    project: meeting.project,
    fileNameFor: (attempt) => formatDocumentFileName(label, title, attempt),
    header: '',
    heading: '',
  })
}

/**
 * Writes the document of an imported meeting, unless it is already written. The meeting's row stays locked, so that the
 * meeting is neither moved nor removed. Returns the document's path, or null if there was nothing to write.
 */
export function writeImportedDocument(
  { db, files }: DocumentParts,
  meetingId: string,
): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('meeting')
      .select('document_path as path')
      .where('id', '=', meetingId)
      .where('ended_at', 'is not', null)
      .where('document_size', '=', 0)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined || row.path === null) return null
    const size = await rewriteTranscriptDocument(tx, files, meetingId, null)
    await updateMeeting(tx, meetingId, { document_size: size })
    return row.path
  })
}

/** Writes the documents of imports that were stored and then interrupted by a crash or a full disk. */
export async function writeMissingImportedDocuments(parts: RepairParts): Promise<void> {
  const rows = await parts.db
    .selectFrom('meeting')
    .select('id')
    .where('ended_at', 'is not', null)
    .where('document_path', 'is not', null)
    .where('document_size', '=', 0)
    .execute()
  await repairDocuments(parts, {
    meetingIds: rows.map(({ id }) => id),
    write: (meetingId) => writeImportedDocument(parts, meetingId),
    failure: 'failed to write the document of an import',
  })
}

import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { ServiceError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../lib/async/queues/concurrency-limit.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import {
  createDocument,
  removeDocument,
  type CreatedDocument,
} from '../../projects/files/document-file.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import { createSearchVectors } from '../../projects/search/words/search-vector.ts'
import type { Meeting } from '../meeting.ts'
import { appendEvents, limitFileWork } from '../record/meeting-store.ts'
import { formatTranscriptDocument } from '../record/transcript-document.ts'
import type { TranscriptContent } from '../transcript/source.ts'
import { MAX_IMPORT_BYTES, type ImportFormat } from './format-names.ts'
import { formatProblem, UnreadableTranscript } from './formats/found-transcript.ts'
import { insertImportedMeeting } from './imported-meeting-rows.ts'
import { buildImportedMeeting, type ImportedMeeting } from './imported-meeting.ts'
import { createTranscriptFileReader } from './read-thread.ts'
import type { ImportedTranscript, ImportWarning } from './read-transcript-file.ts'

export type ImportRequest = {
  content: string
  fileName: string | null
  /** Null to recognise the format by the content. */
  format: ImportFormat | null
  /** Null for the title in the file, or the file name. */
  title: string | null
  project: string
  /** Null for the start in the file, or in the file name. */
  startedAt: Date | null
  /** Null for the time zone of the service. */
  timeZone: string | null
}

export type ImportResult = { meeting: Meeting; format: ImportFormat; warnings: ImportWarning[] }

/** Stores transcripts of other products as meetings that are over. */
export interface TranscriptImports {
  /**
   * Throws `invalid_request` with the lines that cannot be read; nothing is stored then. `beforeCommit` runs in the
   * transaction that stores the meeting.
   */
  add(
    viewer: Viewer,
    request: ImportRequest,
    tokenId: string | null,
    beforeCommit: (tx: Tx, result: ImportResult) => Promise<void>,
  ): Promise<ImportResult>
}

type Parts = {
  db: Db
  clock: Clock
  log: Log
  /** Path of the data folder. */
  root: string
  timeZone: string
  hasDiskSpace(): boolean
  membership: Pick<NodeMembership, 'requireFreshHeartbeat'>
  documentChanged(documentPath: string): Promise<void>
  registerProject(db: Db, viewer: Viewer, project: string): Promise<void>
  learnWords(texts: readonly string[]): void
  /** Called after a meeting was stored. */
  onImported(meetingId: string): void
}

/** Each import holds a transcript in memory, and a database connection while it is stored. */
const MAX_CONCURRENT_IMPORTS = 2

export function createTranscriptImports(parts: Parts): TranscriptImports {
  const { db, clock, timeZone } = parts
  const readFile = createTranscriptFileReader()
  const limit = createConcurrencyLimit(MAX_CONCURRENT_IMPORTS)

  const addOne: TranscriptImports['add'] = async (viewer, request, tokenId, beforeCommit) => {
    const zone = request.timeZone ?? timeZone
    const transcript = await readOrRefuse(() => readFile({ ...request, timeZone: zone }))
    const imported = buildImportedMeeting(request, transcript, clock.now())
    // Before the folder exists: the index could otherwise make a team project of it first, and so could a crash.
    await parts.registerProject(db, viewer, request.project)
    const meeting = await store(
      parts,
      imported,
      { viewer, tokenId, zone: timeZone },
      (tx, stored) => beforeCommit(tx, toResult(stored, imported, transcript)),
    )
    parts.learnWords(transcript.segments.map(({ text }) => text))
    parts.onImported(meeting.id)
    if (meeting.documentPath !== null) await parts.documentChanged(meeting.documentPath)
    return toResult(meeting, imported, transcript)
  }

  return {
    async add(viewer, request, tokenId, beforeCommit) {
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

export function refuseTooLarge(content: string): void {
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
 * Stores everything in one transaction. The document is created last, so that only a crash between it and the commit can
 * leave a file without a meeting.
 */
async function store(
  parts: Parts,
  { meeting, content }: ImportedMeeting,
  { viewer, tokenId, zone }: { viewer: Viewer; tokenId: string | null; zone: string },
  beforeCommit: (tx: Tx, meeting: Meeting) => Promise<void>,
): Promise<Meeting> {
  const vectors = await createSearchVectors([{ text: content.title }, ...content.segments])
  let document: CreatedDocument | null = null
  try {
    return await parts.db.transaction().execute(async (tx) => {
      await limitFileWork(tx)
      // Again: the viewer may have lost access while the file was read.
      await parts.registerProject(tx, viewer, meeting.project)
      await insertImportedMeeting(tx, { meeting, tokenId, content, vectors })
      const { detail } = meeting
      const payload = {
        status: 'ended' as const,
        previousStatus: null,
        ...(detail !== null && { detail }),
      }
      const at = meeting.importedAt ?? parts.clock.now()
      await appendEvents(tx, meeting.id, at, [{ type: 'meeting_status', payload }])
      document = await createTranscriptFile(parts.root, zone, meeting, content)
      const { documentPath, size } = document
      await tx
        .updateTable('meeting')
        .set({ document_path: documentPath, document_size: size })
        .where('id', '=', meeting.id)
        .execute()
      const stored = { ...meeting, documentPath }
      await beforeCommit(tx, stored)
      return stored
    })
  } catch (error) {
    if (document !== null) await removeUnusedDocument(document, parts.log)
    throw error
  }
}

function createTranscriptFile(
  root: string,
  timeZone: string,
  meeting: Meeting,
  content: TranscriptContent,
): Promise<CreatedDocument> {
  const label = formatDateLabel(meeting.startedAt, timeZone)
  return createDocument({
    root,
    project: meeting.project,
    fileNameFor: (attempt) => formatDocumentFileName(label, content.title, attempt),
    header: [...formatTranscriptDocument(meeting, content, [])].join(''),
    heading: '',
  })
}

/** A failure is only logged, because the caller reports why the meeting was not stored. */
async function removeUnusedDocument({ path }: CreatedDocument, log: Log): Promise<void> {
  try {
    await removeDocument(path)
  } catch (error) {
    log.error(
      { err: error, path },
      'failed to remove the document of a meeting that was not imported',
    )
  }
}

import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { ProjectAccessStore } from '../access/project-access.ts'
import { endSharesAudited, type Actor } from '../access/sharing/end-shares.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { explainBadName } from '../lib/text/bad-names.ts'
import type { Clock } from '../lib/time/clock.ts'
import {
  isInMeetingsFolder,
  parseDocumentRef,
  findFileNameProblemForWrite,
  type DocumentRef,
} from './document-ref.ts'
import {
  requirePreconditionsMet,
  computeFileEtag,
  computeEtag,
  type Preconditions,
  createWriteLock,
  toLockName,
} from './files/concurrent-writes.ts'
import { isProjectId } from './files/file-names.ts'
import type { DocumentFiles, OpenedFile } from './files/store/document-files.ts'
import type { DocumentIndex } from './index/document-index.ts'
import { createIndexEntryFromFile } from './index/index-entry.ts'
import { requireProjectExists, toListedDocument, type ListedDocument } from './listing.ts'
import { deleteDocumentSave, recordDocumentSave } from './saved-documents.ts'

export type OpenedDocument = {
  content: Buffer | Readable
  size: number
  modifiedAt: Date
  /** The entity tag. Null for a file over 4 MiB, which is streamed without computing a hash. */
  etag: string | null
  isText: boolean
}

type Parts = {
  db: Db
  clock: Clock
  files: DocumentFiles
  index: DocumentIndex
  hasDiskSpace(): boolean
  registerProject: ProjectAccessStore['registerProject']
  /** Called when a saved document was recorded for tasks. */
  onSaved(): void
}

/** The maximum size of a file with an entity tag. Larger files are streamed without one. */
const MAX_ETAG_BYTES = 4 * 1024 * 1024

/** Reads, writes and removes documents for the HTTP API. */
export function createDocumentStore(parts: Parts) {
  const { db, clock, files, index, hasDiskSpace, onSaved } = parts
  const withLock = createWriteLock(db)

  return {
    async read(project: string, path: string): Promise<OpenedDocument> {
      const ref = parseDocumentRef(project, path)
      const file = ref && (await files.open(ref))
      if (file === null) throw await notFoundError(db, project)
      return readOrStream(file)
    },

    /** Creates or replaces a document. `isNew`: it did not exist before. */
    async write(
      viewer: Viewer,
      { project, path }: { project: string; path: string },
      text: string,
      conditions: Preconditions,
    ) {
      const ref = requireWritable(project, path)
      if (!hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      requirePreconditionsMet(await computeFileEtag(files, ref), conditions)
      // Committed before the folder exists. Otherwise the index could turn it into a team project first.
      await parts.registerProject(db, viewer, project)
      const etag = computeEtag(Buffer.from(text))
      const isNew = await withLock(toLockName(ref), async (tx) => {
        const filesInTx = files.inTransaction(tx)
        const etagBefore = await computeFileEtag(filesInTx, ref)
        requirePreconditionsMet(etagBefore, conditions)
        // Checked again, because the viewer may have lost access in the meantime.
        await parts.registerProject(tx, viewer, project)
        await filesInTx.save(ref, text)
        await recordDocumentSave(tx, ref, { etag, hasChangedFile: etag !== etagBefore })
        return etagBefore === null
      })
      onSaved()
      await index.documentChanged(ref)
      return { document: await describeDocument(files, ref), etag, isNew }
    },

    async remove(project: string, path: string, conditions: Preconditions, actor: Actor) {
      const ref = requireWritable(project, path)
      // Committed before the file is removed. A sharing link must not open a later document with the same name.
      await withLock(toLockName(ref), async (tx) => {
        const etag = await computeFileEtag(files.inTransaction(tx), ref)
        if (etag === null) throw await notFoundError(tx, project)
        requirePreconditionsMet(etag, conditions)
        await endSharesAudited(tx, ref, 'document_removed', { actor, now: clock.now() })
      })
      await withLock(toLockName(ref), async (tx) => {
        const filesInTx = files.inTransaction(tx)
        const etag = await computeFileEtag(filesInTx, ref)
        // Null if another request has removed it in the meantime.
        if (etag !== null) requirePreconditionsMet(etag, conditions)
        await filesInTx.remove(ref)
        await filesInTx.removeEmptyFolders(ref)
        await deleteDocumentSave(tx, ref)
      })
      await index.documentChanged(ref)
    },
  }
}

export type DocumentStore = ReturnType<typeof createDocumentStore>

async function readOrStream(file: OpenedFile): Promise<OpenedDocument> {
  const { size, modifiedAt } = file
  if (size > MAX_ETAG_BYTES) {
    return { content: file.stream(), size, modifiedAt, etag: null, isText: false }
  }
  await using _ = file
  const content = await file.read()
  const isText = !content.includes(0) && isUtf8(content)
  return { content, size: content.length, modifiedAt, etag: computeEtag(content), isText }
}

function requireWritable(project: string, path: string): DocumentRef {
  if (!isProjectId(project)) {
    throw new ServiceError('invalid_request', {
      details: [{ path: 'projectId', message: explainBadName('project', project) }],
    })
  }
  const ref = parseDocumentRef(project, path)
  if (ref === null) {
    throw new ServiceError('invalid_request', {
      details: [{ path: 'path', message: explainBadName('document', path) }],
    })
  }
  if (isInMeetingsFolder(ref)) throw new ServiceError('document_protected')
  const problem = findFileNameProblemForWrite(ref)
  if (problem === null) return ref
  throw new ServiceError('invalid_request', { details: [{ path: 'path', message: problem }] })
}

/** Describes the document from its file instead of the index, so that it works while the database is unavailable. */
async function describeDocument(files: DocumentFiles, ref: DocumentRef): Promise<ListedDocument> {
  const entry = await createIndexEntryFromFile(files, ref, false)
  if (entry === null) throw new ServiceError('document_not_found')
  const { modifiedAt: modified_at, meetingId: meeting_id } = entry
  return toListedDocument({ ...entry, modified_at, meeting_id })
}

async function notFoundError(db: Db, project: string): Promise<ServiceError> {
  await requireProjectExists(db, project)
  return new ServiceError('document_not_found')
}

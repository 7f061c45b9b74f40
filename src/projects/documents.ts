import { isUtf8 } from 'node:buffer'
import { lstat, rmdir, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Pool } from 'pg'
import type { ProjectAccessStore } from '../access/project-access.ts'
import { endSharesAudited, type Actor } from '../access/sharing/end-shares.ts'
import type { Viewer } from '../access/viewer.ts'
import { ServiceError } from '../errors.ts'
import type { Db } from '../db/database.ts'
import { errorCode } from '../lib/error-code.ts'
import type { Clock } from '../lib/time/clock.ts'
import { writeDocumentAtomically } from './files/document-file.ts'
import { createIndexEntryFromFile } from './index/index-entry.ts'
import type { DocumentIndex } from './index/document-index.ts'
import { requireProjectExists, toListedDocument, type ListedDocument } from './listing.ts'
import { explainBadName } from '../lib/text/bad-names.ts'
import { isProjectId } from './files/file-names.ts'
import {
  buildAbsoluteDocumentPath,
  PROJECTS_ROOT,
  isInMeetingsFolder,
  createParentFolders,
  openDocumentAt,
  parseDocumentRef,
  findFileNameProblemForWrite,
  removeDocumentAt,
  type DocumentRef,
} from './document-ref.ts'
import {
  requirePreconditionsMet,
  computeFileEtag,
  computeEtag,
  type Preconditions,
} from './files/etags.ts'
import { createWriteLock } from './files/write-lock.ts'
import { deleteDocumentSave, recordDocumentSave } from './saved-documents.ts'

export type OpenedDocument = {
  content: Buffer | Readable
  size: number
  modifiedAt: Date
  /** The entity tag. Null for a file over 4 MiB, which is streamed without computing a hash. */
  etag: string | null
  isText: boolean
}

/** Reads, writes and removes documents for the HTTP API. */
export interface DocumentStore {
  read(project: string, path: string): Promise<OpenedDocument>
  /** Creates or replaces a document. `isNew` is true when it did not exist before. */
  write(
    viewer: Viewer,
    ref: { project: string; path: string },
    text: string,
    conditions: Preconditions,
  ): Promise<{ document: ListedDocument; etag: string; isNew: boolean }>
  remove(project: string, path: string, conditions: Preconditions, actor: Actor): Promise<void>
}

type Parts = {
  db: Db
  clock: Clock
  pool: Pool
  /** The data folder. */
  root: string
  index: DocumentIndex
  hasDiskSpace(): boolean
  registerProject: ProjectAccessStore['registerProject']
  /** Called when a saved document was recorded for tasks. */
  onSaved(): void
}

/** Maximum size of a file that gets an entity tag; larger files are streamed without one. */
const MAX_ETAG_BYTES = 4 * 1024 * 1024
const MAX_WRITE_ATTEMPTS = 3
/** Error codes when a folder has the document's name, or a file has the name of one of its folders. */
const PATH_CONFLICT_CODES = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])

export function createDocumentStore(parts: Parts): DocumentStore {
  const { db, clock, pool, root, index, hasDiskSpace, onSaved } = parts
  const withLock = createWriteLock(pool)

  return {
    async read(project, path) {
      const ref = parseDocumentRef(project, path)
      const handle = ref && (await openDocumentAt(root, ref))
      if (handle === null) throw await notFoundError(db, project)
      return readOrStream(handle)
    },

    async write(viewer, { project, path }, text, conditions) {
      const ref = requireWritable(project, path)
      if (!hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      return withLock(`${project}/${path}`, async () => {
        const etagBefore = await computeFileEtag(root, ref)
        requirePreconditionsMet(etagBefore, conditions)
        // Before the folder exists: the index could otherwise make a team project of it first.
        await parts.registerProject(db, viewer, project)
        await writeWithRetry(root, ref, text)
        await index.documentChanged(ref)
        const etag = computeEtag(Buffer.from(text))
        await recordDocumentSave(db, ref, { etag, hasChangedFile: etag !== etagBefore })
        onSaved()
        return {
          document: await describeDocument(root, ref),
          etag,
          isNew: etagBefore === null,
        }
      })
    },

    async remove(project, path, conditions, actor) {
      const ref = requireWritable(project, path)
      await withLock(`${project}/${path}`, async () => {
        const etagBefore = await computeFileEtag(root, ref)
        if (etagBefore === null) throw await notFoundError(db, project)
        requirePreconditionsMet(etagBefore, conditions)
        // First: a link must not open a document that is created later under the same name.
        const audited = { actor, now: clock.now() }
        await db
          .transaction()
          .execute((tx) => endSharesAudited(tx, ref, 'document_removed', audited))
        await removeDocumentAt(root, ref)
        await removeEmptyFolders(root, ref)
        await index.documentChanged(ref)
        await deleteDocumentSave(db, ref)
      })
    },
  }
}

async function readOrStream(handle: FileHandle): Promise<OpenedDocument> {
  const { size, mtime: modifiedAt } = await handle.stat()
  if (size > MAX_ETAG_BYTES) {
    const content = handle.createReadStream({ end: size - 1 })
    return { content, size, modifiedAt, etag: null, isText: false }
  }
  try {
    const content = await handle.readFile()
    const isText = !content.includes(0) && isUtf8(content)
    return { content, size: content.length, modifiedAt, etag: computeEtag(content), isText }
  } finally {
    await handle.close()
  }
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

/** Retries when a concurrent removal deletes an empty parent folder between its creation and the write. */
async function writeWithRetry(root: string, ref: DocumentRef, text: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (!(await createParentFolders(root, ref)) || (await isPathBlocked(root, ref))) {
        throw new ServiceError('path_taken')
      }
      await writeDocumentAtomically(buildAbsoluteDocumentPath(root, ref), [text])
      return
    } catch (error) {
      if (PATH_CONFLICT_CODES.has(errorCode(error)))
        throw new ServiceError('path_taken', { cause: error })
      if (errorCode(error) !== 'ENOENT' || attempt >= MAX_WRITE_ATTEMPTS) throw error
    }
  }
}

/** Whether a link, folder or device has the document's name. A write must not replace it. */
async function isPathBlocked(root: string, ref: DocumentRef): Promise<boolean> {
  try {
    return !(await lstat(buildAbsoluteDocumentPath(root, ref))).isFile()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Removes the parent folders that are empty after the document was removed. */
async function removeEmptyFolders(root: string, ref: DocumentRef): Promise<void> {
  const docs = join(root, PROJECTS_ROOT)
  let folder = dirname(buildAbsoluteDocumentPath(root, ref))
  while (folder !== docs) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'].includes(errorCode(error))) return
      throw error
    }
    folder = dirname(folder)
  }
}

/** Describes the document from its file instead of the index, so that it works while the database is unavailable. */
async function describeDocument(root: string, ref: DocumentRef): Promise<ListedDocument> {
  const entry = await createIndexEntryFromFile(root, ref, false)
  if (entry === null) throw new ServiceError('document_not_found')
  const { modifiedAt: modified_at, meetingId: meeting_id } = entry
  return toListedDocument({ ...entry, modified_at, meeting_id })
}

async function notFoundError(db: Db, project: string): Promise<ServiceError> {
  await requireProjectExists(db, project)
  return new ServiceError('document_not_found')
}

import { isUtf8 } from 'node:buffer'
import { lstat, rmdir, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { ServiceError } from '../errors.ts'
import type { Db } from '../db/database.ts'
import { errorCode } from '../lib/error-code.ts'
import { rewriteDocument } from './files/document-file.ts'
import { readIndexEntry } from './index/index-entry.ts'
import type { DocumentIndex } from './index/document-index.ts'
import { requireProject, toListedDocument, type ListedDocument } from './listing.ts'
import { isProjectId, PROJECT_ID_RULE } from './files/file-names.ts'
import {
  absolutePath,
  PROJECTS_ROOT,
  isInMeetingsFolder,
  createParentFolders,
  openDocumentAt,
  parseDocumentRef,
  findWriteProblem,
  removeDocumentAt,
  type DocumentRef,
} from './document-ref.ts'
import {
  requirePreconditions,
  computeFileEtag,
  computeEtag,
  type Preconditions,
} from './files/etags.ts'
import { createWriteLock } from './files/write-lock.ts'

export type OpenedDocument = {
  content: Buffer | Readable
  size: number
  modifiedAt: Date
  /** Null for what is too large to be compared. */
  etag: string | null
  isText: boolean
}

/** Documents as programs read, file and remove them. */
export interface Documents {
  read(project: string, path: string): Promise<OpenedDocument>
  /** `isNew`: there was none before. */
  write(
    place: { project: string; path: string },
    text: string,
    conditions: Preconditions,
  ): Promise<{ document: ListedDocument; etag: string; isNew: boolean }>
  remove(project: string, path: string, conditions: Preconditions): Promise<void>
}

type Parts = {
  db: Db
  pool: Pool
  /** The data folder. */
  root: string
  index: DocumentIndex
  hasRoom(): boolean
}

/** What is larger is streamed, and carries no tag. */
const MAX_ETAG_BYTES = 4 * 1024 * 1024
const MAX_TRIES = 3
/** What stands in the way of a file: a folder of its name, a file where a folder should be. */
const PATH_CONFLICT_CODES = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])

export function createDocuments({ db, pool, root, index, hasRoom }: Parts): Documents {
  const lock = createWriteLock(pool)

  return {
    async read(project, path) {
      const place = parseDocumentRef(project, path)
      const handle = place && (await openDocumentAt(root, place))
      if (handle === null) throw await notFoundError(db, project)
      return readOrStream(handle)
    },

    async write({ project, path }, text, conditions) {
      const place = requireWritable(project, path)
      if (!hasRoom()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      return lock(`${project}/${path}`, async () => {
        const before = await computeFileEtag(root, place)
        requirePreconditions(before, conditions)
        await writeWithRetry(root, place, text)
        await index.documentChanged(place)
        return {
          document: await describeDocument(root, place),
          etag: computeEtag(Buffer.from(text)),
          isNew: before === null,
        }
      })
    },

    async remove(project, path, conditions) {
      const place = requireWritable(project, path)
      await lock(`${project}/${path}`, async () => {
        const before = await computeFileEtag(root, place)
        if (before === null) throw await notFoundError(db, project)
        requirePreconditions(before, conditions)
        await removeDocumentAt(root, place)
        await removeEmptyFolders(root, place)
        await index.documentChanged(place)
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
      details: [{ path: 'projectId', message: PROJECT_ID_RULE }],
    })
  }
  const place = parseDocumentRef(project, path)
  if (place === null) {
    throw new ServiceError('invalid_request', {
      details: [{ path: 'path', message: 'Must name a file inside the project' }],
    })
  }
  if (isInMeetingsFolder(place)) throw new ServiceError('document_protected')
  const refusal = findWriteProblem(place)
  if (refusal === null) return place
  throw new ServiceError('invalid_request', { details: [{ path: 'path', message: refusal }] })
}

/** Written anew when somebody took away an empty folder on the way in the same moment. */
async function writeWithRetry(root: string, place: DocumentRef, text: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await createParentFolders(root, place)) || (await isPathBlocked(root, place))) {
        throw new ServiceError('path_taken')
      }
      await rewriteDocument(absolutePath(root, place), [text])
      return
    } catch (error) {
      if (PATH_CONFLICT_CODES.has(errorCode(error)))
        throw new ServiceError('path_taken', { cause: error })
      if (errorCode(error) !== 'ENOENT' || tries >= MAX_TRIES) throw error
    }
  }
}

/** A link, a folder or a device is never put away for a document. */
async function isPathBlocked(root: string, place: DocumentRef): Promise<boolean> {
  try {
    return !(await lstat(absolutePath(root, place))).isFile()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Folders that hold nothing any more go as they came: with the last file. */
async function removeEmptyFolders(root: string, place: DocumentRef): Promise<void> {
  const docs = join(root, PROJECTS_ROOT)
  let folder = dirname(absolutePath(root, place))
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

/** What the index says of it, also when the database is away in this moment. */
async function describeDocument(root: string, place: DocumentRef): Promise<ListedDocument> {
  const entry = await readIndexEntry(root, place, false)
  if (entry === null) throw new ServiceError('document_not_found')
  const { modifiedAt: modified_at, meetingId: meeting_id } = entry
  return toListedDocument({ ...entry, modified_at, meeting_id })
}

async function notFoundError(db: Db, project: string): Promise<ServiceError> {
  await requireProject(db, project)
  return new ServiceError('document_not_found')
}

import { isUtf8 } from 'node:buffer'
import { lstat, rmdir, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { ServiceError } from '../errors.ts'
import type { Db } from '../db/open.ts'
import { errorCode } from '../lib/error-code.ts'
import { rewriteDocument } from './document-file.ts'
import { examine } from './index/examine.ts'
import type { DocumentIndex } from './index/index.ts'
import { requireProject, toListed, type ListedDocument } from './listing.ts'
import { isProjectId, PROJECT_RULE } from './names.ts'
import {
  absolutePath,
  DOCS,
  isOfMeetings,
  makeWay,
  openPlace,
  readPlace,
  refuseToWrite,
  removePlace,
  type Place,
} from './place.ts'
import { check, tagAt, tagOf, type Conditions } from './versions.ts'
import { createWriteLock } from './write-lock.ts'

export type OpenDocument = {
  content: Buffer | Readable
  size: number
  modifiedAt: Date
  /** Null for what is too large to be compared. */
  etag: string | null
  isText: boolean
}

/** Documents as programs read, file and remove them. */
export interface Documents {
  read(project: string, path: string): Promise<OpenDocument>
  /** `isNew`: there was none before. */
  write(
    place: { project: string; path: string },
    text: string,
    conditions: Conditions,
  ): Promise<{ document: ListedDocument; etag: string; isNew: boolean }>
  remove(project: string, path: string, conditions: Conditions): Promise<void>
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
const MAX_TAGGED = 4 * 1024 * 1024
const MAX_TRIES = 3
/** What stands in the way of a file: a folder of its name, a file where a folder should be. */
const IN_THE_WAY = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])

export function createDocuments({ db, pool, root, index, hasRoom }: Parts): Documents {
  const lock = createWriteLock(pool)

  return {
    async read(project, path) {
      const place = readPlace(project, path)
      const handle = place && (await openPlace(root, place))
      if (handle === null) throw await nothingThere(db, project)
      return open(handle)
    },

    async write({ project, path }, text, conditions) {
      const place = writable(project, path)
      if (!hasRoom()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      return lock(`${project}/${path}`, async () => {
        const before = await tagAt(root, place)
        check(before, conditions)
        await put(root, place, text)
        await index.saved(place)
        return {
          document: await describe(root, place),
          etag: tagOf(Buffer.from(text)),
          isNew: before === null,
        }
      })
    },

    async remove(project, path, conditions) {
      const place = writable(project, path)
      await lock(`${project}/${path}`, async () => {
        const before = await tagAt(root, place)
        if (before === null) throw await nothingThere(db, project)
        check(before, conditions)
        await removePlace(root, place)
        await removeEmptyFolders(root, place)
        await index.saved(place)
      })
    },
  }
}

async function open(handle: FileHandle): Promise<OpenDocument> {
  const { size, mtime: modifiedAt } = await handle.stat()
  if (size > MAX_TAGGED) {
    const content = handle.createReadStream({ end: size - 1 })
    return { content, size, modifiedAt, etag: null, isText: false }
  }
  try {
    const content = await handle.readFile()
    const isText = !content.includes(0) && isUtf8(content)
    return { content, size: content.length, modifiedAt, etag: tagOf(content), isText }
  } finally {
    await handle.close()
  }
}

function writable(project: string, path: string): Place {
  if (!isProjectId(project)) {
    throw new ServiceError('invalid_request', {
      details: [{ path: 'projectId', message: PROJECT_RULE }],
    })
  }
  const place = readPlace(project, path)
  if (place === null) {
    throw new ServiceError('invalid_request', {
      details: [{ path: 'path', message: 'Must name a file inside the project' }],
    })
  }
  if (isOfMeetings(place)) throw new ServiceError('document_protected')
  const refusal = refuseToWrite(place)
  if (refusal === null) return place
  throw new ServiceError('invalid_request', { details: [{ path: 'path', message: refusal }] })
}

/** Written anew when somebody took away an empty folder on the way in the same moment. */
async function put(root: string, place: Place, text: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await makeWay(root, place)) || (await isInTheWay(root, place))) {
        throw new ServiceError('path_taken')
      }
      await rewriteDocument(absolutePath(root, place), [text])
      return
    } catch (error) {
      if (IN_THE_WAY.has(errorCode(error))) throw new ServiceError('path_taken', { cause: error })
      if (errorCode(error) !== 'ENOENT' || tries >= MAX_TRIES) throw error
    }
  }
}

/** A link, a folder or a device is never put away for a document. */
async function isInTheWay(root: string, place: Place): Promise<boolean> {
  try {
    return !(await lstat(absolutePath(root, place))).isFile()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Folders that hold nothing any more go as they came: with the last file. */
async function removeEmptyFolders(root: string, place: Place): Promise<void> {
  const docs = join(root, DOCS)
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
async function describe(root: string, place: Place): Promise<ListedDocument> {
  const entry = await examine(root, place, false)
  if (entry === null) throw new ServiceError('document_not_found')
  const { modifiedAt: modified_at, meetingId: meeting_id } = entry
  return toListed({ ...entry, modified_at, meeting_id })
}

async function nothingThere(db: Db, project: string): Promise<ServiceError> {
  await requireProject(db, project)
  return new ServiceError('document_not_found')
}

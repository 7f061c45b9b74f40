import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode } from '../../lib/error-code.ts'
import { FOLDER_ID_FILE } from '../../projects/document-place.ts'
import type { DocumentPlace } from '../../projects/files/store/document-files.ts'
import { listStoredFiles, openStoredFile } from '../../projects/files/store/stored-files.ts'

/** The subfolders of the data folder with users' files. The database, keys and logs are in other folders. */
export const USER_FILE_FOLDERS = ['deployed-md-files', 'scheduled-prompts'] as const

/** An entry. The path is relative to the data folder, always with `/`. Links and other non-files: `isFile: false`. */
export type DataFolderEntry = { path: string; isFile: boolean }

/** The files of users, wherever they are stored. Paths are relative to the data folder. */
export interface UserFiles {
  walk(): AsyncGenerator<DataFolderEntry, void, undefined>
  /** Null if the file no longer exists. */
  open(path: string): Promise<FileSnapshot | null>
}

/** How much of each file a reader of many files keeps in memory. */
const FIRST_BYTES = 256 * 1024

/** Yields every file and link in the subfolders with users' files. Links are listed but never followed. */
export async function* walkDataFiles(
  root: string,
): AsyncGenerator<DataFolderEntry, void, undefined> {
  for (const folder of USER_FILE_FOLDERS) yield* walkFolder(root, folder)
}

export async function hasFilesInFolder(dataFolder: string, subfolder: string): Promise<boolean> {
  const entries = walkFolder(dataFolder, subfolder)
  const { done } = await entries.next()
  // Closes the folders.
  await entries.return()
  return done !== true
}

/** Name of a temporary file that Hansard is still writing. It is renamed when it is complete. */
const TEMPORARY_FILE = /^\.[\da-f-]{36}\.tmp$/

/** Yields every file and link in a subfolder, except incomplete files. */
export async function* walkFolder(
  root: string,
  folder: string,
): AsyncGenerator<DataFolderEntry, void, undefined> {
  try {
    for await (const entry of await opendir(join(root, folder))) {
      const path = `${folder}/${entry.name}`
      // A name that is not valid UTF-8 can't be stored in the archive.
      const isText = !entry.name.includes('\uFFFD')
      if (entry.isDirectory() && isText) yield* walkFolder(root, path)
      else if (!TEMPORARY_FILE.test(entry.name) && entry.name !== FOLDER_ID_FILE)
        yield { path, isFile: entry.isFile() && isText }
    }
  } catch (error) {
    // The folder does not exist, or was deleted during the walk.
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const CHUNK_BYTES = 256 * 1024

export type FileSnapshot = AsyncDisposable & {
  size: number
  mtime: Date
  chunks(): AsyncGenerator<Buffer>
}

/** Opens a file at its current size, so data appended later is ignored. Null if it no longer exists or is a link. */
export async function openFileSnapshot(path: string): Promise<FileSnapshot | null> {
  try {
    await using stack = new AsyncDisposableStack()
    const handle = await open(path, constants.O_RDONLY | NO_FOLLOW)
    stack.defer(() => handle.close())
    const { size, mtime } = await handle.stat()
    const opened = stack.move()
    return {
      size,
      mtime,
      async *chunks() {
        for (let position = 0; position < size;) {
          const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - position))
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
          // The file was truncated meanwhile. Line ends fill it up, because the entry's size is already written.
          const chunk = bytesRead === 0 ? buffer.fill('\n') : buffer.subarray(0, bytesRead)
          position += chunk.length
          yield chunk
        }
      },
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EMLINK'].includes(errorCode(error))) return null
    throw error
  }
}

/** True if a restore may write a file to this path, which must be inside a subfolder with users' files. */
export function isRestorablePath(path: string): boolean {
  const parts = path.split('/')
  const isInFileFolder = USER_FILE_FOLDERS.some((folder) => folder === parts[0]) && parts.length > 1
  return (
    isInFileFolder && parts.every((part) => !/^\.{0,2}$/.test(part) && !/[\0\\\uFFFD]/.test(part))
  )
}

/** Groups items into arrays of `size`, so that one database query can handle many. */
export async function* groupIntoBatches<T>(
  source: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[], void, undefined> {
  let batch: T[] = []
  for await (const item of source) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export function createUserFiles(place: DocumentPlace, db: Db, root: string): UserFiles {
  return place === 'folder' ? createFolderFiles(root) : createDatabaseFiles(db)
}

export function createFolderFiles(root: string): UserFiles {
  return { walk: () => walkDataFiles(root), open: (path) => openFileSnapshot(join(root, path)) }
}

export function createDatabaseFiles(db: Db): UserFiles {
  return {
    async *walk() {
      for (const folder of USER_FILE_FOLDERS) {
        for await (const { path } of listStoredFiles(db, folder)) yield { path, isFile: true }
      }
    },
    async open(path) {
      const file = await openStoredFile(db, path, FIRST_BYTES)
      if (file === null) return null
      return {
        size: file.size,
        mtime: file.modifiedAt,
        async *chunks() {
          for await (const chunk of file.stream()) yield chunk as Buffer
        },
        [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
      }
    },
  }
}

/** The SHA-256 digest of a file. Null if there is none. */
export async function digestFile(opened: FileSnapshot | null): Promise<string | null> {
  await using file = opened
  if (file === null) return null
  const hash = createHash('sha256')
  for await (const chunk of file.chunks()) hash.update(chunk)
  return hash.digest('hex')
}

/** Yields the chunks of a file and adds each to the hash. */
export async function* hashWhileRead(file: FileSnapshot, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of file.chunks()) {
    hash.update(chunk)
    yield chunk
  }
}

/** Compares a copy with its source. */
export function requireSameDigest(path: string, source: string, copy: string | null): void {
  if (source === copy) return
  throw new OperatorError(
    `The copy of ${path} differs from the original, so nothing was switched`,
    'Run the move again. If this happens again, check the disk and the database',
  )
}

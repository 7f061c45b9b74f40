import { strict as assert } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import {
  createProjectFolder,
  MEETINGS_FOLDER,
  pathSegmentsOfFolderInProject,
  flushFolderToDisk,
} from '../document-ref.ts'
import { resolvePathInside } from './file-names.ts'
import type { CreatedDocument, NewDocument } from './store/document-files.ts'

/** The file is missing, too short, or not a regular file. The caller must write it again in full. */
export class DocumentDamaged extends Error {
  override readonly name = 'DocumentDamaged'
  readonly path: string

  constructor(path: string, problem: string, cause?: unknown) {
    super(`The document ${path} ${problem}`, { cause })
    this.path = path
  }
}

type CreatedDocumentFile = CreatedDocument & {
  /** The absolute path. */
  path: string
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW
const APPEND_FLAGS = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | NO_FOLLOW
const READ_WRITE_FLAGS = constants.O_RDWR | NO_FOLLOW
/** Error codes of `open` for a missing file or a symbolic link. */
const NOT_A_DOCUMENT_CODES = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR'])
const BATCH_CHARS = 64 * 1024

/** Creates a document under the first unused name. Never changes an existing file. */
export async function createDocument(
  document: NewDocument & {
    /** The data folder, which must exist. */
    root: string
  },
): Promise<CreatedDocumentFile> {
  const { root, project, within = MEETINGS_FOLDER } = document
  const folder = await createProjectFolder(root, project, within)
  const { handle, name } = await openUnusedName(folder, document.fileNameFor)
  const path = join(folder, name)
  try {
    const size = await writeAndClose(handle, [document.header, document.heading])
    await flushFolderToDisk(folder)
    return {
      path,
      documentPath: posix.join(...pathSegmentsOfFolderInProject(project, within), name),
      size,
    }
  } catch (error) {
    await removePartialFile(path)
    throw error
  }
}

/**
 * Appends at `expectedSize`, which the previous write returned, and returns the new size. First removes any bytes
 * beyond it, left by a crash or a full disk. Appends to one document must not run concurrently.
 */
export async function truncateAndAppendToDocument(
  path: string,
  text: string,
  expectedSize: number,
): Promise<number> {
  assert.ok(Number.isSafeInteger(expectedSize) && expectedSize >= 0)
  const handle = await openExisting(path)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new DocumentDamaged(path, 'is not a regular file')
    if (found.size < expectedSize) {
      throw new DocumentDamaged(path, `has ${found.size} of ${expectedSize} bytes`)
    }
    if (found.size > expectedSize) await handle.truncate(expectedSize)
    // No fsync: after a power loss the file is shorter than expected, and the caller writes it again.
    return await writeAt(handle, text, expectedSize)
  } finally {
    await handle.close()
  }
}

/**
 * Replaces or creates a document atomically and returns its size. Readers see either the old or the new text. A failure
 * leaves the old document unchanged.
 */
export async function writeDocumentAtomically(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  const { tempPath, size } = await writeTempFileFor(path, chunks)
  await replaceByTempFile(path, tempPath)
  return size
}

/**
 * Like `writeDocumentAtomically`, but asks `mayReplace` when everything is written, just before replacing the old
 * document. If it may not be replaced, returns null and leaves the old document.
 */
export async function replaceDocumentIf(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
  mayReplace: () => Promise<boolean>,
): Promise<number | null> {
  const { tempPath, size } = await writeTempFileFor(path, chunks)
  try {
    if (!(await mayReplace())) {
      await removePartialFile(tempPath)
      return null
    }
  } catch (error) {
    await removePartialFile(tempPath)
    throw error
  }
  await replaceByTempFile(path, tempPath)
  return size
}

async function writeTempFileFor(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<{ tempPath: string; size: number }> {
  const tempPath = join(dirname(path), `.${randomUUID()}.tmp`)
  const handle = await openAndInheritOwner(tempPath, CREATE_FLAGS)
  try {
    return { tempPath, size: await writeAndClose(handle, chunks) }
  } catch (error) {
    await removePartialFile(tempPath)
    throw error
  }
}

async function replaceByTempFile(path: string, tempPath: string): Promise<void> {
  try {
    await rename(tempPath, path)
    await flushFolderToDisk(dirname(path))
  } catch (error) {
    await removePartialFile(tempPath)
    throw error
  }
}

/** Appends the text to a document in an existing folder. A new document gets the header first. */
export async function appendOrCreateDocument(
  path: string,
  header: string,
  text: string,
): Promise<void> {
  const handle = await openAndInheritOwner(path, APPEND_FLAGS)
  try {
    const { size } = await handle.stat()
    await handle.appendFile(size === 0 ? `${header}${text}` : text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openUnusedName(
  folder: string,
  fileNameFor: (attempt: number) => string,
): Promise<{ handle: FileHandle; name: string }> {
  let previousName = ''
  for (let attempt = 1; ; attempt += 1) {
    const name = fileNameFor(attempt)
    assert.ok(
      name !== previousName && name === basename(name) && resolvePathInside(folder, name) !== null,
    )
    try {
      return { handle: await openAndInheritOwner(join(folder, name), CREATE_FLAGS), name }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      previousName = name
    }
  }
}

async function openAndInheritOwner(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags, 0o644)
  inheritOwnerSync(path, handle)
  return handle
}

async function openExisting(path: string): Promise<FileHandle> {
  try {
    return await open(path, READ_WRITE_FLAGS)
  } catch (error) {
    if (!NOT_A_DOCUMENT_CODES.has(errorCode(error))) throw error
    throw new DocumentDamaged(path, 'does not exist', error)
  }
}

/** Writes all chunks to a new file, flushes it to disk, closes it and returns its size. */
async function writeAndClose(
  handle: FileHandle,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  try {
    let size = 0
    let batch = ''
    for await (const chunk of chunks) {
      batch += chunk
      if (batch.length < BATCH_CHARS) continue
      size = await writeAt(handle, batch, size)
      batch = ''
    }
    size = await writeAt(handle, batch, size)
    await handle.sync()
    return size
  } finally {
    await handle.close()
  }
}

/** Writes the text at a byte position and returns the position after it. */
async function writeAt(handle: FileHandle, text: string, position: number): Promise<number> {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.length - written,
      position + written,
    )
    written += bytesWritten
  }
  return position + bytes.length
}

/** Removes a partially written file. Never throws, so that the caller can report why the write failed. */
async function removePartialFile(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true })])
}

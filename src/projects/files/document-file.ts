import { strict as assert } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import {
  createProjectFolder,
  MEETINGS_FOLDER,
  projectPathSegments,
  syncFolder,
} from './project-folder.ts'
import { resolveInside } from './file-names.ts'

/** The document is not what was written: gone, shorter, or no plain file. The whole has to be written again. */
export class DocumentDamaged extends Error {
  override readonly name = 'DocumentDamaged'
  readonly path: string

  constructor(path: string, text: string, cause?: unknown) {
    super(`The document ${path} ${text}`, { cause })
    this.path = path
  }
}

export type NewDocument = {
  /** The data folder; it exists. */
  root: string
  project: string
  /** Folders inside the project; without it, those of meetings. */
  within?: readonly string[]
  /** Another name for each attempt, counted from 1. */
  fileNameFor: (attempt: number) => string
  header: string
  heading: string
}

export type CreatedDocument = {
  /** Absolute. */
  path: string
  /** From `deployed-md-files` on, with `/` on every system. */
  documentPath: string
  /** Bytes; what the first append expects. */
  size: number
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW
const APPEND_FLAGS = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | NO_FOLLOW
const READ_WRITE_FLAGS = constants.O_RDWR | NO_FOLLOW
/** How an open refuses what is not there, or is a link. */
const NOT_A_DOCUMENT_CODES = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR'])
const BATCH_CHARS = 64 * 1024

/** Creates a document under the first name that is free; never touches a file that is there already. */
export async function createDocument(wanted: NewDocument): Promise<CreatedDocument> {
  const { root, project, within = MEETINGS_FOLDER } = wanted
  const folder = await createProjectFolder(root, project, within)
  const { handle, name } = await openUnusedName(folder, wanted.fileNameFor)
  const path = join(folder, name)
  try {
    const size = await writeAndClose(handle, [wanted.header, wanted.heading])
    await syncFolder(folder)
    return { path, documentPath: posix.join(...projectPathSegments(project, within), name), size }
  } catch (error) {
    await removePartialFile(path)
    throw error
  }
}

/**
 * Appends at the size that the last write returned, and returns the next one. What a crash or a full disk
 * left behind that size is cut off first. One caller at a time for each document.
 */
export async function appendToDocument(
  path: string,
  text: string,
  expectedSize: number,
): Promise<number> {
  assert.ok(Number.isSafeInteger(expectedSize) && expectedSize >= 0)
  const handle = await openExisting(path)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new DocumentDamaged(path, 'is no plain file')
    if (found.size < expectedSize) {
      throw new DocumentDamaged(path, `has ${found.size} of ${expectedSize} bytes`)
    }
    if (found.size > expectedSize) await handle.truncate(expectedSize)
    // Not waited for on the disk: what a power cut takes is shorter than expected, and written again.
    return await writeAt(handle, text, expectedSize)
  } finally {
    await handle.close()
  }
}

/**
 * Puts a whole document in the place of the old one, if any, and returns its size. Readers see the one or
 * the other and never a part; a failure leaves the old one.
 */
export async function rewriteDocument(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  const fresh = join(dirname(path), `.${randomUUID()}.tmp`)
  const handle = await open(fresh, CREATE_FLAGS, 0o644)
  try {
    const size = await writeAndClose(handle, chunks)
    await rename(fresh, path)
    await syncFolder(dirname(path))
    return size
  } catch (error) {
    await removePartialFile(fresh)
    throw error
  }
}

type NamedDocument = {
  root: string
  project: string
  within: readonly string[]
  /** One name, without folders. */
  name: string
  text: string
}

/** Writes a whole document under a name of its own and answers its path from `deployed-md-files` on. */
export async function replaceDocument(wanted: NamedDocument): Promise<string> {
  const { root, project, within, name } = wanted
  const folder = await createProjectFolder(root, project, within)
  assert.ok(name === basename(name) && resolveInside(folder, name) !== null)
  await rewriteDocument(join(folder, name), [wanted.text])
  return posix.join(...projectPathSegments(project, within), name)
}

/** The same for a document that grows: a new one gets the header, and every text is whole in it. */
export async function appendOrCreateDocument(
  wanted: NamedDocument & { header: string },
): Promise<string> {
  const { root, project, within, name } = wanted
  const folder = await createProjectFolder(root, project, within)
  assert.ok(name === basename(name) && resolveInside(folder, name) !== null)
  const handle = await open(join(folder, name), APPEND_FLAGS, 0o644)
  try {
    const { size } = await handle.stat()
    await handle.appendFile(size === 0 ? `${wanted.header}${wanted.text}` : wanted.text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return posix.join(...projectPathSegments(project, within), name)
}

/** Removes the document; one that is gone already is fine. */
export async function removeDocument(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path))
}

async function openUnusedName(
  folder: string,
  fileNameFor: (attempt: number) => string,
): Promise<{ handle: FileHandle; name: string }> {
  let taken = ''
  for (let attempt = 1; ; attempt += 1) {
    const name = fileNameFor(attempt)
    assert.ok(name !== taken && name === basename(name) && resolveInside(folder, name) !== null)
    try {
      return { handle: await open(join(folder, name), CREATE_FLAGS, 0o644), name }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      taken = name
    }
  }
}

async function openExisting(path: string): Promise<FileHandle> {
  try {
    return await open(path, READ_WRITE_FLAGS)
  } catch (error) {
    if (!NOT_A_DOCUMENT_CODES.has(errorCode(error))) throw error
    throw new DocumentDamaged(path, 'is not there', error)
  }
}

/** Writes all chunks to a new file, sees them on the disk, closes the file and returns its size. */
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

/** Returns where the text ends. */
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

/** The error that led here is the one to tell, even if this one fails too. */
async function removePartialFile(path: string): Promise<void> {
  await Promise.allSettled([rm(path, { force: true })])
}

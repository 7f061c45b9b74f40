import { lstat, type FileHandle } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { ServiceError } from '../../../errors.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { isPathBlocked, removeEmptyFolders } from '../../../lib/files/folders.ts'
import {
  buildAbsoluteDocumentPath,
  createParentFolders,
  formatPathInDataFolder,
  hasNoLinkedFolders,
  openDocumentAt,
  PROJECTS_ROOT,
  removeDocumentAt,
  type DocumentRef,
  createProjectFolder,
} from '../../document-ref.ts'
import {
  appendOrCreateDocument,
  createDocument,
  replaceDocumentIf,
  truncateAndAppendToDocument,
  writeDocumentAtomically,
} from '../document-file.ts'
import { isFileAccessError, readFileInfo } from '../walk-project.ts'
import type { FolderDocuments, OpenedFile } from './document-files.ts'

const MAX_WRITE_ATTEMPTS = 3
/** Error codes if a folder has the document's name, or a file has the name of one of its folders. */
const PATH_CONFLICT_CODES = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])

/** Documents as files below the data folder. Never follows symbolic links. */
export function createFolderDocuments(root: string): FolderDocuments {
  const pathOf = (ref: DocumentRef) => buildAbsoluteDocumentPath(root, ref)
  const open = async (ref: DocumentRef, checkNoLinks = hasNoLinkedFolders) => {
    const handle = await openDocumentAt(root, ref, checkNoLinks)
    return handle === null ? null : toOpenedFile(handle)
  }
  const createFolderOf = ({ project, path }: DocumentRef) =>
    createProjectFolder(root, project, path.split('/').slice(0, -1))
  const files: FolderDocuments = {
    place: 'folder',
    root,
    inTransaction: () => files,
    open: (ref) => open(ref),
    readInfo: (ref) => readFileInfo(pathOf(ref), ref.path),
    readMany: (work) =>
      withLinkCheck((checkNoLinks) => work({ open: (ref) => open(ref, checkNoLinks) })),
    create: (document) => createDocument({ ...document, root }),
    save: (ref, text) => writeWithRetry(root, ref, text),
    async replace(ref, chunks) {
      await createFolderOf(ref)
      return writeDocumentAtomically(pathOf(ref), chunks)
    },
    replaceIfUnchanged: (ref, before, chunks) =>
      replaceDocumentIf(pathOf(ref), chunks, async () => {
        await using now = await open(ref)
        return now !== null && (await now.read()).equals(before)
      }),
    truncateAndAppend: (ref, text, expectedSize) =>
      truncateAndAppendToDocument(pathOf(ref), text, expectedSize),
    async appendOrCreate(ref, header, text) {
      await createFolderOf(ref)
      await appendOrCreateDocument(pathOf(ref), header, text)
    },
    remove: (ref) => removeDocumentAt(root, ref),
    removeEmptyFolders: (ref) => removeEmptyFolders(pathOf(ref), join(root, PROJECTS_ROOT)),
    isProjectGone: ({ project }) => isMissing(join(root, PROJECTS_ROOT, project)),
  }
  return files
}

async function toOpenedFile(handle: FileHandle): Promise<OpenedFile> {
  const { size, mtime: modifiedAt } = await handle.stat()
  return {
    size,
    modifiedAt,
    read: (maxBytes) => (maxBytes === undefined ? handle.readFile() : readStart(handle, maxBytes)),
    stream: () => handle.createReadStream(size === 0 ? {} : { end: size - 1 }),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

async function readStart(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  // One byte more than the current size, because the file may grow while it is read.
  const buffer = Buffer.allocUnsafe(Math.min(maxBytes, (await handle.stat()).size + 1))
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

type LinkCheck = typeof hasNoLinkedFolders

/**
 * Runs `work`, which reads files, and checks their folders for symbolic links before and after. Returns null if a
 * folder was removed or replaced with a link while `work` was running.
 */
async function withLinkCheck<T>(work: (checkNoLinks: LinkCheck) => Promise<T>): Promise<T | null> {
  const checks = new Map<string, { root: string; ref: DocumentRef; hasNoLinks: Promise<boolean> }>()
  const checkNoLinks: LinkCheck = (root, ref) => {
    const folder = posix.dirname(formatPathInDataFolder(ref))
    const check = checks.get(folder) ?? { root, ref, hasNoLinks: hasNoLinkedFolders(root, ref) }
    checks.set(folder, check)
    return check.hasNoLinks
  }
  const result = await work(checkNoLinks)
  for (const { root, ref, hasNoLinks: firstCheck } of checks.values()) {
    const [before, after] = await Promise.allSettled([firstCheck, hasNoLinkedFolders(root, ref)])
    const hadNoLinks = before.status === 'fulfilled' && before.value
    if (hadNoLinks && !(after.status === 'fulfilled' && after.value)) return null
  }
  return result
}

/** Retries if a concurrent removal deletes an empty parent folder between its creation and the write. */
async function writeWithRetry(root: string, ref: DocumentRef, text: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (
        !(await createParentFolders(root, ref)) ||
        (await isPathBlocked(buildAbsoluteDocumentPath(root, ref)))
      ) {
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

async function isMissing(folder: string): Promise<boolean> {
  try {
    await lstat(folder)
    return false
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return true
    if (isFileAccessError(error)) return false
    throw error
  }
}

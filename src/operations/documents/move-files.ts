import { createHash } from 'node:crypto'
import { access, constants, rename, open, rm } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { createOwnedFoldersSync, readFreeDiskMb } from '../../lib/files/folders.ts'
import { readOrCreateFolderId, recordPlace } from '../../projects/document-place.ts'
import { flushFolderToDisk } from '../../projects/document-ref.ts'
import {
  deleteStoredFile,
  findStoredFile,
  replaceStoredFile,
  StoredFileUnreadable,
  deleteAllStoredFiles,
  sumStoredFileSizes,
} from '../../projects/files/store/stored-files.ts'
import { formatPathBeforeRestore } from '../../storage/data-folder.ts'
import {
  hasFilesInFolder,
  USER_FILE_FOLDERS,
  walkDataFiles,
  createDatabaseFiles,
  createFolderFiles,
  type UserFiles,
  digestFile,
  hashWhileRead,
  requireSameDigest,
  isRestorablePath,
  openFileSnapshot,
  walkFolder,
  type FileSnapshot,
} from '../backup/data-files.ts'
import type { LockedMoveOptions, MoveResult } from './move-documents.ts'

/** Error codes of names that this file system does not support. */
const UNSUPPORTED_NAME_CODES = new Set(['EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ'])

export async function moveToDatabase(options: LockedMoveOptions): Promise<MoveResult> {
  const { db, root, now } = options
  const { paths, unsupported } = await scanFolder(root)
  if (unsupported.length > 0 && !options.skipsUnsupported) throw unsupportedError(unsupported)
  const source = createFolderFiles(root)
  const target = createDatabaseFiles(db)
  const result = { files: 0, bytes: 0, alreadyCopied: 0, skipped: unsupported }
  for (const path of paths) {
    await options.requireLock()
    const { size, isCopied } = await copyIntoDatabase(db, source, target, path)
    result.files += 1
    result.bytes += size
    if (!isCopied) result.alreadyCopied += 1
    options.onProgress({ done: result.files, total: paths.length, bytes: result.bytes })
  }
  await deleteOthers(db, target, new Set(paths))
  await options.requireLock()
  await db.transaction().execute((tx) => recordPlace(tx, { place: 'database', folderId: null }))
  return { ...result, kept: await keepOldFolders(root, now) }
}

async function scanFolder(root: string): Promise<{ paths: string[]; unsupported: string[] }> {
  const paths: string[] = []
  const unsupported: string[] = []
  for await (const { path, isFile } of walkDataFiles(root)) {
    if (isFile && (await isReadable(join(root, path)))) paths.push(path)
    else unsupported.push(path)
  }
  return { paths, unsupported }
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EIO'].includes(errorCode(error))) return false
    throw error
  }
}

const MAX_LISTED = 20

function unsupportedError(paths: readonly string[]): OperatorError {
  const listed = paths.slice(0, MAX_LISTED).map((path) => `\n  ${path}`)
  const more = paths.length > MAX_LISTED ? `\n  and ${paths.length - MAX_LISTED} more` : ''
  return new OperatorError(
    `${paths.length} entries of the data folder cannot be stored in the database, because they are links, not regular files, not readable, or their names are not UTF-8:${listed.join('')}${more}`,
    'Nothing was changed. Remove or replace them, or use --skip-unsupported to leave them behind',
  )
}

/** Skips a file whose copy already has the same digest. */
async function copyIntoDatabase(
  db: Db,
  source: UserFiles,
  target: UserFiles,
  path: string,
): Promise<{ size: number; isCopied: boolean }> {
  await using file = await source.open(path)
  if (file === null) throw new OperatorError(`${path} was removed during the move`, 'Move again')
  const { size, mtime } = file
  const stored = await findStoredFile(db, path)
  if (stored?.size === size) {
    const digest = await digestFile(await source.open(path))
    if (digest !== null && digest === (await digestCopy(target, path)))
      return { size, isCopied: false }
  }
  const hash = createHash('sha256')
  await replaceStoredFile(db, { path, contents: hashWhileRead(file, hash), modifiedAt: mtime })
  requireSameDigest(path, hash.digest('hex'), await digestCopy(target, path))
  return { size, isCopied: true }
}

/** Null if the copy is damaged. */
async function digestCopy(target: UserFiles, path: string): Promise<string | null> {
  try {
    return await digestFile(await target.open(path))
  } catch (error) {
    if (error instanceof StoredFileUnreadable) return null
    throw error
  }
}

/** Deletes copies of an interrupted move whose files were removed from the folder since then. */
async function deleteOthers(db: Db, target: UserFiles, paths: ReadonlySet<string>): Promise<void> {
  for await (const { path } of target.walk()) if (!paths.has(path)) await deleteStoredFile(db, path)
}

/** Renames folders that are no longer used. They stay until the operator removes them. */
export async function keepOldFolders(root: string, now: Date): Promise<string[]> {
  const kept: string[] = []
  for (const name of USER_FILE_FOLDERS) {
    if (!(await hasFilesInFolder(root, name))) continue
    const to = `${name}.moved-${now.toISOString().replaceAll(/[:.]/g, '-')}`
    try {
      await rename(join(root, name), join(root, to))
      kept.push(to)
    } catch (error) {
      // A mounted folder can't be renamed. Its files are no longer used.
      if (!['EBUSY', 'EXDEV', 'EACCES', 'EPERM'].includes(errorCode(error))) throw error
      kept.push(name)
    }
  }
  return kept
}

export async function moveToFolder(options: LockedMoveOptions): Promise<MoveResult> {
  const { db, root, now } = options
  const source = createDatabaseFiles(db)
  const paths = await listPaths(db, root)
  const result = { files: 0, bytes: 0, alreadyCopied: 0, skipped: [] }
  const copies = new Set<string>()
  for (const path of paths) {
    await options.requireLock()
    const copy = toStagedPath(path)
    copies.add(copy)
    await using file = await source.open(path)
    if (file === null) throw new OperatorError(`${path} was removed during the move`, 'Move again')
    if (!(await isAlreadyCopied(join(root, copy), file, () => source.open(path))))
      await copyIntoFolder(join(root, copy), path, file)
    else result.alreadyCopied += 1
    result.files += 1
    result.bytes += file.size
    options.onProgress({ done: result.files, total: paths.length, bytes: result.bytes })
  }
  await checkStagedFiles(root, copies)
  await options.requireLock()
  const kept = await putInPlace(root, now)
  const folderId = await readOrCreateFolderId(root)
  await options.requireLock()
  // The last step. Until then, the instance has its documents in the database.
  await db.transaction().execute(async (tx) => {
    await recordPlace(tx, { place: 'folder', folderId })
    await deleteAllStoredFiles(tx)
  })
  return { ...result, kept }
}

/** Files are copied next to their final folders, which are replaced at once when all files are complete. */
function toStagedPath(path: string): string {
  const [folder = '', ...rest] = path.split('/')
  return [toStagedFolder(folder), ...rest].join('/')
}

function toStagedFolder(folder: string): string {
  return `${folder}.part`
}

async function listPaths(db: Db, root: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of createDatabaseFiles(db).walk()) {
    if (!isRestorablePath(path))
      throw new OperatorError(`A file in the database has an invalid path: ${path}`)
    paths.push(path)
  }
  const neededMb = Math.ceil((await sumStoredFileSizes(db)) / (1024 * 1024))
  const freeMb = readFreeDiskMb(root)
  if (neededMb <= freeMb) return paths
  throw new OperatorError(
    `The documents need ${neededMb} MB, and the disk of the data folder has ${freeMb} MB free`,
    'Free some disk space, or set HANSARD_DATA to a folder on another disk',
  )
}

async function isAlreadyCopied(
  copy: string,
  { size }: FileSnapshot,
  openSource: () => Promise<FileSnapshot | null>,
): Promise<boolean> {
  const found = await openFileSnapshot(copy)
  if (found === null) return false
  if (found.size !== size) {
    await found[Symbol.asyncDispose]()
    return false
  }
  return (await digestFile(found)) === (await digestFile(await openSource()))
}

async function copyIntoFolder(copy: string, path: string, file: FileSnapshot): Promise<void> {
  const hash = createHash('sha256')
  try {
    createOwnedFoldersSync(dirname(copy), 0o755)
    // Left by a move that was killed, possibly incomplete.
    await rm(copy, { force: true })
    await using handle = await open(copy, 'wx', 0o644)
    inheritOwnerSync(copy, handle)
    for await (const chunk of hashWhileRead(file, hash)) await handle.appendFile(chunk)
    await handle.utimes(file.mtime, file.mtime)
    await handle.sync()
  } catch (error) {
    if (!UNSUPPORTED_NAME_CODES.has(errorCode(error))) throw error
    throw new OperatorError(
      `The file system of the data folder cannot store ${path}: ${errorMessageOf(error)}`,
      'Set HANSARD_DATA to a folder on another file system, or rename the document first',
      error,
    )
  }
  requireSameDigest(path, hash.digest('hex'), await digestFile(await openFileSnapshot(copy)))
}

/** Removes files of an earlier move that no longer exist, and finds names that the file system does not distinguish. */
async function checkStagedFiles(root: string, copies: ReadonlySet<string>): Promise<void> {
  let count = 0
  for (const folder of USER_FILE_FOLDERS) {
    for await (const { path } of walkFolder(root, toStagedFolder(folder))) {
      if (copies.has(path)) count += 1
      else await rm(join(root, path), { force: true })
    }
  }
  if (count === copies.size) return
  throw new OperatorError(
    'The file system of the data folder takes different names for one, for example Plan.md and plan.md',
    'Set HANSARD_DATA to a folder on another file system, or rename documents first',
  )
}

async function putInPlace(root: string, now: Date): Promise<string[]> {
  const kept: string[] = []
  for (const folder of USER_FILE_FOLDERS) {
    const [staged, target] = [join(root, toStagedFolder(folder)), join(root, folder)]
    createOwnedFoldersSync(staged, 0o755)
    if (await hasFilesInFolder(root, folder)) {
      const old = formatPathBeforeRestore(folder, now)
      await rename(target, join(root, old))
      kept.push(old)
    } else await rm(target, { recursive: true, force: true })
    await rename(staged, target)
  }
  await flushFolderToDisk(root)
  return kept
}

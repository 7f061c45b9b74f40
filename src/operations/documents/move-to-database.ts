import { createHash } from 'node:crypto'
import { access, constants, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import {
  deleteStoredFile,
  findStoredFile,
  replaceStoredFile,
  StoredFileUnreadable,
} from '../../projects/files/store/stored-files.ts'
import { recordPlace } from '../../projects/place/recorded-place.ts'
import { hasFilesInFolder, USER_FILE_FOLDERS, walkDataFiles } from '../backup/data-files.ts'
import { createDatabaseFiles, createFolderFiles, type UserFiles } from '../backup/user-files.ts'
import { digestFile, hashWhileRead, requireSameDigest } from './digest.ts'
import type { LockedMoveOptions, MoveResult } from './move-documents.ts'

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

/** A file whose copy already has the same digest is not copied again. */
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

/** Null when the copy is damaged. */
async function digestCopy(target: UserFiles, path: string): Promise<string | null> {
  try {
    return await digestFile(await target.open(path))
  } catch (error) {
    if (error instanceof StoredFileUnreadable) return null
    throw error
  }
}

/** Deletes what an interrupted move has copied and what was removed from the folder since then. */
async function deleteOthers(db: Db, target: UserFiles, paths: ReadonlySet<string>): Promise<void> {
  for await (const { path } of target.walk()) if (!paths.has(path)) await deleteStoredFile(db, path)
}

/** Renames the folders that are not used any more. They stay until the operator removes them. */
export async function keepOldFolders(root: string, now: Date): Promise<string[]> {
  const kept: string[] = []
  for (const name of USER_FILE_FOLDERS) {
    if (!(await hasFilesInFolder(root, name))) continue
    const to = `${name}.moved-${now.toISOString().replaceAll(/[:.]/g, '-')}`
    try {
      await rename(join(root, name), join(root, to))
      kept.push(to)
    } catch (error) {
      // A folder that is mounted cannot be renamed. Its files are not used any more.
      if (!['EBUSY', 'EXDEV', 'EACCES', 'EPERM'].includes(errorCode(error))) throw error
      kept.push(name)
    }
  }
  return kept
}

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import { findNonRootOwner, giveTreeToOwner, inheritOwnerSync } from '../lib/files/file-owner.ts'
import { createFoldersSync, createOwnedFoldersSync } from '../lib/files/folders.ts'

/** Paths of the data folder, which contains everything that Hansard stores, and of its subfolders. */
export type DataFolder = {
  root: string
  logs: string
  run: string
  secrets: string
}

/**
 * Creates the data folder and its subfolders, accessible only to this account, and checks that it is writable. Under
 * root, the subfolders belong to the owner of the data folder.
 */
export function openDataFolder(root: string): DataFolder {
  const folder = {
    root,
    logs: join(root, 'logs'),
    run: join(root, 'run'),
    secrets: join(root, 'secrets'),
  }
  try {
    createFoldersSync(root, 0o700)
    giveEntriesToOwner(root)
    for (const path of [folder.logs, folder.run, folder.secrets])
      createOwnedFoldersSync(path, 0o700)
    chmodSync(folder.secrets, 0o700)
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(folder.run, `probe.${process.pid}`)
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (error) {
    throw unusableFolderError(root, error)
  }
  return folder
}

function unusableFolderError(root: string, error: unknown): OperatorError {
  return new OperatorError(
    `Hansard cannot use the data folder ${root}: ${errorMessageOf(error)}`,
    'Give this account permission to write there, or set HANSARD_DATA to another folder',
    error,
  )
}

/** Entries that Hansard creates in a data folder. A folder with other entries is also used for something else. */
const KNOWN_ENTRY =
  /^(?:logs|run|secrets|speech|cache|pg\d+(?:\.new\..*)?|deployed-md-files.*|scheduled-prompts.*|restore.*|lost\+found)$/
/** Entries whose owner may be changed at any time. Does not include databases, which may be in use. */
const OWNED_ENTRY =
  /^(?:logs|run|secrets|speech|cache|deployed-md-files.*|scheduled-prompts.*|restore.*)$/
/** Entries with few files, which are all checked. In other entries only the files that belong to root are checked. */
const SMALL_ENTRY = /^(?:logs|run|secrets)$/

/** Under root, gives everything that root left in another account's data folder to that account. */
function giveEntriesToOwner(root: string): void {
  const owner = findNonRootOwner(root)
  if (owner === null) return
  for (const name of readdirSync(root)) {
    const path = join(root, name)
    const isRoots = lstatSync(path, { throwIfNoEntry: false })?.uid === 0
    if (OWNED_ENTRY.test(name) && (isRoots || SMALL_ENTRY.test(name)))
      giveTreeToOwner(path, owner, [0])
  }
}

/**
 * Removes other accounts' access to the data folder if it belongs to this account and contains only Hansard's entries.
 * `open` means that other accounts still have access.
 */
export function restrictDataFolder(root: string): 'restricted' | 'restricted now' | 'open' {
  const { uid, mode } = statSync(root)
  if ((mode & 0o077) === 0) return 'restricted'
  if (uid === process.getuid?.() && readdirSync(root).every((name) => KNOWN_ENTRY.test(name))) {
    try {
      chmodSync(root, 0o700)
    } catch (error) {
      // Some file systems do not support file modes.
      if (!['EPERM', 'ENOTSUP', 'EROFS'].includes(errorCode(error))) throw error
    }
    if ((statSync(root).mode & 0o077) === 0) return 'restricted now'
  }
  // A folder of another account may give this account access through its group.
  return (mode & 0o007) === 0 && uid !== process.getuid?.() ? 'restricted' : 'open'
}

/** The service that uses a data folder. Recorded for commands that run while the service is running. */
export type RunningService = { pid: number; address: string }

export function writeRunningServiceFile(folder: DataFolder, service: RunningService): void {
  const path = join(folder.run, 'service.json')
  writeFileSync(path, JSON.stringify(service), { mode: 0o600 })
  inheritOwnerSync(path)
}

export function removeRunningServiceFile(folder: DataFolder): void {
  rmSync(join(folder.run, 'service.json'), { force: true })
}

export function readRunningServiceFile(dataFolder: string): RunningService | null {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'run/service.json'), 'utf8')) as RunningService
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw unusableFolderError(dataFolder, error)
  }
}

/** The subfolder into which a restore loads files before it moves them into place. */
export const RESTORED_FILES_FOLDER = 'restore.part'

/** The path where a restore keeps a file or folder that it replaces. */
export function formatPathBeforeRestore(path: string, now: Date): string {
  return `${path}.before-${now.toISOString().replaceAll(/[:.]/g, '-')}`
}

/** Removes the files of a restore that was interrupted before it changed anything. */
export function removeInterruptedRestore(root: string): void {
  rmSync(join(root, RESTORED_FILES_FOLDER), { recursive: true, force: true })
}

/** Marks that a restore is switching files and database, during which they may not match. */
export type RestoreMarker = { file: string; since: string }

const UNFINISHED_RESTORE_FILE = 'restore-unfinished.json'

export function writeRestoreMarker(dataFolder: string, restore: RestoreMarker): void {
  const path = join(dataFolder, UNFINISHED_RESTORE_FILE)
  writeFileSync(path, JSON.stringify(restore), { mode: 0o600, flush: true })
  inheritOwnerSync(path)
}

export function removeRestoreMarker(dataFolder: string): void {
  rmSync(join(dataFolder, UNFINISHED_RESTORE_FILE), { force: true })
}

export function readRestoreMarker(dataFolder: string): RestoreMarker | null {
  try {
    return JSON.parse(
      readFileSync(join(dataFolder, UNFINISHED_RESTORE_FILE), 'utf8'),
    ) as RestoreMarker
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    // Even a partially written marker means that a restore is unfinished.
    if (error instanceof SyntaxError) return { file: 'a backup', since: 'earlier' }
    throw unusableFolderError(dataFolder, error)
  }
}

/** Returns the secret in a file, and creates it on first use. The file is never overwritten or left half-written. */
export function readOrCreateSecret(path: string, create: () => string): string {
  createOwnedFoldersSync(dirname(path), 0o700)
  if (!existsSync(path)) {
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, `${create()}\n`, { mode: 0o600, flush: true })
    inheritOwnerSync(fresh)
    try {
      linkSync(fresh, path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    } finally {
      rmSync(fresh)
    }
  }
  return readFileSync(path, 'utf8').trim()
}

/** Reads a file that the operator named, without its final line end. `-` is standard input. */
export function readFileOrStdin(optionName: string, path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new OperatorError(
      `${optionName}: ${path} cannot be read: ${errorMessageOf(error)}`,
      undefined,
      error,
    )
  }
}

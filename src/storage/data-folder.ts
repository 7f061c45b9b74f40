import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { errorCode, messageOf } from '../lib/error-code.ts'

/** The one folder that holds everything: its rooms by name. */
export type DataFolder = {
  root: string
  logs: string
  run: string
  secrets: string
}

/** Makes the folder and its rooms; what it makes is readable by this account alone. */
export function openDataFolder(root: string): DataFolder {
  const folder = {
    root,
    logs: join(root, 'logs'),
    run: join(root, 'run'),
    secrets: join(root, 'secrets'),
  }
  try {
    for (const path of Object.values(folder)) mkdirSync(path, { recursive: true, mode: 0o700 })
    chmodSync(folder.secrets, 0o700)
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(folder.run, `probe.${process.pid}`)
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (error) {
    throw new OperatorError(
      `The data folder ${root} cannot be used: ${messageOf(error)}`,
      'Give this account the right to write there, or set HANSARD_DATA to another folder',
      error,
    )
  }
  return folder
}

/** What may lie in a data folder; a folder with anything else in it has another purpose too. */
const KNOWN_ENTRY =
  /^(?:logs|run|secrets|pg\d+(?:\.new\..*)?|deployed-md-files.*|scheduled-prompts.*|restore.*|lost\+found)$/

/**
 * Closes a folder that was there before us and lets other accounts in, where that is ours to do: it belongs to this
 * account and serves nothing else. `open`: others still may enter.
 */
export function restrictDataFolder(root: string): 'closed' | 'closed now' | 'open' {
  const { uid, mode } = statSync(root)
  if ((mode & 0o077) === 0) return 'closed'
  if (uid === process.getuid?.() && readdirSync(root).every((name) => KNOWN_ENTRY.test(name))) {
    try {
      chmodSync(root, 0o700)
    } catch (error) {
      // Some file systems have no modes to change.
      if (!['EPERM', 'ENOTSUP', 'EROFS'].includes(errorCode(error))) throw error
    }
    if ((statSync(root).mode & 0o077) === 0) return 'closed now'
  }
  // Another account's folder may let ours in by its group.
  return (mode & 0o007) === 0 && uid !== process.getuid?.() ? 'closed' : 'open'
}

/** Who serves from a data folder, for the commands that run beside the service. */
export type RunningService = { pid: number; address: string }

export function writeRunningService(folder: DataFolder, occupant: RunningService): void {
  writeFileSync(join(folder.run, 'service.json'), JSON.stringify(occupant), { mode: 0o600 })
}

export function removeRunningService(folder: DataFolder): void {
  rmSync(join(folder.run, 'service.json'), { force: true })
}

export function readRunningService(root: string): RunningService | null {
  try {
    return JSON.parse(readFileSync(join(root, 'run/service.json'), 'utf8')) as RunningService
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

/** Left in a data folder while a restore is under way: whatever is found beside it is not whole. */
export type UnfinishedRestore = { file: string; since: string }

const UNFINISHED_RESTORE_FILE = 'restore-unfinished.json'

export function markRestoreUnfinished(root: string, restoring: UnfinishedRestore): void {
  writeFileSync(join(root, UNFINISHED_RESTORE_FILE), JSON.stringify(restoring), {
    mode: 0o600,
    flush: true,
  })
}

export function clearUnfinishedRestore(root: string): void {
  rmSync(join(root, UNFINISHED_RESTORE_FILE), { force: true })
}

export function readUnfinishedRestore(root: string): UnfinishedRestore | null {
  try {
    return JSON.parse(
      readFileSync(join(root, UNFINISHED_RESTORE_FILE), 'utf8'),
    ) as UnfinishedRestore
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    // Even a mark that was cut short says what it is there to say.
    if (error instanceof SyntaxError) return { file: 'a backup', since: 'earlier' }
    throw error
  }
}

/** A secret kept in a file of its own, made on first use. Never overwritten, and never there half-written. */
export function readOrCreateSecret(path: string, make: () => string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!existsSync(path)) {
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, `${make()}\n`, { mode: 0o600, flush: true })
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

/** A file that the operator named, without its last line end; `-` is standard input. */
export function readOperatorFile(name: string, path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new OperatorError(
      `${name}: ${path} cannot be read: ${messageOf(error)}`,
      undefined,
      error,
    )
  }
}

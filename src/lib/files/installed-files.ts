import { execFileSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  accessSync,
  constants,
} from 'node:fs'
import { join, sep } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { errorCode } from '../error-code.ts'

type ProgramFolder = {
  folder: string
  /** The program in the folder. Its size and time identify the version. */
  program: string
  /** The beginning of the copy's name. */
  name: string
}

const NOT_WRITABLE_CODES = new Set(['EACCES', 'EPERM', 'EROFS'])

/**
 * Under root some programs run as another account, which may not be able to read the installation, for example in
 * root's home folder. Returns the folder itself if all accounts can read it, or a copy of it in /tmp.
 */
export function copyUnlessOpenToAllAccounts({ folder, program, name }: ProgramFolder): string {
  if (isOpenToAllAccounts(folder)) return folder
  const { size, mtimeMs } = statSync(join(folder, program))
  const copy = join(
    // Not os.tmpdir(), because TMPDIR may name a folder that the other account can't enter either.
    '/tmp',
    `${name}-${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`,
  )
  if (isOwnedByUs(copy)) return copy
  const fresh = mkdtempSync(`${copy}-`)
  cpSync(folder, fresh, { recursive: true, verbatimSymlinks: true, mode: 0 })
  execFileSync('chmod', ['-R', 'go+rX', fresh])
  try {
    renameSync(fresh, copy)
    return copy
  } catch (error) {
    rmSync(fresh, { recursive: true })
    if (isOwnedByUs(copy)) return copy
    throw new OperatorError(
      `${copy} exists but belongs to another account`,
      `Remove ${copy}`,
      error,
    )
  }
}

export function isOpenToAllAccounts(path: string): boolean {
  const parts = path.split(sep)
  return parts.every(
    (_, i) => (statSync(parts.slice(0, i + 1).join(sep) || sep).mode & 0o005) === 0o005,
  )
}

/** Checks owner and mode, so that Hansard never starts a program that another account put there. */
function isOwnedByUs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === process.getuid?.() &&
    (found.mode & 0o022) === 0
  )
}

/**
 * Turns the error of an account that may not write to the installation into an error that names the command to run.
 * Other errors are returned unchanged.
 */
export function explainIfInstallationNotWritable(
  error: unknown,
  { missing, command }: { missing: string; command: string },
): unknown {
  if (!NOT_WRITABLE_CODES.has(errorCode(error))) return error
  return new OperatorError(
    `${missing}, and this account cannot write to the installation`,
    `Run with the account that owns the installation: ${command}`,
    error,
  )
}

/** True if this path has a program that the process may start. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error))) return false
    throw error
  }
}

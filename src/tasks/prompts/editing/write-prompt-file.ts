import { lstat, mkdir, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../../errors.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { inheritOwnerSync } from '../../../lib/files/file-owner.ts'
import { writeDocumentAtomically } from '../../../projects/files/document-file.ts'
import { flushFolderToDisk } from '../../../projects/files/project-folder.ts'

const MAX_WRITE_ATTEMPTS = 3
/** Error codes when a folder has the prompt's name, or a file has the name of one of its folders. */
const PATH_CONFLICT_CODES = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])

/** Creates or replaces the file of a prompt. The caller has checked the name and holds the lock of the prompt. */
export async function writePromptFile(dir: string, name: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const path = await preparePath(dir, name)
      await writeDocumentAtomically(path, [text])
      return
    } catch (error) {
      if (PATH_CONFLICT_CODES.has(errorCode(error))) throw pathTakenError(error)
      // A removal on another node deletes folders that are empty.
      if (errorCode(error) !== 'ENOENT' || attempt >= MAX_WRITE_ATTEMPTS) throw error
    }
  }
}

/** Removes the file of a prompt, and its folders that are empty then. */
export async function removePromptFile(dir: string, name: string): Promise<void> {
  const root = await realpath(dir)
  const path = toPath(root, name)
  await rm(path, { force: true })
  await flushFolderToDisk(dirname(path))
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'].includes(errorCode(error))) return
      throw error
    }
  }
}

/** Creates the folders of the prompt and returns the path of its file. Neither may be a link. */
async function preparePath(dir: string, name: string): Promise<string> {
  const root = await realpath(dir)
  let folder = root
  for (const part of name.split('/').slice(0, -1)) {
    folder = join(folder, part)
    try {
      await mkdir(folder, { mode: 0o755 })
      inheritOwnerSync(folder)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    if (!(await lstat(folder)).isDirectory()) throw pathTakenError()
  }
  const path = toPath(root, name)
  if (await isBlocked(path)) throw pathTakenError()
  return path
}

/** Whether a link, folder or device has the name of the file. A write must not replace it. */
async function isBlocked(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

function toPath(root: string, name: string): string {
  return `${join(root, ...name.split('/'))}.md`
}

function pathTakenError(cause?: unknown): ServiceError {
  return new ServiceError('path_taken', {
    text: 'A link, folder or file that is not a prompt has this name',
    cause,
  })
}

import { strict as assert } from 'node:assert'
import { lstat, mkdir, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { isProjectId } from './file-names.ts'

/** Error codes on systems that cannot sync a folder and do not need to, or for a folder that was removed. */
const SYNC_UNSUPPORTED_CODES = new Set([
  'EISDIR',
  'EPERM',
  'EACCES',
  'EINVAL',
  'ENOTSUP',
  'EBADF',
  'ENOENT',
])

/**
 * Creates the folder for documents of a project if it does not exist. Refuses a path on which a link or a file is in
 * the place of a folder. The data folder itself may be a symbolic link.
 */
export async function createProjectFolder(
  root: string,
  project: string,
  within: readonly string[],
): Promise<string> {
  assert.ok(isProjectId(project), 'the project id must be valid')
  const parts = pathSegmentsOfFolderInProject(project, within)
  let folder = resolve(root)
  for (const [i, part] of parts.entries()) {
    const parent = folder
    folder = join(folder, part)
    if (await createFolder(folder)) await flushFolderToDisk(parent)
    if (!(await lstat(folder)).isDirectory()) {
      throw new OperatorError(
        `${parts.slice(0, i + 1).join('/')} is not a folder; links are not followed`,
        'Replace it with a real folder',
      )
    }
  }
  return folder
}

export const MEETINGS_FOLDER = ['meetings'] as const

/** The path of a folder in a project, as segments relative to the data folder. */
export function pathSegmentsOfFolderInProject(
  project: string,
  within: readonly string[],
): [string, ...string[]] {
  return ['deployed-md-files', 'docs', project, ...within]
}

async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o755 })
    inheritOwnerSync(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Flushes new and changed names of a folder to disk, where the operating system supports it. */
export async function flushFolderToDisk(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (!SYNC_UNSUPPORTED_CODES.has(errorCode(error))) throw error
  }
}

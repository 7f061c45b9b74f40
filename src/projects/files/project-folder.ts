import { strict as assert } from 'node:assert'
import { lstat, mkdir, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { isProjectId } from './file-names.ts'

/** How systems refuse to sync a folder, which then see to it themselves; one that is gone needs none. */
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
 * A folder for documents of a project, made where it is missing. Refuses where a link or anything else than a
 * folder is on the way, and makes nothing beyond it. The data folder itself may be behind links.
 */
export async function createProjectFolder(
  root: string,
  project: string,
  within: readonly string[],
): Promise<string> {
  assert.ok(isProjectId(project), 'a project has a valid id')
  const parts = projectPathSegments(project, within)
  let folder = resolve(root)
  for (const [i, part] of parts.entries()) {
    const parent = folder
    folder = join(folder, part)
    if (await createFolder(folder)) await syncFolder(parent)
    if (!(await lstat(folder)).isDirectory()) {
      throw new OperatorError(
        `${parts.slice(0, i + 1).join('/')} is no folder; links are not followed`,
        'Put a real folder in its place',
      )
    }
  }
  return folder
}

/** The folder for the documents of a project's meetings. */
export function createMeetingsFolder(root: string, project: string): Promise<string> {
  return createProjectFolder(root, project, MEETINGS_FOLDER)
}

export const MEETINGS_FOLDER = ['meetings'] as const

/** From the data folder on. */
export function projectPathSegments(
  project: string,
  within: readonly string[],
): [string, ...string[]] {
  return ['deployed-md-files', 'docs', project, ...within]
}

async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o755 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Makes new and changed names in a folder last, where the system lets us. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (!SYNC_UNSUPPORTED_CODES.has(errorCode(error))) throw error
  }
}

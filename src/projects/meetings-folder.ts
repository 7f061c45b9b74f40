import { strict as assert } from 'node:assert'
import { mkdir, open, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../errors.ts'
import { errorCode } from '../lib/error-code.ts'
import { insideFolder, isProjectId } from './names.ts'

/** How systems refuse to sync a folder, which then see to it themselves; one that is gone needs none. */
const NO_FOLDER_SYNC = new Set([
  'EISDIR',
  'EPERM',
  'EACCES',
  'EINVAL',
  'ENOTSUP',
  'EBADF',
  'ENOENT',
])

/**
 * A folder for documents of a project, made where it is missing. Refuses when a link on the way leads out of
 * the root, and makes nothing beyond such a link.
 */
export async function makeProjectFolder(
  root: string,
  project: string,
  within: readonly string[],
): Promise<string> {
  assert.ok(isProjectId(project), 'a project has a valid id')
  const realRoot = await realpath(root)
  let folder = resolve(root)
  for (const part of projectPlace(project, within)) {
    const parent = folder
    folder = join(folder, part)
    if (await makeFolder(folder)) await syncFolder(parent)
    if (insideFolder(realRoot, await realpath(folder)) === null) {
      throw new OperatorError(
        `The folder ${folder} leads out of the data folder`,
        'Put a real folder in the place of the link',
      )
    }
  }
  return folder
}

/** The folder for the documents of a project's meetings. */
export function makeMeetingsFolder(root: string, project: string): Promise<string> {
  return makeProjectFolder(root, project, MEETINGS)
}

export const MEETINGS = ['meetings'] as const

/** From the data folder on. */
export function projectPlace(project: string, within: readonly string[]): [string, ...string[]] {
  return ['deployed-md-files', 'docs', project, ...within]
}

async function makeFolder(path: string): Promise<boolean> {
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
    if (!NO_FOLDER_SYNC.has(errorCode(error))) throw error
  }
}

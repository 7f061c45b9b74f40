import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { PROJECTS_ROOT } from '../document-ref.ts'

/** The name of the file with the id, in the folder of all projects. It is in no backup. */
export const FOLDER_ID_FILE = '.folder-id'

/**
 * A random id that is in the folder with the documents. Nodes that see the same id share the folder; a path says nothing,
 * because every machine can have a folder of that name.
 */
export async function readOrCreateFolderId(root: string): Promise<string> {
  const folder = join(root, PROJECTS_ROOT)
  const path = join(folder, FOLDER_ID_FILE)
  createOwnedFoldersSync(folder, 0o755)
  const found = await readId(path)
  if (found !== null) return found
  // A link is made only once, also by two nodes at the same time, and never to a half-written file.
  const fresh = join(folder, `.${randomUUID()}.tmp`)
  await writeFile(fresh, `${randomUUID()}\n`, { mode: 0o644, flush: true })
  inheritOwnerSync(fresh)
  try {
    await link(fresh, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(fresh, { force: true })
  }
  const id = await readId(path)
  if (id === null) throw new Error(`${path} was removed while it was created`)
  return id
}

/** The id of the folder with the documents; null when it has none. */
export function readFolderId(root: string): Promise<string | null> {
  return readId(join(root, PROJECTS_ROOT, FOLDER_ID_FILE))
}

async function readId(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  }
}

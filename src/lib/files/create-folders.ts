import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../error-code.ts'
import { inheritOwnerSync } from './file-owner.ts'

/**
 * Creates a folder with its missing parents and returns the created ones. `mkdir` with `recursive` is not used: in
 * /proc, where it can create nothing, Node repeats it forever.
 */
export function createFoldersSync(path: string, mode: number): string[] {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) {
    missing.unshift(folder)
  }
  return missing.filter((folder) => createFolderSync(folder, mode))
}

/** Creates a folder with its missing parents. Under root, each belongs to the owner of the folder it is in. */
export function createOwnedFoldersSync(path: string, mode: number): void {
  for (const created of createFoldersSync(path, mode)) inheritOwnerSync(created)
}

/** False when the folder already exists. */
function createFolderSync(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && isFolder(path)) return false
    throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

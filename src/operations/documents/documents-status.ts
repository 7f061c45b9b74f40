import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/database.ts'
import { readRecordedPlace } from '../../projects/document-place.ts'
import type { DocumentPlace } from '../../projects/files/store/document-files.ts'
import { listStoredFiles } from '../../projects/files/store/stored-files.ts'
import { USER_FILE_FOLDERS, walkDataFiles } from '../backup/data-files.ts'

export type DocumentsStatus = {
  place: DocumentPlace
  files: number
  bytes: number
  /** Folders with files that a move or a restore has replaced. */
  oldFolders: string[]
}

/** Where documents and prompts are, and their number. */
export async function readDocumentsStatus(db: Db, root: string): Promise<DocumentsStatus> {
  const { place } = await readRecordedPlace(db)
  let count = 0
  let bytes = 0
  for await (const size of place === 'database' ? listStoredSizes(db) : listFileSizes(root)) {
    count += 1
    bytes += size
  }
  const names = await readdir(root)
  const oldFolders = names.filter((name) => /\.(?:moved|before)-/.test(name)).toSorted()
  return { place, files: count, bytes, oldFolders }
}

async function* listStoredSizes(db: Db): AsyncGenerator<number> {
  for (const folder of USER_FILE_FOLDERS)
    for await (const { size } of listStoredFiles(db, folder)) yield size
}

async function* listFileSizes(root: string): AsyncGenerator<number> {
  for await (const { path, isFile } of walkDataFiles(root))
    if (isFile) yield (await lstat(join(root, path))).size
}

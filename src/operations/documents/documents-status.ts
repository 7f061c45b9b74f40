import { readdir } from 'node:fs/promises'
import type { Db } from '../../db/database.ts'
import type { DocumentPlace } from '../../projects/files/store/document-files.ts'
import { readRecordedPlace } from '../../projects/place/recorded-place.ts'
import { createUserFiles } from '../backup/user-files.ts'

export type DocumentsStatus = {
  place: DocumentPlace
  files: number
  bytes: number
  /** Folders with files that a move or a restore has replaced. */
  oldFolders: string[]
}

/** Where documents and prompts are, and how many. */
export async function readDocumentsStatus(db: Db, root: string): Promise<DocumentsStatus> {
  const { place } = await readRecordedPlace(db)
  const files = createUserFiles(place, db, root)
  let count = 0
  let bytes = 0
  for await (const { path, isFile } of files.walk()) {
    await using file = isFile ? await files.open(path) : null
    if (file === null) continue
    count += 1
    bytes += file.size
  }
  const names = await readdir(root)
  const oldFolders = names.filter((name) => /\.(?:moved|before)-/.test(name)).toSorted()
  return { place, files: count, bytes, oldFolders }
}

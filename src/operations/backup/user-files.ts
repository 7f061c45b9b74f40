import { join } from 'node:path'
import type { Db } from '../../db/database.ts'
import type { DocumentPlace } from '../../projects/files/store/document-files.ts'
import { listStoredFiles, openStoredFile } from '../../projects/files/store/stored-files.ts'
import {
  openFileSnapshot,
  USER_FILE_FOLDERS,
  walkDataFiles,
  type DataFolderEntry,
  type FileSnapshot,
} from './data-files.ts'

/** The files of users, wherever they are. Paths are relative to the data folder. */
export interface UserFiles {
  walk(): AsyncGenerator<DataFolderEntry, void, undefined>
  /** Null when the file no longer exists. */
  open(path: string): Promise<FileSnapshot | null>
}

export function createUserFiles(place: DocumentPlace, db: Db, root: string): UserFiles {
  return place === 'folder' ? createFolderFiles(root) : createDatabaseFiles(db)
}

export function createFolderFiles(root: string): UserFiles {
  return { walk: () => walkDataFiles(root), open: (path) => openFileSnapshot(join(root, path)) }
}

/** What a reader of many files holds of each in memory. */
const FIRST_BYTES = 256 * 1024

export function createDatabaseFiles(db: Db): UserFiles {
  return {
    async *walk() {
      for (const folder of USER_FILE_FOLDERS) {
        for await (const { path } of listStoredFiles(db, folder)) yield { path, isFile: true }
      }
    },
    async open(path) {
      const file = await openStoredFile(db, path, FIRST_BYTES)
      if (file === null) return null
      return {
        size: file.size,
        mtime: file.modifiedAt,
        async *chunks() {
          for await (const chunk of file.stream()) yield chunk as Buffer
        },
        [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
      }
    },
  }
}

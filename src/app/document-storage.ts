import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { readFreeDiskSpace } from '../lib/files/free-disk.ts'
import { createDatabaseDocuments } from '../projects/files/store/database-documents.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { createFolderDocuments } from '../projects/files/store/folder-documents.ts'
import { createDatabasePrompts } from '../tasks/prompts/store/database-prompts.ts'
import { createFolderPrompts } from '../tasks/prompts/store/folder-prompts.ts'
import { PROMPTS_FOLDER, type PromptFiles } from '../tasks/prompts/store/prompt-storage.ts'

export type DocumentStorage = {
  files: DocumentFiles
  promptFiles: PromptFiles
  /** Whether there is space for new documents, as far as this node can tell. */
  hasDiskSpace(): boolean
}

/** Documents and prompts, in the place that the settings name. */
export function openDocumentStorage(config: Config, db: Db): DocumentStorage {
  if (config.documents === 'folder') {
    return {
      files: createFolderDocuments(config.data),
      promptFiles: createFolderPrompts(join(config.data, PROMPTS_FOLDER)),
      hasDiskSpace: () => hasDiskSpace(config),
    }
  }
  return {
    files: createDatabaseDocuments(db),
    promptFiles: createDatabasePrompts(db),
    hasDiskSpace: () => !needsDiskSpace(config) || hasDiskSpace(config),
  }
}

/** Whether documents need space in the data folder: not if they are in a database that is elsewhere. */
export function needsDiskSpace({ documents, databaseUrl }: Config): boolean {
  return documents === 'folder' || databaseUrl === undefined
}

function hasDiskSpace({ data, minFreeDiskMb }: Config): boolean {
  const free = readFreeDiskSpace(data)
  return free.mb >= minFreeDiskMb && free.hasFileEntries
}

import { join } from 'node:path'
import { needsDiskSpace, type Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { readFreeDiskSpace } from '../lib/files/free-disk.ts'
import type { Shutdown } from '../lib/async/shutdown.ts'
import type { Log } from '../log.ts'
import { createDatabaseDocuments } from '../projects/files/store/database-documents.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { createFolderDocuments } from '../projects/files/store/folder-documents.ts'
import { requirePlaceOfDocuments } from '../projects/place/require-place.ts'
import { listPrompts } from '../tasks/prompts/prompt-files.ts'
import { readSamplePromptHashes } from '../tasks/prompts/sample-prompts.ts'
import { createDatabasePrompts } from '../tasks/prompts/store/database-prompts.ts'
import { createFolderPrompts } from '../tasks/prompts/store/folder-prompts.ts'
import { PROMPTS_FOLDER, type PromptFiles } from '../tasks/prompts/store/prompt-storage.ts'

type Parts = {
  config: Config
  db: Db
  log: Log
  membership: NodeMembership
  shutdown: Pick<Shutdown, 'begun'>
}

export type DocumentStorage = {
  files: DocumentFiles
  promptFiles: PromptFiles
  /** Whether there is space for new documents, as far as this node can tell. */
  hasDiskSpace(): boolean
}

/** Opens documents and prompts in the place that the settings name. Throws when this node must not use it. */
export async function openDocumentStorage(parts: Parts): Promise<DocumentStorage> {
  const { config, db } = parts
  const storage = createDocumentStorage(config, db)
  const samples = await readSamplePromptHashes()
  await requirePlaceOfDocuments({
    ...parts,
    signal: parts.shutdown.begun,
    root: config.data,
    files: storage.files,
    async hasOwnPrompts(tx, place) {
      const { promptFiles } = createDocumentStorage({ ...config, documents: place }, tx)
      const prompts = await listPrompts(promptFiles)
      return prompts.some(({ name, sha256 }) => sha256 === null || samples.get(name) !== sha256)
    },
  })
  return storage
}

function createDocumentStorage(config: Config, db: Db): DocumentStorage {
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

function hasDiskSpace({ data, minFreeDiskMb }: Config): boolean {
  const free = readFreeDiskSpace(data)
  return free.mb >= minFreeDiskMb && free.hasFileEntries
}

import type { Pool } from 'pg'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { createDocuments, type Documents } from './documents.ts'
import { openDocumentIndex, type DocumentIndex } from './index/document-index.ts'
import { createDocumentReader, type DocumentReader } from './document-reader.ts'
import { parseDocumentPath } from './document-ref.ts'
import { searchProjects, type SearchPage, type SearchRequest } from './search/search.ts'
import { createSpelling, type Spelling } from './search/spelling.ts'

export type ProjectsArea = AsyncDisposable & {
  documents: Documents
  index: DocumentIndex
  spelling: Spelling
  /** For tasks. */
  documentReader: DocumentReader
  search(request: SearchRequest): Promise<SearchPage>
  /** A transcript was written or removed: the index is level when it resolves. Never rejects. */
  documentChanged(documentPath: string): Promise<void>
}

type Parts = {
  db: Db
  pool: Pool
  log: Log
  /** The data folder. */
  root: string
  hasRoom(): boolean
}

/** The parts of the projects area, put together. */
export async function openProjects(parts: Parts): Promise<ProjectsArea> {
  const { db, log, root } = parts
  const spelling = createSpelling({ db, log })
  const index = await openDocumentIndex({ db, log, root, learnWords: spelling.learnWords })
  const find = (request: SearchRequest) => searchProjects(db, spelling, request)
  return {
    index,
    spelling,
    documents: createDocuments({ ...parts, index }),
    documentReader: createDocumentReader({ db, root, ready: index.ready, search: find }),
    search: find,
    async documentChanged(documentPath) {
      const place = parseDocumentPath(documentPath)
      if (place !== null) await index.documentChanged(place)
    },
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await spelling.whenIdle()
    },
  }
}

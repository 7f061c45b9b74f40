import type { Pool } from 'pg'
import type { Db } from '../db/open.ts'
import type { Log } from '../log.ts'
import { createDocuments, type Documents } from './documents.ts'
import { openIndex, type DocumentIndex } from './index/index.ts'
import { createLibrary, type Library } from './library.ts'
import { placeOf } from './place.ts'
import { search, type SearchPage, type SearchRequest } from './search/search.ts'
import { createSpelling, type Spelling } from './search/spelling.ts'

export type ProjectsArea = AsyncDisposable & {
  documents: Documents
  index: DocumentIndex
  spelling: Spelling
  /** For tasks. */
  library: Library
  search(request: SearchRequest): Promise<SearchPage>
  /** A transcript was written or removed: the index is level when it resolves. Never rejects. */
  documentSaved(documentPath: string): Promise<void>
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
  const index = await openIndex({ db, log, root, learn: spelling.learn })
  const find = (request: SearchRequest) => search(db, spelling, request)
  return {
    index,
    spelling,
    documents: createDocuments({ ...parts, index }),
    library: createLibrary({ db, root, ready: index.ready, search: find }),
    search: find,
    async documentSaved(documentPath) {
      const place = placeOf(documentPath)
      if (place !== null) await index.saved(place)
    },
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await spelling.settled()
    },
  }
}

import type { Pool } from 'pg'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { createDocumentStore, type DocumentStore } from './documents.ts'
import { openDocumentIndex, type DocumentIndex } from './index/document-index.ts'
import { createDocumentReader, type DocumentReader } from './document-reader.ts'
import { parsePathInDataFolder } from './document-ref.ts'
import {
  findPassagesForQuestion,
  loadSegmentPassages,
  type QuestionPassage,
  type QuestionRequest,
} from './search/questions/find-passages.ts'
import { listTsQueriesByUnquotedWord, parseWordsAndQuotedPhrases } from './search/query.ts'
import type { SearchResultPage, SearchRequest } from './search/search-types.ts'
import { searchMeetingsAndDocuments } from './search/search.ts'
import { createSpellingCorrector, type SpellingCorrector } from './search/spelling.ts'

export type ProjectsArea = AsyncDisposable & {
  documents: DocumentStore
  index: DocumentIndex
  spelling: SpellingCorrector
  /** Read access to documents for tasks and their tools. */
  documentReader: DocumentReader
  search(request: SearchRequest): Promise<SearchResultPage>
  /** Finds the texts that most likely answer a question, best first. */
  findPassagesForQuestion(request: QuestionRequest): Promise<QuestionPassage[]>
  /** Reads segments of a meeting as passages. */
  loadSegmentPassages(meetingId: string, numbers: readonly number[]): Promise<QuestionPassage[]>
  /** Updates the index after a transcript was written or removed. Resolves when the index is up to date; never rejects. */
  documentChanged(documentPath: string): Promise<void>
  /** Calls `listener` when a document was saved through the API or the console of this node. */
  onDocumentSaved(listener: () => void): void
}

type Parts = {
  db: Db
  pool: Pool
  log: Log
  /** The data folder. */
  root: string
  hasDiskSpace(): boolean
}

/** Opens the index and creates the services for documents and search. */
export async function openProjectsArea(parts: Parts): Promise<ProjectsArea> {
  const { db, log, root } = parts
  const spelling = createSpellingCorrector({ db, log })
  const index = await openDocumentIndex({ db, log, root, learnWords: spelling.learnWords })
  const search = (request: SearchRequest) => searchMeetingsAndDocuments(db, spelling, request)
  const savedListeners: Array<() => void> = []
  const onSaved = () => savedListeners.forEach((listener) => listener())
  return {
    index,
    spelling,
    documents: createDocumentStore({ ...parts, index, onSaved }),
    documentReader: createDocumentReader({ db, root, ready: index.ready, search }),
    search,
    async findPassagesForQuestion(request) {
      const words = listTsQueriesByUnquotedWord(parseWordsAndQuotedPhrases(request.question))
      return findPassagesForQuestion(db, request, await spelling.findCorrections(words))
    },
    loadSegmentPassages: (meetingId, numbers) => loadSegmentPassages(db, meetingId, numbers),
    async documentChanged(documentPath) {
      const ref = parsePathInDataFolder(documentPath)
      if (ref !== null) await index.documentChanged(ref)
    },
    onDocumentSaved: (listener) => void savedListeners.push(listener),
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await spelling.whenIdle()
    },
  }
}

import type { AreaContext } from '../db/context.ts'
import type { ProjectAccessStore } from '../access/project-access.ts'
import type { Viewer } from '../access/viewer.ts'
import { createDocumentStore, type DocumentStore } from './documents.ts'
import { openDocumentIndex, type DocumentIndex } from './index/document-index.ts'
import { createDocumentReader, type DocumentReaderOpener } from './document-reader.ts'
import { parsePathInDataFolder } from './document-ref.ts'
import type { DocumentFiles } from './files/store/document-files.ts'
import {
  findPassagesForQuestion,
  loadSegmentPassages,
  type QuestionPassage,
  type QuestionRequest,
} from './search/questions/find-passages.ts'
import { listTsQueriesByUnquotedWord, parseWordsAndQuotedPhrases } from './search/query.ts'
import type { SearchResultPage, SearchRequest } from './search/search-types.ts'
import { createVocabularies, type Vocabularies } from './vocabulary.ts'
import { searchMeetingsAndDocuments } from './search/search.ts'
import { createSpellingCorrector, type SpellingCorrector } from './search/spelling.ts'

export type ProjectsArea = AsyncDisposable & {
  documents: DocumentStore
  index: DocumentIndex
  spelling: SpellingCorrector
  vocabularies: Vocabularies
  /** Gives tasks and their tools read access to the documents that a viewer may read. */
  openDocumentReader: DocumentReaderOpener
  search(viewer: Viewer, request: SearchRequest): Promise<SearchResultPage>
  /** Finds the texts that most likely answer a question, best first. */
  findPassagesForQuestion(viewer: Viewer, request: QuestionRequest): Promise<QuestionPassage[]>
  /** Reads segments as passages. Leaves out segments that the viewer may not read. */
  loadSegmentPassages(
    viewer: Viewer,
    segments: ReadonlyArray<{ meetingId: string; number: number }>,
  ): Promise<QuestionPassage[]>
  /** Updates the index after a transcript was written or removed. Resolves when it is up to date; never rejects. */
  documentChanged(documentPath: string): Promise<void>
  /** Calls `listener` when a document was saved through this node's API or console. */
  onDocumentSaved(listener: () => void): void
}

type Parts = AreaContext & {
  files: DocumentFiles
  hasDiskSpace(): boolean
  registerProject: ProjectAccessStore['registerProject']
}

/** Opens the index and creates the services for documents and search. */
export async function openProjectsArea(parts: Parts): Promise<ProjectsArea> {
  const { db, files } = parts
  const spelling = createSpellingCorrector(parts)
  const index = await openDocumentIndex({ ...parts, learnWords: spelling.learnWords })
  const search = (viewer: Viewer, request: SearchRequest) =>
    searchMeetingsAndDocuments(db, spelling, viewer, request)
  const savedListeners: Array<() => void> = []
  const onSaved = () => savedListeners.forEach((listener) => listener())
  return {
    index,
    spelling,
    vocabularies: createVocabularies(parts),
    documents: createDocumentStore({ ...parts, index, onSaved }),
    openDocumentReader: (viewer) =>
      createDocumentReader({ db, files, ready: index.ready, search }, viewer),
    search,
    async findPassagesForQuestion(viewer, request) {
      const words = listTsQueriesByUnquotedWord(parseWordsAndQuotedPhrases(request.question))
      const corrections = await spelling.findCorrections(viewer, words)
      return findPassagesForQuestion(db, viewer, request, corrections)
    },
    loadSegmentPassages: (viewer, segments) => loadSegmentPassages(db, viewer, segments),
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

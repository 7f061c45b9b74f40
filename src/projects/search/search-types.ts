import type { SearchMatch } from './query.ts'

/** `segment`: a spoken segment of a meeting; `document`: a passage of a file. */
export const RESULT_KINDS = ['segment', 'document'] as const
export type ResultKind = (typeof RESULT_KINDS)[number]

export type SearchRequest = {
  text: string
  /** Restricts the search to these projects; all projects if not given. */
  projects?: readonly string[] | undefined
  speaker?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  kind?: ResultKind | undefined
  limit: number
  cursor?: string | undefined
}

/** A text of a meeting or document, and where it stands. */
export type FoundText = {
  kind: ResultKind
  project: string
  /** Title of the meeting or the document. */
  title: string
  /** The meeting of a segment or of a transcript document. */
  meetingId: string | null
  segmentNumber: number | null
  speaker: string | null
  /** When it was said, or the date of the document. */
  at: Date
  path: string | null
  /** For a document: a line of its file. For a result of a search it is the one with the first match, else the first. */
  line: number | null
  text: string
}

export type SearchResult = FoundText & { matches: SearchMatch[]; score: number }

/** `all`: every result has all words of the search; `any`: nothing has them all, and results have some of the words. */
export const MATCHED_WORDS = ['all', 'any'] as const
export type MatchedWords = (typeof MATCHED_WORDS)[number]

export type SearchResultPage = {
  results: SearchResult[]
  matched: MatchedWords
  nextCursor: string | null
  /** For each word that occurs in no text: the similar words that were searched as well. */
  corrections: Array<{ word: string; meant: string[] }>
}

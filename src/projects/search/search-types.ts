import type { SearchMatch } from './query.ts'

/** `segment`: a spoken segment of a meeting. `document`: a passage of a file. */
export const RESULT_KINDS = ['segment', 'document'] as const
export type ResultKind = (typeof RESULT_KINDS)[number]

export type SearchRequest = {
  text: string
  /** Restricts the search to these projects. Default: all projects. */
  projects?: readonly string[] | undefined
  speaker?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  kind?: ResultKind | undefined
  limit: number
  cursor?: string | undefined
}

/** A text of a meeting or document, and its position. */
export type FoundText = {
  kind: ResultKind
  project: string
  /** The title of the meeting or document. */
  title: string
  /** The meeting of a segment or of a transcript document. */
  meetingId: string | null
  segmentNumber: number | null
  speaker: string | null
  /** When it was said, or the date of the document. */
  at: Date
  path: string | null
  /** For a document, a line in its file. For a search result, the line of the first match, or else the first line. */
  line: number | null
  text: string
}

export type SearchResult = FoundText & { matches: SearchMatch[]; score: number }

/** `all`: every result has all words of the search. `any`: no text has them all, so results have some of the words. */
export const MATCHED_WORDS = ['all', 'any'] as const
export type MatchedWords = (typeof MATCHED_WORDS)[number]

export type SearchResultPage = {
  results: SearchResult[]
  matched: MatchedWords
  nextCursor: string | null
  /** For each word that no text contains, the similar words that were searched instead. */
  corrections: Array<{ word: string; meant: string[] }>
}

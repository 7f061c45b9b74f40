import type { SearchMatch } from './matches.ts'

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

export type SearchResult = {
  kind: ResultKind
  project: string
  title: string
  meetingId: string | null
  segmentNumber: number | null
  speaker: string | null
  at: Date
  path: string | null
  /** For a document: the number of the line in its file with the first match. */
  line: number | null
  text: string
  matches: SearchMatch[]
  score: number
}

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

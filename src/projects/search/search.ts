import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import { findMatches, type SearchMatch } from './matches.ts'
import {
  wordsToSpellCheck,
  parseSearchTerms,
  toExactQuery,
  toSpeakerQuery,
  toTsQuery,
  type SpellingCorrections,
  type SearchTerm,
} from './query.ts'
import { findNewestFirst, findPassages, findSegments, type SearchRow } from './search-sources.ts'
import type { Spelling } from './spelling.ts'

/** `segment`: somebody said it; `document`: it is written in a file. */
export type ResultKind = 'segment' | 'document'

export type SearchRequest = {
  text: string
  /** Only what is in one of them; not given: all. */
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
  /** Of the file, where the first match is. */
  line: number | null
  text: string
  matches: SearchMatch[]
  score: number
}

export type SearchPage = {
  results: SearchResult[]
  nextCursor: string | null
  /** What was looked for instead of words that nobody ever wrote. */
  corrections: Array<{ word: string; meant: string[] }>
}

/** Searches what was said and what is written. */
export async function searchProjects(
  db: Db,
  spelling: Spelling,
  request: SearchRequest,
): Promise<SearchPage> {
  const start = parseSearchCursor(request.cursor)
  const terms = parseSearchTerms(request.text)
  const by = request.speaker === undefined ? null : toSpeakerQuery(request.speaker)
  const isHopeless = terms.length === 0 || (request.speaker !== undefined && by === null)
  if (isHopeless) return { results: [], nextCursor: null, corrections: [] }
  const meant = await spelling.findCorrections(wordsToSpellCheck(terms))
  const found = await findAll(db, request, terms, meant, by, start + request.limit + 1)
  const page = found.slice(start, start + request.limit)
  return {
    results: page.map((row) => toResult(row, terms, meant)),
    nextCursor:
      found.length > start + request.limit ? formatSearchCursor(start + request.limit) : null,
    corrections: Array.from(meant, ([word, others]) => ({ word, meant: [...others] })).filter(
      (correction) => correction.meant.length > 0,
    ),
  }
}

async function findAll(
  db: Db,
  request: SearchRequest,
  terms: readonly SearchTerm[],
  meant: SpellingCorrections,
  by: string | null,
  limit: number,
): Promise<SearchRow[]> {
  const { kind } = request
  const wanted = toTsQuery(terms, meant)
  const question = { db, filters: request, exactTsQuery: toExactQuery(terms), limit }
  const [said, written] = await Promise.all([
    kind === 'document'
      ? []
      : findNewestFirst(findSegments, {
          ...question,
          tsQuery: by === null ? wanted : `(${wanted}) & ${by}`,
        }),
    // Nobody in particular says what is in a file.
    kind === 'segment' || by !== null
      ? []
      : findNewestFirst(findPassages, { ...question, tsQuery: wanted }),
  ])
  return [...said, ...written].toSorted(
    (a, b) => b.score - a.score || b.at.getTime() - a.at.getTime() || (a.place < b.place ? -1 : 1),
  )
}

function toResult(
  found: SearchRow,
  terms: readonly SearchTerm[],
  meant: SpellingCorrections,
): SearchResult {
  const { place: _, candidates: __, ...row } = found
  const matches = findMatches(row.text, terms, meant)
  const before = row.text.slice(0, matches[0]?.start ?? 0)
  const line = row.line === null ? null : row.line + before.split('\n').length - 1
  return { ...row, line, matches }
}

function formatSearchCursor(position: number): string {
  return Buffer.from(`after ${position}`).toString('base64url')
}

function parseSearchCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [, position] = /^after (\d{1,4})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position !== undefined) return Number(position)
  throw new ServiceError('invalid_request', {
    details: [{ path: 'cursor', message: 'Must be the nextCursor of an earlier answer' }],
  })
}

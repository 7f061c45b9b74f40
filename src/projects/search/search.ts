import type { Db } from '../../db/database.ts'
import { formatCursor, invalidCursorError, parseCursorOrThrow } from '../../db/page-cursor.ts'
import { findMatchingWordPositions } from './matches.ts'
import {
  listWordsToSpellCheck,
  parseSearchTerms,
  toExactTsQuery,
  toSpeakerTsQuery,
  toTsQuery,
  type SpellingCorrections,
  type SearchTerm,
} from './query.ts'
import {
  searchNewestTextsFirst,
  findPassages,
  findSegments,
  type SearchRow,
} from './search-sources.ts'
import type { SearchPage, SearchRequest, SearchResult } from './search-types.ts'
import type { SpellingCorrector } from './spelling.ts'

/** Searches the segments of meetings and the passages of documents. */
export async function searchMeetingsAndDocuments(
  db: Db,
  spelling: SpellingCorrector,
  request: SearchRequest,
): Promise<SearchPage> {
  const startIndex = parseSearchCursor(request.cursor)
  const terms = parseSearchTerms(request.text)
  const speakerQuery = request.speaker === undefined ? null : toSpeakerTsQuery(request.speaker)
  const cannotMatch = terms.length === 0 || (request.speaker !== undefined && speakerQuery === null)
  if (cannotMatch) return { results: [], nextCursor: null, corrections: [] }
  const corrections = await spelling.findCorrections(listWordsToSpellCheck(terms))
  const found = await findRows(
    db,
    request,
    terms,
    corrections,
    speakerQuery,
    startIndex + request.limit + 1,
  )
  const page = found.slice(startIndex, startIndex + request.limit)
  return {
    results: page.map((row) => toResult(row, terms, corrections)),
    nextCursor:
      found.length > startIndex + request.limit
        ? formatCursor([String(startIndex + request.limit)])
        : null,
    corrections: Array.from(corrections, ([word, similar]) => ({
      word,
      meant: [...similar],
    })).filter((correction) => correction.meant.length > 0),
  }
}

async function findRows(
  db: Db,
  request: SearchRequest,
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
  speakerQuery: string | null,
  limit: number,
): Promise<SearchRow[]> {
  const { kind } = request
  const tsQuery = toTsQuery(terms, corrections)
  const query = { db, filters: request, exactTsQuery: toExactTsQuery(terms), limit }
  const [segments, passages] = await Promise.all([
    kind === 'document'
      ? []
      : searchNewestTextsFirst(findSegments, {
          ...query,
          tsQuery: speakerQuery === null ? tsQuery : `(${tsQuery}) & ${speakerQuery}`,
        }),
    // Passages of documents have no speaker, so a search by speaker leaves them out.
    kind === 'segment' || speakerQuery !== null
      ? []
      : searchNewestTextsFirst(findPassages, { ...query, tsQuery }),
  ])
  return [...segments, ...passages].toSorted(
    (a, b) =>
      b.score - a.score || b.at.getTime() - a.at.getTime() || (a.sortKey < b.sortKey ? -1 : 1),
  )
}

function toResult(
  found: SearchRow,
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
): SearchResult {
  const { sortKey: _, candidates: __, ...row } = found
  const matches = findMatchingWordPositions(row.text, terms, corrections)
  const before = row.text.slice(0, matches[0]?.start ?? 0)
  const line = row.line === null ? null : row.line + before.split('\n').length - 1
  return { ...row, line, matches }
}

function parseSearchCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [position = ''] = parseCursorOrThrow(cursor, 1)
  if (!/^\d{1,4}$/.test(position)) throw invalidCursorError()
  return Number(position)
}

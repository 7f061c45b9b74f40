import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { formatCursor, invalidCursorError, parseCursorOrThrow } from '../../db/page-cursor.ts'
import {
  findMatchingWordPositions,
  listTsQueriesByUnquotedWord,
  parseWordsAndQuotedPhrases,
  toExactTsQuery,
  toSpeakerTsQuery,
  toTermTsQuery,
  toTsQuery,
  toPositionlessTsQuery,
  type SpellingCorrections,
  type SearchTerm,
} from './query.ts'
import { findRankedRows } from './questions/find-passages.ts'
import { parseQuestion, toSearchTerms } from './questions/question-terms.ts'
import {
  searchNewestTextsFirst,
  findPassages,
  findSegments,
  MAX_CANDIDATES,
  type SearchRow,
} from './search-sources.ts'
import {
  RESULT_KINDS,
  type MatchedWords,
  type ResultKind,
  type SearchResultPage,
  type SearchRequest,
  type SearchResult,
} from './search-types.ts'
import type { SpellingCorrector } from './spelling.ts'
import {
  findBestPassagePerDocument,
  findBestSegmentPerMeeting,
  type WholeSearchQuery,
} from './whole-document-search.ts'

/**
 * Searches the segments of meetings and the passages of documents. If no result has all words, finds results with some
 * of them.
 */
export async function searchMeetingsAndDocuments(
  db: Db,
  spelling: SpellingCorrector,
  viewer: Viewer,
  request: SearchRequest,
): Promise<SearchResultPage> {
  const startIndex = parseSearchCursor(request.cursor)
  const terms = parseWordsAndQuotedPhrases(request.text)
  const speakerQuery = request.speaker === undefined ? null : toSpeakerTsQuery(request.speaker)
  const cannotMatch = terms.length === 0 || (request.speaker !== undefined && speakerQuery === null)
  if (cannotMatch) return { results: [], matched: 'all', nextCursor: null, corrections: [] }
  const endIndex = startIndex + request.limit
  const { found, shownTerms, matched, corrections } = await correctAndFindRows(spelling, {
    db,
    request: { ...request, viewer },
    terms,
    speakerQuery,
    limit: endIndex + 1,
  })
  const page = found.slice(startIndex, endIndex)
  return {
    results: page.map((row) => toResult(row, shownTerms, corrections)),
    matched,
    nextCursor: found.length > endIndex ? formatCursor([String(endIndex)]) : null,
    corrections: Array.from(corrections, ([word, similar]) => ({
      word,
      meant: [...similar],
    })).filter((correction) => correction.meant.length > 0),
  }
}

function countCorrected(corrections: SpellingCorrections): number {
  return [...corrections.values()].filter(({ length }) => length > 0).length
}

type ParsedSearch = {
  db: Db
  request: SearchRequest & { viewer: Viewer }
  terms: readonly SearchTerm[]
  corrections: SpellingCorrections
  speakerQuery: string | null
  limit: number
}

type FoundRows = {
  found: SearchRow[]
  /** The terms whose matches are shown. */
  shownTerms: readonly SearchTerm[]
  matched: MatchedWords
}

/**
 * First accepts every stored word, which is the cheapest. If no text has all words, a word that is in none of the
 * results may occur only in hidden texts. It is then corrected as if no text had it.
 */
async function correctAndFindRows(
  spelling: SpellingCorrector,
  parsed: Omit<ParsedSearch, 'corrections'>,
): Promise<FoundRows & { corrections: SpellingCorrections }> {
  const { viewer } = parsed.request
  const words = listTsQueriesByUnquotedWord(parsed.terms)
  const corrections = await spelling.findCorrections(viewer, words, 'stored')
  const rows = await findRowsWithAllOrAnyWords({ ...parsed, corrections })
  const hasAllWords = rows.matched === 'all' && rows.found.length > 0
  if (hasAllWords || isUnrestricted(viewer)) return { ...rows, corrections }
  const unproven = listWordsWithoutMatch(rows.found, parsed.terms)
  const hidden = await spelling.findCorrections(
    viewer,
    new Map([...words].filter(([word]) => unproven.has(word))),
  )
  const corrected = new Map([...corrections, ...hidden])
  const isChanged = countCorrected(corrected) > countCorrected(corrections)
  return {
    ...(isChanged ? await findRowsWithAllOrAnyWords({ ...parsed, corrections: corrected }) : rows),
    corrections: corrected,
  }
}

/** The unquoted single words that none of these texts contains. */
function listWordsWithoutMatch(
  rows: readonly SearchRow[],
  terms: readonly SearchTerm[],
): Set<string> {
  const missing = new Set<string>()
  for (const term of terms) {
    const isIn = ({ text }: SearchRow) =>
      findMatchingWordPositions(text, [term], new Map()).length > 0
    if (term.singleWord !== null && !rows.some(isIn)) missing.add(term.singleWord)
  }
  return missing
}

async function findRowsWithAllOrAnyWords(search: ParsedSearch): Promise<FoundRows> {
  const withAllWords = await findRowsWithAllWords(search)
  return withAllWords.length > 0 || !canMatchAnyWord(search.terms)
    ? { found: withAllWords, shownTerms: search.terms, matched: 'all' }
    : findRowsWithAnyWord(search)
}

/**
 * Finds the texts that have all words. If they do not fill the page, adds documents and meetings that have all words in
 * different texts.
 */
async function findRowsWithAllWords(search: ParsedSearch): Promise<SearchRow[]> {
  const { db, request, terms, corrections, speakerQuery, limit } = search
  const tsQuery = toTsQuery(terms, corrections)
  const query = { db, filters: request, exactTsQuery: toExactTsQuery(terms), limit }
  const [segments, passages] = await Promise.all([
    includesKind(search, 'segment')
      ? searchNewestTextsFirst(findSegments, {
          ...query,
          tsQuery: speakerQuery === null ? tsQuery : `(${tsQuery}) & ${speakerQuery}`,
        })
      : [],
    includesKind(search, 'document')
      ? searchNewestTextsFirst(findPassages, { ...query, tsQuery })
      : [],
  ])
  const found = sortByScore([...segments, ...passages])
  if (terms.length === 1 || found.length >= limit) return found
  return [...found, ...(await findRowsOfWholeDocuments(search, segments, passages))]
}

/**
 * A quoted phrase must occur, and for a single word there is nothing else to match. In a script without spaces, a whole
 * question is one term, with a part for each pair of characters.
 */
function canMatchAnyWord(terms: readonly SearchTerm[]): boolean {
  if (terms.some(({ isQuoted }) => isQuoted)) return false
  const hasSeveralPairs = terms.some(({ phrases }) =>
    phrases.some((phrase) => phrase.filter(({ width }) => width > 1).length > 1),
  )
  return terms.length > 1 || hasSeveralPairs
}

/** Finds the texts that have some of the words. Rare words have more weight, and stop words have none. */
async function findRowsWithAnyWord(search: ParsedSearch): Promise<FoundRows> {
  const { db, request, corrections, speakerQuery, limit } = search
  const parsed = await parseQuestion(db, request.text, corrections)
  const { viewer, projects, from, to } = request
  const ranked = await findRankedRows(db, parsed, {
    scope: { viewer, projects, from, to, speakerTsQuery: speakerQuery },
    kinds: RESULT_KINDS.filter((kind) => includesKind(search, kind)),
    limit,
  })
  const found = ranked.map((result): SearchRow => {
    const { number: _, ...row } = result
    return row
  })
  if (found.length === 0) return { found, shownTerms: search.terms, matched: 'all' }
  return { found, shownTerms: toSearchTerms(parsed.terms), matched: 'any' }
}

async function findRowsOfWholeDocuments(
  search: ParsedSearch,
  segments: readonly SearchRow[],
  passages: readonly SearchRow[],
): Promise<SearchRow[]> {
  const { db, request, terms, corrections, speakerQuery } = search
  const query: Omit<WholeSearchQuery, 'excludedIds'> = {
    db,
    filters: request,
    termTsQueries: terms.map((term) => toTermTsQuery(term, corrections)),
    wordsTsQuery: toPositionlessTsQuery(terms, corrections),
    exactTsQuery: toExactTsQuery(terms),
    speakerTsQuery: speakerQuery,
  }
  const hasAll = (rows: readonly SearchRow[]) => (rows[0]?.candidates ?? 0) < MAX_CANDIDATES
  const excluding = (rows: readonly SearchRow[]) => ({
    ...query,
    excludedIds: [...new Set(rows.map(({ sourceId }) => sourceId))],
  })
  const rows = await Promise.all([
    includesKind(search, 'segment') && hasAll(segments)
      ? findBestSegmentPerMeeting(excluding(segments))
      : [],
    includesKind(search, 'document') && hasAll(passages)
      ? findBestPassagePerDocument(excluding(passages))
      : [],
  ])
  return sortByScore(rows.flat())
}

/** Passages of documents have no speaker, so a search by speaker leaves them out. */
function includesKind({ request, speakerQuery }: ParsedSearch, kind: ResultKind): boolean {
  if (kind === 'document' && speakerQuery !== null) return false
  return request.kind === undefined || request.kind === kind
}

function sortByScore(rows: SearchRow[]): SearchRow[] {
  return rows.toSorted(
    (a, b) =>
      b.score - a.score || b.at.getTime() - a.at.getTime() || (a.sortKey < b.sortKey ? -1 : 1),
  )
}

function toResult(
  found: SearchRow,
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
): SearchResult {
  const { sortKey: _, candidates: __, sourceId: ___, ...row } = found
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

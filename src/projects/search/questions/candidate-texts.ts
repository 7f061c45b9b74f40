import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/database.ts'
import {
  buildInProjectsCondition,
  buildSegmentProjectTimeCondition,
  PASSAGE_ACCESS,
  SEGMENT_ACCESS,
  selectReadableRows,
  type TextAccess,
  type SearchFilters,
} from '../search-sources.ts'
import type { ResultKind } from '../search-types.ts'
import { toTextOrSpeakerTsQuery, toTextTsQuery, type QuestionTerm } from './question-terms.ts'

/** Where to look for the texts that answer a question. */
export type QuestionScope = SearchFilters & {
  /** Restricts the search to segments of this meeting. */
  meetingId?: string | undefined
  /** A tsquery that the speaker of a segment must match. */
  speakerTsQuery?: string | null | undefined
}

export type CandidateRow = {
  sourceId: string
  number: number
  speaker: string | null
  at: Date
  title: string
  length: number
  termBits: number
}

/** How often the terms occur in a sample of the texts. */
export type TermStatistics = {
  sampleSize: number
  averageLength: number
  /** For each term, how many texts of the sample contain it. */
  counts: number[]
  /** The approximate number of texts. */
  textCount: number
}

/** How many of the newest texts are used to count how frequent the terms are. */
const MAX_SAMPLE = 1_000
/** About how many texts with a rare term the database compares, and how many of them are ranked. */
const MAX_MATCHES = 500
/** The number of matches is estimated from the newest texts. If older texts have far more, the rest is dropped. */
const MAX_ESTIMATE_ERROR = 10
const MAX_CANDIDATES = 500
/** In a single meeting, nearly every text with a term is ranked. */
const MAX_CANDIDATES_OF_MEETING = 5_000
/** The approximate size of a row with its words on disk. */
const BYTES_PER_ROW = 400
/** If all terms are frequent, texts are ranked if they have two of this many terms. */
const MAX_PAIRED_TERMS = 4

type TextSource = {
  table: RawBuilder<unknown>
  tableName: string
  sourceId: RawBuilder<unknown>
  at: RawBuilder<unknown>
  speaker: RawBuilder<unknown>
  /** Joins the candidates `n` with the row that has their title. */
  title: RawBuilder<unknown>
  join: RawBuilder<unknown>
  filter(scope: QuestionScope): RawBuilder<unknown>
  access: TextAccess
}

const SOURCES: Readonly<Record<ResultKind, TextSource>> = {
  segment: {
    table: sql`segment`,
    tableName: 'segment',
    sourceId: sql`meeting_id`,
    at: sql`started_at`,
    speaker: sql`speaker`,
    title: sql`coalesce(m.title, m.recap_title, m.label)`,
    join: sql`join meeting m on m.id = n.source_id`,
    filter: (scope) => sql`${buildSegmentProjectTimeCondition(scope)}
      ${scope.meetingId === undefined ? sql`` : sql`and meeting_id = ${scope.meetingId}`}
      ${scope.speakerTsQuery ? sql`and words @@ ${scope.speakerTsQuery}::tsquery` : sql``}`,
    access: SEGMENT_ACCESS,
  },
  document: {
    table: sql`passage`,
    tableName: 'passage',
    sourceId: sql`document_id`,
    at: sql`at`,
    speaker: sql`null::text`,
    title: sql`coalesce(d.title, d.path)`,
    join: sql`join document d on d.id = n.source_id`,
    filter: ({ projects, from, to }) => sql`
      ${projects === undefined ? sql`true` : buildInProjectsCondition(projects)}
      ${from === undefined ? sql`` : sql`and at >= ${from}`}
      ${to === undefined ? sql`` : sql`and at < ${to}`}`,
    access: PASSAGE_ACCESS,
  },
}

/** Counts the terms in the newest texts, or in all texts of a meeting. The cost does not depend on how many exist. */
export async function countTerms(
  db: Db,
  kind: ResultKind,
  terms: readonly QuestionTerm[],
  scope: QuestionScope,
): Promise<TermStatistics> {
  const source = SOURCES[kind]
  const counts = terms.map(
    (term) => sql`count(*) filter (where words @@ ${toTextOrSpeakerTsQuery(term)}::tsquery)`,
  )
  const { rows } = await sql<{
    sampleSize: number
    averageLength: number | null
    counts: number[]
    newestCount: number
    bytes: number
  }>`
    select count(*)::int as "sampleSize", avg(length(words))::float8 as "averageLength",
      array[${sql.join(counts)}]::int[] as counts, coalesce(max(newest_count), 0)::int as "newestCount",
      pg_relation_size(${source.tableName}::regclass)::float8 as bytes
    from (${newestTexts(source, scope)}) n`.execute(db)
  const [row] = rows
  const sampleSize = row?.sampleSize ?? 0
  const isWhole = scope.meetingId !== undefined || (row?.newestCount ?? 0) < MAX_SAMPLE
  return {
    sampleSize,
    averageLength: row?.averageLength ?? 1,
    counts: row?.counts ?? terms.map(() => 0),
    textCount: isWhole ? sampleSize : Math.max(sampleSize, (row?.bytes ?? 0) / BYTES_PER_ROW),
  }
}

/** The newest texts that the viewer may read, with the number of all newest texts. */
function newestTexts(source: TextSource, scope: QuestionScope): RawBuilder<unknown> {
  const { table, at, sourceId, speaker, filter, access } = source
  const columns = sql`${sourceId} as source_id, number, ${speaker} as speaker, ${at} as at, words,
    ${sql.ref(access.column)}`
  const texts =
    scope.meetingId === undefined
      ? sql`select ${columns} from ${table} where ${filter(scope)} order by ${at} desc limit ${MAX_SAMPLE}`
      : sql`select ${columns} from ${table} where ${filter(scope)}`
  return sql`with texts as materialized (select a.*, count(*) over () as newest_count from (${texts}) a)
    ${selectReadableRows(access, scope, 'texts')}`
}

/** Finds the texts to rank: those with a rare term or, if no term is rare, the newest ones and those with two terms. */
export async function findCandidates(
  db: Db,
  kind: ResultKind,
  terms: readonly QuestionTerm[],
  statistics: TermStatistics,
  scope: QuestionScope,
): Promise<CandidateRow[]> {
  const source = SOURCES[kind]
  const limit = scope.meetingId === undefined ? MAX_CANDIDATES : MAX_CANDIDATES_OF_MEETING
  const maxMatches = Math.max(limit, MAX_MATCHES)
  const { rareTsQuery, pairTsQuery } = chooseTsQueries(terms, statistics, maxMatches)
  const anyTsQuery = terms.map(toTextOrSpeakerTsQuery).join(' | ')
  const search = { db, source, terms, statistics, limit }
  if (rareTsQuery !== null)
    return runCandidateQuery(search, matchingTexts(source, scope, rareTsQuery, maxMatches))
  const newest = sql`select * from (${newestTexts(source, scope)}) t where words @@ ${anyTsQuery}::tsquery`
  const [found, pairs] = await Promise.all([
    runCandidateQuery(search, newest),
    pairTsQuery === null
      ? []
      : runCandidateQuery(search, matchingTexts(source, scope, pairTsQuery, maxMatches)),
  ])
  const keyOf = ({ sourceId, number }: CandidateRow) => `${sourceId} ${number}`
  return [...new Map([...found, ...pairs].map((row) => [keyOf(row), row])).values()]
}

/** Chooses the rarest terms, as long as only a few texts contain them. */
export function chooseTsQueries(
  terms: readonly QuestionTerm[],
  { sampleSize, counts, textCount }: TermStatistics,
  limit: number,
): { rareTsQuery: string | null; pairTsQuery: string | null } {
  const byRarity = terms
    .map((term, i) => ({
      term,
      expected: ((counts[i] ?? 0) / Math.max(1, sampleSize)) * textCount,
    }))
    .toSorted((a, b) => b.term.weight - a.term.weight || a.expected - b.expected)
  const rare: QuestionTerm[] = []
  let sum = 0
  for (const { term, expected } of byRarity) {
    if (sum + expected > limit) continue
    sum += expected
    rare.push(term)
  }
  // A weak word alone does not say what is asked.
  if (rare.some(({ weight }) => weight === byRarity[0]?.term.weight))
    return { rareTsQuery: rare.map(toTextOrSpeakerTsQuery).join(' | '), pairTsQuery: null }
  return { rareTsQuery: null, pairTsQuery: choosePairs(byRarity, textCount, limit) }
}

type ExpectedTerm = { term: QuestionTerm; expected: number }

/** The pairs of terms that occur together in few texts, assuming that terms are independent. */
function choosePairs(
  byRarity: readonly ExpectedTerm[],
  textCount: number,
  limit: number,
): string | null {
  const terms = byRarity.slice(0, MAX_PAIRED_TERMS)
  const pairs = terms
    .flatMap((one, i) => terms.slice(i + 1).map((two) => ({ one, two })))
    .map(({ one, two }) => ({
      tsQuery: `(${toTextOrSpeakerTsQuery(one.term)} & ${toTextOrSpeakerTsQuery(two.term)})`,
      expected: (one.expected * two.expected) / Math.max(1, textCount),
    }))
    .toSorted((a, b) => a.expected - b.expected)
  const chosen: string[] = []
  let sum = 0
  for (const { tsQuery, expected } of pairs) {
    sum += expected
    if (sum <= limit) chosen.push(tsQuery)
  }
  return chosen.length === 0 ? null : chosen.join(' | ')
}

function matchingTexts(
  { table, tableName, at, sourceId, speaker, filter, access }: TextSource,
  scope: QuestionScope,
  tsQuery: string,
  maxMatches: number,
): RawBuilder<unknown> {
  return sql`select ${sourceId} as source_id, number, ${speaker} as speaker, ${at} as at, words
    from ${table} where words @@ ${tsQuery}::tsquery and ${filter(scope)}
      and ${access.isReadable(scope, tableName)}
    limit ${MAX_ESTIMATE_ERROR * maxMatches}`
}

type CandidateSearch = {
  db: Db
  source: TextSource
  terms: readonly QuestionTerm[]
  statistics: TermStatistics
  limit: number
}

/** The weight of a term: the inverse document frequency of BM25 in the sample. */
export function weighTerm({ weight }: QuestionTerm, count: number, sampleSize: number): number {
  return weight * Math.log(1 + (sampleSize - count + 0.5) / (count + 0.5))
}

/** If there are too many texts, returns those whose own terms have the most weight. */
async function runCandidateQuery(
  { db, source, terms, statistics, limit }: CandidateSearch,
  texts: RawBuilder<unknown>,
): Promise<CandidateRow[]> {
  const bits = terms.map(
    (term, i) => sql`((words @@ ${toTextTsQuery(term)}::tsquery)::int << ${sql.lit(i)})`,
  )
  const weights = terms.map((term, i) => {
    const weight = weighTerm(term, statistics.counts[i] ?? 0, statistics.sampleSize)
    return sql`((term_bits >> ${sql.lit(i)}) & 1) * ${weight}::float8`
  })
  const { rows } = await sql<CandidateRow>`
    with compared as materialized (
        select source_id, number, speaker, at, length(words) as length, ${sql.join(bits, sql` | `)} as term_bits
        from (${texts}) t),
      best as (select * from compared order by ${sql.join(weights, sql` + `)} desc, at desc, source_id, number
        limit ${limit})
    select n.source_id::text as "sourceId", n.number, n.speaker, n.at, ${source.title} as title,
      n.length, n.term_bits as "termBits"
    from best n ${source.join}`.execute(db)
  return rows
}

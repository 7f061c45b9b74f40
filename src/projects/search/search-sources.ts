import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { SearchRequest, SearchResult } from './search-types.ts'

/** A search result before its matches are located. */
export type SearchRow = Omit<SearchResult, 'matches'> & {
  /** Gives results with equal score and time a stable order. */
  sortKey: string
  /** How many candidates were ranked in this query. */
  candidates: number
}

/** Only the newest matches are ranked, so that the cost of a common word does not grow with the number of texts. */
const MAX_CANDIDATES = 200
/** How many of the newest texts are searched first. A word in every tenth text has enough matches among them. */
const MAX_NEWEST = 2_000

export type TextSearchQuery = {
  db: Db
  filters: Pick<SearchRequest, 'projects' | 'from' | 'to'>
  tsQuery: string
  exactTsQuery: string
  /** How many of the best results to return. */
  limit: number
}

/** `newest` searches the newest texts one by one; `all` searches every text with the full-text index. */
type SearchScope = 'newest' | 'all'

/** Searches the newest texts first, which is enough for a common word. For a rarer word it then searches all texts. */
export async function searchNewestTextsFirst(
  find: (query: TextSearchQuery, scope: SearchScope) => Promise<SearchRow[]>,
  query: TextSearchQuery,
): Promise<SearchRow[]> {
  const newest = await find(query, 'newest')
  const isEnough = (newest[0]?.candidates ?? 0) >= MAX_CANDIDATES
  return isEnough ? newest : find(query, 'all')
}

/** Exact matches weigh more than prefix matches and corrected words. */
function scoreExpression({ tsQuery, exactTsQuery }: TextSearchQuery): RawBuilder<number> {
  return sql<number>`(ts_rank(words, ${tsQuery}::tsquery, 1) + 2 * ts_rank(words, ${exactTsQuery}::tsquery, 1))::float8`
}

/** A single project is compared with `=`, because only then can PostgreSQL read the index in time order. */
function isInProjects(projects: readonly string[]): RawBuilder<boolean> {
  return projects.length === 1
    ? sql<boolean>`project = ${projects[0]}`
    : sql<boolean>`project = any(${projects}::text[])`
}

export async function findSegments(
  query: TextSearchQuery,
  scope: SearchScope,
): Promise<SearchRow[]> {
  const { db, filters, tsQuery, limit } = query
  const { projects, from, to } = filters
  const filter = sql`
    ${projects === undefined ? sql`true` : sql`meeting_id in (select id from meeting where ${isInProjects(projects)})`}
    ${from === undefined ? sql`` : sql`and started_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and started_at < ${to}`}`
  const { rows } = await sql<SearchRow>`
    with hits as materialized (${
      scope === 'newest'
        ? sql`select meeting_id, number, started_at from (
            select meeting_id, number, started_at, words from segment where ${filter}
            order by started_at desc limit ${MAX_NEWEST}) n where words @@ ${tsQuery}::tsquery`
        : sql`select meeting_id, number, started_at from segment
            where words @@ ${tsQuery}::tsquery and ${filter}`
    }), newest as (select * from hits order by started_at desc, meeting_id, number desc limit ${MAX_CANDIDATES})
    select 'segment' as kind, m.project, coalesce(m.title, m.label) as title, s.meeting_id as "meetingId",
      s.number as "segmentNumber", s.speaker, s.started_at as at, null as path, null as line, s.text,
      ${scoreExpression(query)} as score, s.meeting_id || ' ' || lpad(s.number::text, 9, '0') as "sortKey",
      (select count(*)::int from newest) as candidates
    from newest n join segment s on s.meeting_id = n.meeting_id and s.number = n.number
      join meeting m on m.id = s.meeting_id
    order by score desc, s.started_at desc, "sortKey" limit ${limit}`.execute(db)
  return rows
}

export async function findPassages(
  query: TextSearchQuery,
  scope: SearchScope,
): Promise<SearchRow[]> {
  const { db, filters, tsQuery, limit } = query
  const { projects, from, to } = filters
  const filter = sql`
    ${projects === undefined ? sql`true` : isInProjects(projects)}
    ${from === undefined ? sql`` : sql`and at >= ${from}`}
    ${to === undefined ? sql`` : sql`and at < ${to}`}`
  const { rows } = await sql<SearchRow>`
    with hits as materialized (${
      scope === 'newest'
        ? sql`select document_id, number, at from (
            select document_id, number, at, words from passage where ${filter}
            order by at desc limit ${MAX_NEWEST}) n where words @@ ${tsQuery}::tsquery`
        : sql`select document_id, number, at from passage where words @@ ${tsQuery}::tsquery and ${filter}`
    }), newest as (select * from hits order by at desc, document_id, number limit ${MAX_CANDIDATES})
    select 'document' as kind, d.project, coalesce(d.title, regexp_replace(d.path, '^.*/', '')) as title,
      d.meeting_id as "meetingId", null as "segmentNumber", null as speaker, p.at, d.path, p.line, p.text,
      ${scoreExpression(query)} as score, d.project || '/' || d.path || ' ' || lpad(p.number::text, 9, '0') as "sortKey",
      (select count(*)::int from newest) as candidates
    from newest n join passage p on p.document_id = n.document_id and p.number = n.number
      join document d on d.id = p.document_id
    order by score desc, p.at desc, "sortKey" limit ${limit}`.execute(db)
  return rows
}

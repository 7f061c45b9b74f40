import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { SearchRequest, SearchResult } from './search.ts'

/** A result before its matches are marked. */
export type SearchRow = Omit<SearchResult, 'matches'> & {
  place: string
  /** How many were compared with each other. */
  candidates: number
}

/**
 * Of each kind so many of the newest matches are compared with each other, and for a word that is in every tenth
 * text the newest texts have them: a common word must not cost more the more texts there are.
 */
const MAX_CANDIDATES = 200
const MAX_NEWEST = 2_000

export type SourceQuery = {
  db: Db
  filters: Pick<SearchRequest, 'projects' | 'from' | 'to'>
  tsQuery: string
  exactTsQuery: string
  /** How many of the best are needed. */
  limit: number
}

/** First among the newest, where a common word is found often enough; then, for all others, by the index. */
export async function findNewestFirst(
  find: (question: SourceQuery, isAmongNewest: boolean) => Promise<SearchRow[]>,
  question: SourceQuery,
): Promise<SearchRow[]> {
  const newest = await find(question, true)
  const isEnough = (newest[0]?.candidates ?? 0) >= MAX_CANDIDATES
  return isEnough ? newest : find(question, false)
}

/** What is written as it was asked for counts most. */
function scoreExpression({ tsQuery, exactTsQuery }: SourceQuery): RawBuilder<number> {
  return sql<number>`(ts_rank(words, ${tsQuery}::tsquery, 1) + 2 * ts_rank(words, ${exactTsQuery}::tsquery, 1))::float8`
}

/** One is asked for by itself: only so does the index give its texts in the order of their times. */
function isInProjects(projects: readonly string[]): RawBuilder<boolean> {
  return projects.length === 1
    ? sql<boolean>`project = ${projects[0]}`
    : sql<boolean>`project = any(${projects}::text[])`
}

export async function findSegments(
  question: SourceQuery,
  isAmongNewest: boolean,
): Promise<SearchRow[]> {
  const { db, filters, tsQuery, limit } = question
  const { projects, from, to } = filters
  const within = sql`
    ${projects === undefined ? sql`true` : sql`meeting_id in (select id from meeting where ${isInProjects(projects)})`}
    ${from === undefined ? sql`` : sql`and started_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and started_at < ${to}`}`
  const { rows } = await sql<SearchRow>`
    with hits as materialized (${
      isAmongNewest
        ? sql`select meeting_id, number, started_at from (
            select meeting_id, number, started_at, words from segment where ${within}
            order by started_at desc limit ${MAX_NEWEST}) n where words @@ ${tsQuery}::tsquery`
        : sql`select meeting_id, number, started_at from segment
            where words @@ ${tsQuery}::tsquery and ${within}`
    }), newest as (select * from hits order by started_at desc, meeting_id, number desc limit ${MAX_CANDIDATES})
    select 'segment' as kind, m.project, coalesce(m.title, m.label) as title, s.meeting_id as "meetingId",
      s.number as "segmentNumber", s.speaker, s.started_at as at, null as path, null as line, s.text,
      ${scoreExpression(question)} as score, s.meeting_id || ' ' || lpad(s.number::text, 9, '0') as place,
      (select count(*)::int from newest) as candidates
    from newest n join segment s on s.meeting_id = n.meeting_id and s.number = n.number
      join meeting m on m.id = s.meeting_id
    order by score desc, s.started_at desc, place limit ${limit}`.execute(db)
  return rows
}

export async function findPassages(
  question: SourceQuery,
  isAmongNewest: boolean,
): Promise<SearchRow[]> {
  const { db, filters, tsQuery, limit } = question
  const { projects, from, to } = filters
  const within = sql`
    ${projects === undefined ? sql`true` : isInProjects(projects)}
    ${from === undefined ? sql`` : sql`and at >= ${from}`}
    ${to === undefined ? sql`` : sql`and at < ${to}`}`
  const { rows } = await sql<SearchRow>`
    with hits as materialized (${
      isAmongNewest
        ? sql`select document_id, number, at from (
            select document_id, number, at, words from passage where ${within}
            order by at desc limit ${MAX_NEWEST}) n where words @@ ${tsQuery}::tsquery`
        : sql`select document_id, number, at from passage where words @@ ${tsQuery}::tsquery and ${within}`
    }), newest as (select * from hits order by at desc, document_id, number limit ${MAX_CANDIDATES})
    select 'document' as kind, d.project, coalesce(d.title, regexp_replace(d.path, '^.*/', '')) as title,
      d.meeting_id as "meetingId", null as "segmentNumber", null as speaker, p.at, d.path, p.line, p.text,
      ${scoreExpression(question)} as score, d.project || '/' || d.path || ' ' || lpad(p.number::text, 9, '0') as place,
      (select count(*)::int from newest) as candidates
    from newest n join passage p on p.document_id = n.document_id and p.number = n.number
      join document d on d.id = p.document_id
    order by score desc, p.at desc, place limit ${limit}`.execute(db)
  return rows
}

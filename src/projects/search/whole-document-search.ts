import { sql, type RawBuilder } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Db } from '../../db/database.ts'
import {
  buildInProjectsCondition,
  PASSAGE_COLUMNS,
  buildScoreExpression,
  SEGMENT_COLUMNS,
  buildSegmentProjectTimeCondition,
  TITLE_PASSAGE_NUMBER,
  type SearchFilters,
  type SearchRow,
} from './search-sources.ts'
import { MEETING_WORDS_INDEX_VERSION } from './words/search-vector.ts'

/** A search for documents and meetings that have all words, although none of their texts has them all. */
export type WholeSearchQuery = {
  db: Db
  filters: SearchFilters
  /** The tsquery of each term. */
  termTsQueries: readonly string[]
  /** A tsquery for all terms, by words without positions. */
  wordsTsQuery: string
  exactTsQuery: string
  speakerTsQuery: string | null
  /** Ids of documents or meetings to leave out, because one of their texts has all words. */
  excludedIds: readonly string[]
}

/** How many of the newest documents or meetings are searched text by text. */
const MAX_WHOLE_CANDIDATES = 50

/** The best passage of each document. Its title is searched too, but is shown only if nothing else in it matches. */
export async function findBestPassagePerDocument(query: WholeSearchQuery): Promise<SearchRow[]> {
  const { db, filters, excludedIds } = query
  const { viewer, projects, from, to } = filters
  const { rows } = await sql<SearchRow>`
    with candidates as materialized (
      select d.id from document_words w join document d on d.id = w.document_id
      where w.words @@ ${query.wordsTsQuery}::tsquery and d.id <> all(${excludedIds}::bigint[])
        and ${readsProject(viewer, 'd.project')}
        ${projects === undefined ? sql`` : sql`and ${buildInProjectsCondition(projects)}`}
        ${from === undefined ? sql`` : sql`and d.date >= ${from}`}
        ${to === undefined ? sql`` : sql`and d.date < ${to}`}
      order by d.date desc, d.id limit ${MAX_WHOLE_CANDIDATES}
    ), hits as materialized (
      select p.document_id, p.number, p.number = ${TITLE_PASSAGE_NUMBER} as is_title, ${foundTerms(query)} as found,
        ${buildScoreExpression(toRankedQuery(query))} as score
      from candidates c join passage p on p.document_id = c.id where p.words @@ ${anyTerm(query)}::tsquery
    ), complete as (
      select document_id from hits group by document_id having ${everyTerm(query, sql`found`)}
    ), best as (
      select distinct on (document_id) document_id, number, ${weightedScore(query)} as score
      from hits join complete using (document_id)
      order by document_id, is_title, ${foundCount(query)} desc, score desc, number
    )
    select ${PASSAGE_COLUMNS}, b.score, 0 as candidates
    from best b join passage p on p.document_id = b.document_id and p.number = b.number
      join document d on d.id = p.document_id`.execute(db)
  return rows
}

/** The best segment of each meeting. The title of an ended meeting is searched too. */
export async function findBestSegmentPerMeeting(query: WholeSearchQuery): Promise<SearchRow[]> {
  const { db, filters, excludedIds, speakerTsQuery } = query
  const { viewer, projects } = filters
  const meetingFilter = sql`m.id <> all(${excludedIds}::text[]) and ${readsProject(viewer, 'm.project')}
    ${projects === undefined ? sql`` : sql`and ${buildInProjectsCondition(projects)}`}`
  const hasUncollectedWords = sql`m.words_version < ${MEETING_WORDS_INDEX_VERSION} and m.segment_count > 0`
  const { rows } = await sql<SearchRow>`
    with candidates as materialized (
      (select m.id, w.title from meeting_words w join meeting m on m.id = w.meeting_id
        where w.words @@ ${query.wordsTsQuery}::tsquery and m.words_version = ${MEETING_WORDS_INDEX_VERSION} and ${meetingFilter}
        order by m.started_at desc, m.id limit ${MAX_WHOLE_CANDIDATES})
      union all
      -- Ended meetings whose words are not collected yet, in the order of the index that has only them.
      (select m.id, ''::tsvector from meeting m
        where m.ended_at is not null and ${hasUncollectedWords} and ${meetingFilter}
        order by m.words_version, m.started_at desc limit ${MAX_WHOLE_CANDIDATES})
      union all
      -- Meetings in progress.
      (select m.id, ''::tsvector from meeting m
        where m.status not in ('ended', 'error', 'scheduled') and ${hasUncollectedWords} and ${meetingFilter}
        order by m.started_at desc, m.id limit ${MAX_WHOLE_CANDIDATES})
    ), hits as materialized (
      select s.meeting_id, s.number, ${foundTerms(query)} as found, ${foundTerms(query, sql`c.title`)} as found_in_title,
        ${buildScoreExpression(toRankedQuery(query))} as score
      from candidates c join segment s on s.meeting_id = c.id
      where s.words @@ ${anyTerm(query)}::tsquery and ${buildSegmentProjectTimeCondition(filters)}
        ${speakerTsQuery === null ? sql`` : sql`and s.words @@ ${speakerTsQuery}::tsquery`}
    ), complete as (
      select meeting_id from hits group by meeting_id having ${everyTerm(query, sql`found`, sql`found_in_title`)}
    ), best as (
      select distinct on (meeting_id) meeting_id, number, ${weightedScore(query)} as score
      from hits join complete using (meeting_id)
      order by meeting_id, ${foundCount(query)} desc, score desc, number desc
    )
    select ${SEGMENT_COLUMNS}, b.score, 0 as candidates
    from best b join segment s on s.meeting_id = b.meeting_id and s.number = b.number
      join meeting m on m.id = s.meeting_id`.execute(db)
  return rows
}

/** A tsquery for texts with at least one of the terms. */
function anyTerm({ termTsQueries }: WholeSearchQuery): string {
  return termTsQueries.join(' | ')
}

function toRankedQuery(query: WholeSearchQuery) {
  return { tsQuery: anyTerm(query), exactTsQuery: query.exactTsQuery }
}

/** For each term, true if a text has it. */
function foundTerms(
  { termTsQueries }: WholeSearchQuery,
  words: RawBuilder<unknown> = sql`words`,
): RawBuilder<boolean[]> {
  const found = termTsQueries.map((term) => sql`${words} @@ ${term}::tsquery`)
  return sql<boolean[]>`array[${sql.join(found)}]`
}

/** True if the texts of a group have every term in any of the given columns of `foundTerms`. */
function everyTerm(
  { termTsQueries }: WholeSearchQuery,
  ...columns: RawBuilder<unknown>[]
): RawBuilder<boolean> {
  const found = termTsQueries.map((_, i) => {
    const inColumns = columns.map((column) => sql`bool_or(${column}[${sql.lit(i + 1)}])`)
    return sql`(${sql.join(inColumns, sql` or `)})`
  })
  return sql<boolean>`${sql.join(found, sql` and `)}`
}

function foundCount({ termTsQueries }: WholeSearchQuery): RawBuilder<number> {
  const counts = termTsQueries.map((_, i) => sql`found[${sql.lit(i + 1)}]::int`)
  return sql<number>`(${sql.join(counts, sql` + `)})`
}

/** A text with few of the terms gets a lower score. */
function weightedScore(query: WholeSearchQuery): RawBuilder<number> {
  return sql<number>`score * ${foundCount(query)} / ${sql.lit(query.termTsQueries.length)}`
}

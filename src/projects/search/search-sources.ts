import { sql, type RawBuilder } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { PROJECTS_ROOT } from '../document-ref.ts'
import type { SearchRequest, SearchResult } from './search-types.ts'

/** A search result before its matches are located. */
export type SearchRow = Omit<SearchResult, 'matches'> & {
  /** The meeting or document that contains the result. */
  sourceId: string
  /** Gives results with equal score and time a stable order. */
  sortKey: string
  /** How many candidates this query ranked. */
  candidates: number
}

/** Only the newest matches are ranked, so that the cost of a common word does not grow with the number of texts. */
export const MAX_CANDIDATES = 200
/** How many of the newest texts are searched first. A word in every tenth text has enough matches among them. */
const MAX_NEWEST = 2_000
/** The passage number of a document's title. The document's text begins with number 1. */
export const TITLE_PASSAGE_NUMBER = 0

/** The limits of a search: those in its request, and what its viewer may read. */
export type SearchFilters = Pick<SearchRequest, 'projects' | 'from' | 'to'> & { viewer: Viewer }

export type TextSearchQuery = {
  db: Db
  filters: SearchFilters
  tsQuery: string
  exactTsQuery: string
  /** How many of the best results to return. */
  limit: number
}

/** `newest` searches the newest texts one by one. `all` searches every text with the full-text index. */
type SearchScope = 'newest' | 'all'

/** Searches the newest texts first, which is enough for a common word. For a rarer word, it then searches all texts. */
export async function searchNewestTextsFirst(
  find: (query: TextSearchQuery, scope: SearchScope) => Promise<SearchRow[]>,
  query: TextSearchQuery,
): Promise<SearchRow[]> {
  const newest = await find(query, 'newest')
  const isEnough = (newest[0]?.candidates ?? 0) >= MAX_CANDIDATES
  return isEnough ? newest : find(query, 'all')
}

/** The weights of a tsvector from D to A: words of the text, parts of words, the speaker. A is not used. */
const WEIGHTS = sql`'{0.1, 0.05, 0.4, 1}'::float4[]`

/** Exact matches have more weight than prefix matches and corrected words. */
export function buildScoreExpression({
  tsQuery,
  exactTsQuery,
}: Pick<TextSearchQuery, 'tsQuery' | 'exactTsQuery'>): RawBuilder<number> {
  return sql<number>`(ts_rank(${WEIGHTS}, words, ${tsQuery}::tsquery, 1)
    + 2 * ts_rank(${WEIGHTS}, words, ${exactTsQuery}::tsquery, 1))::float8`
}

/** A single project is compared with `=`, because only then can PostgreSQL read the index in time order. */
export function buildInProjectsCondition(projects: readonly string[]): RawBuilder<boolean> {
  return projects.length === 1
    ? sql<boolean>`project = ${projects[0]}`
    : sql<boolean>`project = any(${projects}::text[])`
}

/**
 * SQL condition for segments: the viewer may read the meeting. Uses a subquery for each row, so that only meetings of
 * matching segments are looked up. Apply it to matches, not to all texts.
 */
export function isReadableSegment(
  { viewer }: Pick<SearchFilters, 'viewer'>,
  table: string,
): RawBuilder<boolean> {
  return isUnrestricted(viewer)
    ? sql<boolean>`true`
    : sql<boolean>`(select ${readsProject(viewer, 'mv.project')} from meeting mv
        where mv.id = ${sql.ref(`${table}.meeting_id`)})`
}

/** SQL condition for passages: the viewer may read the document. Apply it to matches, not to all texts. */
export function isReadablePassage(
  { viewer }: Pick<SearchFilters, 'viewer'>,
  table: string,
): RawBuilder<boolean> {
  return readsProject(viewer, `${table}.project`)
}

/** How to find out if a text may be read: the column that decides, and the condition. */
export type TextAccess = {
  /** Texts with the same value are either all readable or all hidden. */
  column: string
  /** True if the newest texts have few different values. A meeting has many segments, but a project few passages. */
  isRepeated: boolean
  isReadable(filters: Pick<SearchFilters, 'viewer'>, table: string): RawBuilder<boolean>
}
export const SEGMENT_ACCESS: TextAccess = {
  column: 'meeting_id',
  isRepeated: true,
  isReadable: isReadableSegment,
}
export const PASSAGE_ACCESS: TextAccess = {
  column: 'project',
  isRepeated: false,
  isReadable: isReadablePassage,
}

/** The rows of a table that the viewer may read. Each meeting or project is looked up once. */
export function selectReadableRows(
  { column, isReadable }: TextAccess,
  filters: Pick<SearchFilters, 'viewer'>,
  table: string,
): RawBuilder<unknown> {
  if (isUnrestricted(filters.viewer)) return sql`select * from ${sql.table(table)}`
  const key = sql.ref(column)
  return sql`select * from ${sql.table(table)} where ${key} in (
    select ${key} from (select distinct ${key} from ${sql.table(table)}) keys where ${isReadable(filters, 'keys')})`
}

/** The newest matches in `hits` that the viewer may read. */
function selectReadableHits(
  access: TextAccess,
  filters: SearchFilters,
  scope: SearchScope,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if ((scope === 'newest' && access.isRepeated) || isUnrestricted(filters.viewer))
    return sql`select * from (${selectReadableRows(access, filters, 'hits')}) h order by ${order} limit ${MAX_CANDIDATES}`
  // Only the newest matches matter, so they are checked one after another until there are enough. `offset 0` keeps
  // PostgreSQL from checking all of them before it sorts.
  return sql`select * from (select * from hits order by ${order} offset 0) h
    where ${access.isReadable(filters, 'h')} limit ${MAX_CANDIDATES}`
}

/** The project and time filters of a request for segments. Does not check what the viewer may read. */
export function buildSegmentProjectTimeCondition({
  projects,
  from,
  to,
}: Omit<SearchFilters, 'viewer'>): RawBuilder<boolean> {
  return sql<boolean>`
    ${projects === undefined ? sql`true` : sql`meeting_id in (select id from meeting where ${buildInProjectsCondition(projects)})`}
    ${from === undefined ? sql`` : sql`and started_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and started_at < ${to}`}`
}

export async function findSegments(
  query: TextSearchQuery,
  scope: SearchScope,
): Promise<SearchRow[]> {
  const { db, filters, tsQuery, limit } = query
  const filter = buildSegmentProjectTimeCondition(filters)
  const order = sql`started_at desc, meeting_id, number desc`
  const { rows } = await sql<SearchRow>`
    with hits as materialized (${
      scope === 'newest'
        ? sql`select meeting_id, number, started_at from (
            select meeting_id, number, started_at, words from segment where ${filter}
            order by started_at desc limit ${MAX_NEWEST}) n where words @@ ${tsQuery}::tsquery`
        : sql`select meeting_id, number, started_at from segment
            where words @@ ${tsQuery}::tsquery and ${filter}`
    }), newest as (${selectReadableHits(SEGMENT_ACCESS, filters, scope, order)})
    select ${SEGMENT_COLUMNS}, ${buildScoreExpression(query)} as score,
      (select count(*)::int from newest) as candidates
    from newest n join segment s on s.meeting_id = n.meeting_id and s.number = n.number
      join meeting m on m.id = s.meeting_id
    order by score desc, s.started_at desc, "sortKey" limit ${limit}`.execute(db)
  return rows
}

/** The columns of a result from `segment s` and `meeting m`. */
export const SEGMENT_COLUMNS = sql`'segment' as kind, m.project, coalesce(m.title, m.recap_title, m.label) as title,
  s.meeting_id as "meetingId", s.number as "segmentNumber", s.speaker, s.started_at as at, null as path, null as line,
  s.text, s.meeting_id as "sourceId", s.meeting_id || ' ' || lpad(s.number::text, 9, '0') as "sortKey"`

/**
 * True if `document d` is the document of `meeting m`. Its front matter alone does not prove that, because any author
 * can name any meeting in it.
 */
export const IS_DOCUMENT_OF_MEETING = sql<boolean>`m.id = d.meeting_id
  and m.document_path = ${`${PROJECTS_ROOT}/`} || d.project || '/' || d.path`

/** The columns of a result from `passage p` and `document d`. */
export const PASSAGE_COLUMNS = sql`'document' as kind, d.project,
  coalesce(d.title, regexp_replace(d.path, '^.*/', '')) as title,
  (select m.id from meeting m where ${IS_DOCUMENT_OF_MEETING}) as "meetingId", null as "segmentNumber",
  null as speaker, p.at, d.path, p.line, p.text, d.id::text as "sourceId",
  d.project || '/' || d.path || ' ' || lpad(p.number::text, 9, '0') as "sortKey"`

/**
 * Finds passages of documents. A document whose title and passages match is one result: the best passage gets the
 * title's score, and the title is left out.
 */
export async function findPassages(
  query: TextSearchQuery,
  scope: SearchScope,
): Promise<SearchRow[]> {
  const { db, filters, tsQuery, limit } = query
  const { projects, from, to } = filters
  const filter = sql`
    ${projects === undefined ? sql`true` : buildInProjectsCondition(projects)}
    ${from === undefined ? sql`` : sql`and at >= ${from}`}
    ${to === undefined ? sql`` : sql`and at < ${to}`}`
  const order = sql`at desc, document_id, number`
  const { rows } = await sql<SearchRow>`
    with hits as materialized (${
      scope === 'newest'
        ? sql`select document_id, number, at, project from (
            select document_id, number, at, words, project from passage where ${filter}
            order by at desc limit ${MAX_NEWEST}) n where words @@ ${tsQuery}::tsquery`
        : sql`select document_id, number, at, project from passage
            where words @@ ${tsQuery}::tsquery and ${filter}`
    }), newest as (${selectReadableHits(PASSAGE_ACCESS, filters, scope, order)}),
    scored as (
      select n.*, ${buildScoreExpression(query)} as score, n.number = ${TITLE_PASSAGE_NUMBER} as is_title
      from newest n join passage p on p.document_id = n.document_id and p.number = n.number
    ), ranked as (
      select document_id, number, is_title, count(*) over document as matches,
        case when row_number() over (partition by document_id, is_title order by score desc, number) = 1
          then max(score) over document else score end as score
      from scored window document as (partition by document_id)
    )
    select ${PASSAGE_COLUMNS}, r.score, (select count(*)::int from newest) as candidates
    from ranked r join passage p on p.document_id = r.document_id and p.number = r.number
      join document d on d.id = p.document_id
    where not (r.is_title and r.matches > 1)
    order by r.score desc, p.at desc, "sortKey" limit ${limit}`.execute(db)
  return rows
}

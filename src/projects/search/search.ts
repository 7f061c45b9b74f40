import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/open.ts'
import { marksIn, type Mark } from './marks.ts'
import {
  doubtfulWords,
  readTerms,
  toExactQuery,
  toSpeakerQuery,
  toTsQuery,
  type Meant,
  type Term,
} from './query.ts'
import type { Spelling } from './spelling.ts'

/** `segment`: somebody said it; `document`: it is written in a file. */
export const RESULT_KINDS = ['segment', 'document'] as const
export type ResultKind = (typeof RESULT_KINDS)[number]

export type SearchRequest = {
  text: string
  project?: string | undefined
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
  matches: Mark[]
  score: number
}

export type SearchPage = {
  results: SearchResult[]
  nextCursor: string | null
  /** What was looked for instead of words that nobody ever wrote. */
  corrections: Array<{ word: string; meant: string[] }>
}

/**
 * Of each kind so many of the newest matches are compared with each other, and for a word that is in every tenth
 * text the newest texts have them: a common word must not cost more the more texts there are.
 */
const CANDIDATES = 200
const NEWEST = 2_000

/** Searches what was said and what is written. */
export async function search(
  db: Db,
  spelling: Spelling,
  request: SearchRequest,
): Promise<SearchPage> {
  const start = readCursor(request.cursor)
  const terms = readTerms(request.text)
  const by = request.speaker === undefined ? null : toSpeakerQuery(request.speaker)
  const isHopeless = terms.length === 0 || (request.speaker !== undefined && by === null)
  if (isHopeless) return { results: [], nextCursor: null, corrections: [] }
  const meant = await spelling.meantBy(doubtfulWords(terms))
  const found = await findAll(db, request, terms, meant, by, start + request.limit + 1)
  const page = found.slice(start, start + request.limit)
  return {
    results: page.map((row) => toResult(row, terms, meant)),
    nextCursor: found.length > start + request.limit ? writeCursor(start + request.limit) : null,
    corrections: Array.from(meant, ([word, others]) => ({ word, meant: [...others] })).filter(
      (correction) => correction.meant.length > 0,
    ),
  }
}

type Row = Omit<SearchResult, 'matches'> & {
  place: string
  /** How many were compared with each other. */
  candidates: number
}

async function findAll(
  db: Db,
  request: SearchRequest,
  terms: readonly Term[],
  meant: Meant,
  by: string | null,
  most: number,
): Promise<Row[]> {
  const { kind } = request
  const wanted = toTsQuery(terms, meant)
  const question = { db, filters: request, exact: toExactQuery(terms), most }
  const [said, written] = await Promise.all([
    kind === 'document'
      ? []
      : ask(findSegments, { ...question, wanted: by === null ? wanted : `(${wanted}) & ${by}` }),
    // Nobody in particular says what is in a file.
    kind === 'segment' || by !== null ? [] : ask(findPassages, { ...question, wanted }),
  ])
  return [...said, ...written].toSorted(
    (a, b) => b.score - a.score || b.at.getTime() - a.at.getTime() || (a.place < b.place ? -1 : 1),
  )
}

type Question = {
  db: Db
  filters: Pick<SearchRequest, 'project' | 'from' | 'to'>
  wanted: string
  exact: string
  /** How many of the best are needed. */
  most: number
}

/** First among the newest, where a common word is found often enough; then, for all others, by the index. */
async function ask(
  find: (question: Question, isAmongNewest: boolean) => Promise<Row[]>,
  question: Question,
): Promise<Row[]> {
  const newest = await find(question, true)
  const isEnough = (newest[0]?.candidates ?? 0) >= CANDIDATES
  return isEnough ? newest : find(question, false)
}

/** What is written as it was asked for counts most. */
function scoreOf({ wanted, exact }: Question): RawBuilder<number> {
  return sql<number>`(ts_rank(words, ${wanted}::tsquery, 1) + 2 * ts_rank(words, ${exact}::tsquery, 1))::float8`
}

async function findSegments(question: Question, isAmongNewest: boolean): Promise<Row[]> {
  const { db, filters, wanted, most } = question
  const { project, from, to } = filters
  const within = sql`
    ${project === undefined ? sql`true` : sql`meeting_id in (select id from meeting where project = ${project})`}
    ${from === undefined ? sql`` : sql`and started_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and started_at < ${to}`}`
  const { rows } = await sql<Row>`
    with hits as materialized (${
      isAmongNewest
        ? sql`select meeting_id, number, started_at from (
            select meeting_id, number, started_at, words from segment where ${within}
            order by started_at desc limit ${NEWEST}) n where words @@ ${wanted}::tsquery`
        : sql`select meeting_id, number, started_at from segment
            where words @@ ${wanted}::tsquery and ${within}`
    }), newest as (select * from hits order by started_at desc, meeting_id, number desc limit ${CANDIDATES})
    select 'segment' as kind, m.project, coalesce(m.title, m.label) as title, s.meeting_id as "meetingId",
      s.number as "segmentNumber", s.speaker, s.started_at as at, null as path, null as line, s.text,
      ${scoreOf(question)} as score, s.meeting_id || ' ' || lpad(s.number::text, 9, '0') as place,
      (select count(*)::int from newest) as candidates
    from newest n join segment s on s.meeting_id = n.meeting_id and s.number = n.number
      join meeting m on m.id = s.meeting_id
    order by score desc, s.started_at desc, place limit ${most}`.execute(db)
  return rows
}

async function findPassages(question: Question, isAmongNewest: boolean): Promise<Row[]> {
  const { db, filters, wanted, most } = question
  const { project, from, to } = filters
  const within = sql`
    ${project === undefined ? sql`true` : sql`project = ${project}`}
    ${from === undefined ? sql`` : sql`and at >= ${from}`}
    ${to === undefined ? sql`` : sql`and at < ${to}`}`
  const { rows } = await sql<Row>`
    with hits as materialized (${
      isAmongNewest
        ? sql`select document_id, number, at from (
            select document_id, number, at, words from passage where ${within}
            order by at desc limit ${NEWEST}) n where words @@ ${wanted}::tsquery`
        : sql`select document_id, number, at from passage where words @@ ${wanted}::tsquery and ${within}`
    }), newest as (select * from hits order by at desc, document_id, number limit ${CANDIDATES})
    select 'document' as kind, d.project, coalesce(d.title, regexp_replace(d.path, '^.*/', '')) as title,
      d.meeting_id as "meetingId", null as "segmentNumber", null as speaker, p.at, d.path, p.line, p.text,
      ${scoreOf(question)} as score, d.project || '/' || d.path || ' ' || lpad(p.number::text, 9, '0') as place,
      (select count(*)::int from newest) as candidates
    from newest n join passage p on p.document_id = n.document_id and p.number = n.number
      join document d on d.id = p.document_id
    order by score desc, p.at desc, place limit ${most}`.execute(db)
  return rows
}

function toResult(found: Row, terms: readonly Term[], meant: Meant): SearchResult {
  const { place: _, candidates: __, ...row } = found
  const matches = marksIn(row.text, terms, meant)
  const before = row.text.slice(0, matches[0]?.start ?? 0)
  const line = row.line === null ? null : row.line + before.split('\n').length - 1
  return { ...row, line, matches }
}

function writeCursor(position: number): string {
  return Buffer.from(`after ${position}`).toString('base64url')
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [, position] = /^after (\d{1,4})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position !== undefined) return Number(position)
  throw new ServiceError('invalid_request', {
    details: [{ path: 'cursor', message: 'Must be the nextCursor of an earlier answer' }],
  })
}

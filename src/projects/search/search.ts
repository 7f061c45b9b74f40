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

/** Of each kind the newest matches so many are compared with each other: a common word must not cost more than a rare one. */
const CANDIDATES = 200

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
  const found = await findAll(db, request, terms, meant, by)
  const page = found.slice(start, start + request.limit)
  return {
    results: page.map((row) => toResult(row, terms, meant)),
    nextCursor: found.length > start + request.limit ? writeCursor(start + request.limit) : null,
    corrections: Array.from(meant, ([word, others]) => ({ word, meant: [...others] })).filter(
      (correction) => correction.meant.length > 0,
    ),
  }
}

type Row = Omit<SearchResult, 'matches'> & { place: string }

async function findAll(
  db: Db,
  request: SearchRequest,
  terms: readonly Term[],
  meant: Meant,
  by: string | null,
): Promise<Row[]> {
  const { kind } = request
  const wanted = toTsQuery(terms, meant)
  const exact = toExactQuery(terms)
  const [said, written] = await Promise.all([
    kind === 'document'
      ? []
      : findSegments(db, request, by === null ? wanted : `(${wanted}) & ${by}`, exact),
    // Nobody in particular says what is in a file.
    kind === 'segment' || by !== null ? [] : findPassages(db, request, wanted, exact),
  ])
  return [...said, ...written].toSorted(
    (a, b) => b.score - a.score || b.at.getTime() - a.at.getTime() || (a.place < b.place ? -1 : 1),
  )
}

/** What is written as it was asked for counts most. */
function scoreOf(exact: string): RawBuilder<number> {
  return sql<number>`(ts_rank(words, w.wanted, 1) + 2 * ts_rank(words, ${exact}::tsquery, 1))::float8`
}

async function findSegments(
  db: Db,
  { project, from, to }: SearchRequest,
  wanted: string,
  exact: string,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with w as (select ${wanted}::tsquery as wanted)
    select 'segment' as kind, m.project, coalesce(m.title, m.label) as title, s.meeting_id as "meetingId",
      s.number as "segmentNumber", s.speaker, s.started_at as at, null as path, null as line, s.text,
      ${scoreOf(exact)} as score, s.meeting_id || ' ' || lpad(s.number::text, 9, '0') as place
    from w, (
      select meeting_id, number, speaker, started_at, text, words from segment
      where words @@ ${wanted}::tsquery
        ${project === undefined ? sql`` : sql`and meeting_id in (select id from meeting where project = ${project})`}
        ${from === undefined ? sql`` : sql`and started_at >= ${from}`}
        ${to === undefined ? sql`` : sql`and started_at < ${to}`}
      order by started_at desc limit ${CANDIDATES}
    ) s join meeting m on m.id = s.meeting_id`.execute(db)
  return rows
}

async function findPassages(
  db: Db,
  { project, from, to }: SearchRequest,
  wanted: string,
  exact: string,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with w as (select ${wanted}::tsquery as wanted)
    select 'document' as kind, d.project, coalesce(d.title, regexp_replace(d.path, '^.*/', '')) as title,
      d.meeting_id as "meetingId", null as "segmentNumber", null as speaker, p.at, d.path, p.line, p.text,
      ${scoreOf(exact)} as score, d.project || '/' || d.path || ' ' || lpad(p.number::text, 9, '0') as place
    from w, (
      select document_id, number, at, line, text, words from passage
      where words @@ ${wanted}::tsquery
        ${project === undefined ? sql`` : sql`and project = ${project}`}
        ${from === undefined ? sql`` : sql`and at >= ${from}`}
        ${to === undefined ? sql`` : sql`and at < ${to}`}
      order by at desc limit ${CANDIDATES}
    ) p join document d on d.id = p.document_id`.execute(db)
  return rows
}

function toResult(found: Row, terms: readonly Term[], meant: Meant): SearchResult {
  const { place: _, ...row } = found
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

import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { PASSAGE_COLUMNS, SEGMENT_COLUMNS, type SearchRow } from '../search-sources.ts'
import type { ResultKind } from '../search-types.ts'

type RankedPosition = { kind: ResultKind; sourceId: string; number: number; score: number }

/** A text next to a result. */
export type NeighbourText = {
  /** The number of the segment, or of the passage in its document. */
  number: number
  /** Null for a document. */
  speaker: string | null
  /** When it was said, or the date of the document. */
  at: Date
  /** For a document, the line in its file where the text begins. */
  line: number | null
  text: string
}

/** A result with the number of its segment, or of its passage in the document. */
export type RankedRow = SearchRow & { number: number }

/** Reads what results show, in the given order. Leaves out texts that were removed in the meantime. */
export async function loadRankedRows(
  db: Db,
  ranked: readonly RankedPosition[],
): Promise<RankedRow[]> {
  const [segments, passages] = await Promise.all([
    loadSegments(
      db,
      ranked.filter(({ kind }) => kind === 'segment'),
    ),
    loadPassages(
      db,
      ranked.filter(({ kind }) => kind === 'document'),
    ),
  ])
  const keyOf = ({ kind, sourceId, number }: Omit<RankedPosition, 'score'>) =>
    `${kind} ${sourceId} ${number}`
  const rows = new Map([...segments, ...passages].map((row) => [keyOf(row), row]))
  return ranked.flatMap((position) => {
    const row = rows.get(keyOf(position))
    return row === undefined ? [] : [{ ...row, score: position.score, candidates: 0 }]
  })
}

async function loadSegments(db: Db, ranked: readonly RankedPosition[]): Promise<RankedRow[]> {
  if (ranked.length === 0) return []
  const { rows } = await sql<RankedRow>`
    select ${SEGMENT_COLUMNS}, s.number, 0 as score, 0 as candidates
    from unnest(${ranked.map(({ sourceId }) => sourceId)}::text[], ${ranked.map(({ number }) => number)}::int[])
        as r(meeting_id, number)
      join segment s on s.meeting_id = r.meeting_id and s.number = r.number
      join meeting m on m.id = s.meeting_id`.execute(db)
  return rows
}

async function loadPassages(db: Db, ranked: readonly RankedPosition[]): Promise<RankedRow[]> {
  if (ranked.length === 0) return []
  const { rows } = await sql<RankedRow>`
    select ${PASSAGE_COLUMNS}, p.number, 0 as score, 0 as candidates
    from unnest(${ranked.map(({ sourceId }) => sourceId)}::bigint[], ${ranked.map(({ number }) => number)}::int[])
        as r(document_id, number)
      join passage p on p.document_id = r.document_id and p.number = r.number
      join document d on d.id = p.document_id`.execute(db)
  return rows
}

type Neighbours = { before: NeighbourText[]; after: NeighbourText[] }

/** The texts before and after each result. */
export async function loadNeighbours(
  db: Db,
  results: readonly RankedRow[],
  reach: { before: number; after: number },
): Promise<Neighbours[]> {
  const all: Neighbours[] = results.map(() => ({ before: [], after: [] }))
  const positions = results.map(({ kind, sourceId, number }, index) => ({
    kind,
    sourceId,
    number,
    index,
  }))
  const load = async (kind: ResultKind) => {
    const wanted = positions.filter((position) => position.kind === kind)
    if (wanted.length === 0) return
    const given = sql`unnest(${wanted.map(({ index }) => index)}::int[],
      ${wanted.map(({ sourceId }) => sourceId)}::text[], ${wanted.map(({ number }) => number)}::int[])
      as r(index, source_id, number)`
    const { rows } = await sql<NeighbourText & { index: number }>`
      ${
        kind === 'segment'
          ? sql`select r.index, t.number, t.speaker, t.started_at as at, null as line, t.text from ${given}
              join segment t on t.meeting_id = r.source_id`
          : sql`select r.index, t.number, null as speaker, t.at, t.line, t.text from ${given}
              join passage t on t.document_id = r.source_id::bigint`
      } and t.number between r.number - ${reach.before}::int and r.number + ${reach.after}::int and t.number <> r.number
      order by r.index, t.number`.execute(db)
    for (const { index, ...text } of rows) {
      const isBefore = text.number < (results[index]?.number ?? 0)
      all[index]?.[isBefore ? 'before' : 'after'].push(text)
    }
  }
  await Promise.all([load('segment'), load('document')])
  return all
}

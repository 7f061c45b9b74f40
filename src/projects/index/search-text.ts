import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { TITLE_PASSAGE_NUMBER } from '../search/search-sources.ts'
import { createSearchVectors } from '../search/words/search-vector.ts'
import type { IndexEntry } from './index-entry.ts'

/** An entry whose row is saved, with the id of that row. */
type SavedEntry = IndexEntry & { id: string }

type PassageRow = { number: number; line: number; text: string; words: string }
type SearchText = { rows: PassageRow[]; whole: string | null }

/** Stores the title and the passages of documents, and for a search across passages all words of each document. */
export async function insertSearchText(tx: Tx, entries: readonly SavedEntry[]): Promise<void> {
  const documents: Array<SavedEntry & SearchText> = []
  for (const entry of entries) documents.push({ ...entry, ...(await toSearchText(entry)) })
  const passages = documents.flatMap(({ id, project, date, rows }) =>
    rows.map((row) => ({ ...row, id, project, date })),
  )
  if (passages.length > 0)
    await sql`insert into passage (document_id, number, project, at, line, text, words)
      select p.document_id, p.number, p.project, p.at, p.line, p.text, p.words::tsvector
      from unnest(
        ${passages.map(({ id }) => id)}::bigint[],
        ${passages.map(({ number }) => number)}::int[],
        ${passages.map(({ project }) => project)}::text[],
        ${passages.map(({ date }) => date)}::timestamptz[],
        ${passages.map(({ line }) => line)}::int[],
        ${passages.map(({ text }) => text)}::text[],
        ${passages.map(({ words }) => words)}::text[]
      ) as p(document_id, number, project, at, line, text, words)`.execute(tx)
  const spread = documents.filter(({ whole }) => whole !== null)
  if (spread.length > 0)
    await sql`insert into document_words (document_id, words)
      select w.document_id, w.words::tsvector from unnest(
        ${spread.map(({ id }) => id)}::bigint[], ${spread.map(({ whole }) => whole)}::text[]
      ) as w(document_id, words)`.execute(tx)
}

async function toSearchText({ title, passages }: IndexEntry): Promise<SearchText> {
  const numbered = [
    ...(title === null ? [] : [{ number: TITLE_PASSAGE_NUMBER, line: 1, text: title }]),
    ...passages.map((passage, i) => ({ ...passage, number: TITLE_PASSAGE_NUMBER + 1 + i })),
  ]
  const { texts, whole } = await createSearchVectors(numbered)
  return { rows: numbered.map((row, i) => ({ ...row, words: texts[i] ?? '' })), whole }
}

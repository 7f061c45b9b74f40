import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { claimProjectName } from '../../access/registered-projects.ts'
import type { Db, Tx } from '../../db/database.ts'
import { compareByUtf8Bytes } from '../../lib/text/compare-text.ts'
import type { Log } from '../../log.ts'
import { formatPathInDataFolder, type DocumentRef } from '../document-ref.ts'
import type { FolderSlice } from '../files/walk-project.ts'
import { TITLE_PASSAGE_NUMBER } from '../search/search-sources.ts'
import { createSearchVectors } from '../search/words/search-vector.ts'
import type { IndexEntry } from './index-entry.ts'

/** `if_changed` skips entries with an unchanged stamp, because another node has already indexed them. */
export type IndexSaveMode = 'always' | 'if_changed'

/** An entry with the id of its saved row. */
type SavedEntry = IndexEntry & { id: string }

type PassageRow = { number: number; line: number; text: string; words: string }
type SearchText = { rows: PassageRow[]; whole: string | null }

/** Saves entries and their passages in sorted order, so that nodes lock rows in the same order and never deadlock. */
export async function saveIndexEntries(
  db: Db,
  entries: IndexEntry[],
  mode: IndexSaveMode = 'if_changed',
): Promise<void> {
  if (entries.length === 0) return
  await db.transaction().execute(async (tx) => {
    const projects = await upsertProjects(tx, [...new Set(entries.map(({ project }) => project))])
    const sorted = entries
      .filter(({ project }) => projects.has(project))
      .toSorted(
        (a, b) => compareByUtf8Bytes(a.project, b.project) || compareByUtf8Bytes(a.path, b.path),
      )
    if (sorted.length === 0) return
    const saved = await saveDocuments(tx, sorted, mode)
    if (saved.size === 0) return
    const ids = [...saved.values()]
    await tx.deleteFrom('passage').where('document_id', 'in', ids).execute()
    await tx.deleteFrom('document_words').where('document_id', 'in', ids).execute()
    await insertSearchText(
      tx,
      sorted.flatMap((entry) => {
        const id = saved.get(toDocumentKey(entry))
        return id === undefined ? [] : [{ ...entry, id }]
      }),
    )
  })
}

/**
 * Inserts projects and returns them. Leaves out an id that another project has with different letter case: a private
 * project whose folder was renamed in this way must not become a team project. `do update` locks existing rows, so that
 * no node deletes a project while a document is added.
 */
export async function upsertProjects(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const claimed = new Set<string>()
  for (const id of ids.toSorted(compareByUtf8Bytes))
    if (await claimProjectName(db, id)) claimed.add(id)
  await sql`insert into project (id) select * from unnest(${[...claimed]}::text[])
    on conflict (id) do update set id = excluded.id`.execute(db)
  return claimed
}

async function saveDocuments(
  tx: Tx,
  entries: IndexEntry[],
  mode: IndexSaveMode,
): Promise<Map<string, string>> {
  const rows = await tx
    .insertInto('document')
    .values(
      entries.map((entry) => ({
        project: entry.project,
        path: entry.path,
        folder: entry.folder,
        kind: entry.kind,
        title: entry.title,
        date: entry.date,
        meeting_id: entry.meetingId,
        status: entry.status,
        participants: entry.participants,
        size: entry.size,
        modified_at: entry.modifiedAt,
        stamp: entry.stamp,
        warning: entry.warning,
      })),
    )
    .onConflict((conflict) => {
      const update = conflict.columns(['project', 'path']).doUpdateSet((eb) => ({
        title: eb.ref('excluded.title'),
        date: eb.ref('excluded.date'),
        meeting_id: eb.ref('excluded.meeting_id'),
        status: eb.ref('excluded.status'),
        participants: eb.ref('excluded.participants'),
        size: eb.ref('excluded.size'),
        modified_at: eb.ref('excluded.modified_at'),
        stamp: eb.ref('excluded.stamp'),
        warning: eb.ref('excluded.warning'),
      }))
      return mode === 'always'
        ? update
        : update.where((eb) => eb('document.stamp', '<>', eb.ref('excluded.stamp')))
    })
    .returning(['id', 'project', 'path'])
    .execute()
  return new Map(rows.map(({ id, project, path }) => [toDocumentKey({ project, path }), id]))
}

export async function deleteIndexedDocuments(db: Db, refs: readonly DocumentRef[]): Promise<void> {
  await sql`delete from document d using unnest(
      ${refs.map(({ project }) => project)}::text[], ${refs.map(({ path }) => path)}::text[]
    ) as g(project, path) where d.project = g.project and d.path = g.path`.execute(db)
}

/** Deletes the project's row, unless the index still has documents in the project. */
export async function deleteProjectRowIfNoDocuments(db: Db, id: string): Promise<void> {
  await sql`delete from project p where id = ${id}
    and not exists (select from document d where d.project = p.id)`.execute(db)
}

export type IndexedFile = DocumentRef & { stamp: string }

/** An upper bound that sorts after every path. With a nullable bound, PostgreSQL could not use the index. */
const AFTER_ALL_PATHS = '\u{10ffff}'

/** Finds the slices whose files have not changed: a digest of their paths and stamps equals the index's digest. */
export async function findUnchangedSlices(
  db: Db,
  slices: readonly FolderSlice[],
): Promise<Set<FolderSlice>> {
  const { rows } = await sql<{
    sliceNumber: string
    digest: string
  }>`select g.slice_number as "sliceNumber",
      md5(string_agg(d.path || ' ' || d.stamp, ' ' order by d.path)) as digest
    from unnest(
      ${slices.map(({ project }) => project)}::text[],
      ${slices.map(({ folder }) => folder)}::text[],
      ${slices.map(({ after }) => after)}::text[],
      ${slices.map(({ upTo }) => upTo ?? AFTER_ALL_PATHS)}::text[]
    ) with ordinality as g(project, folder, after, up_to, slice_number)
    join document d on d.project = g.project and d.folder = g.folder and d.path > g.after
      and d.path <= g.up_to
    group by g.slice_number`.execute(db)
  const digests = new Map(rows.map(({ sliceNumber, digest }) => [Number(sliceNumber) - 1, digest]))
  const isUnchanged = ({ files }: FolderSlice, i: number) =>
    files.length === 0
      ? !digests.has(i)
      : digests.get(i) === hash('md5', files.map(({ path, stamp }) => `${path} ${stamp}`).join(' '))
  return new Set(slices.filter(isUnchanged))
}

/** The indexed files in the ranges of these slices. */
export async function readIndexedFiles(
  db: Db,
  slices: readonly FolderSlice[],
): Promise<IndexedFile[]> {
  const { rows } = await sql<IndexedFile>`select d.project, d.path, d.stamp
    from unnest(
      ${slices.map(({ project }) => project)}::text[],
      ${slices.map(({ folder }) => folder)}::text[],
      ${slices.map(({ after }) => after)}::text[],
      ${slices.map(({ upTo }) => upTo ?? AFTER_ALL_PATHS)}::text[]
    ) as g(project, folder, after, up_to)
    join document d on d.project = g.project and d.folder = g.folder and d.path > g.after
      and d.path <= g.up_to`.execute(db)
  return rows
}

/** The indexed folders at or below a folder. The query skips from folder to folder without reading the documents. */
export async function readIndexedFolders(
  db: Db,
  project: string,
  atOrBelow = '',
): Promise<string[]> {
  const { rows } = await sql<{ folder: string }>`
    with recursive leap(folder) as (
      (select folder from document where project = ${project} order by folder limit 1)
      union all
      select (
        select d.folder from document d where d.project = ${project} and d.folder > l.folder
        order by d.folder limit 1
      ) from leap l where l.folder is not null
    )
    select folder from leap where folder is not null`.execute(db)
  return rows.map(({ folder }) => folder).filter((folder) => isSameFolderOrBelow(folder, atOrBelow))
}

export async function readProjectIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('project').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function readIndexedRefsInFolder(
  db: Db,
  project: string,
  folder: string,
): Promise<DocumentRef[]> {
  return db
    .selectFrom('document')
    .select(['project', 'path'])
    .where('project', '=', project)
    .where('folder', '=', folder)
    .execute()
}

/** Reads the indexed documents below a path, which may be a removed folder's path. */
export async function readIndexedRefsBelow(
  db: Db,
  { project, path }: DocumentRef,
): Promise<DocumentRef[]> {
  const folders = await readIndexedFolders(db, project, path)
  return (
    await Promise.all(folders.map((folder) => readIndexedRefsInFolder(db, project, folder)))
  ).flat()
}

export type TranscriptState = { isMeetingActive: boolean }

/**
 * Maps the paths of stored meetings' transcripts to their state. A transcript is active until its meeting has ended.
 */
export async function findTranscriptStatesByDocumentPath(
  db: Db,
  refs: readonly DocumentRef[],
): Promise<Map<string, TranscriptState>> {
  const paths = refs.filter(({ path }) => path.startsWith('meetings/')).map(formatPathInDataFolder)
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('meeting')
    .select(['document_path', 'ended_at'])
    .where('document_path', 'in', paths)
    .execute()
  return new Map(
    rows.map(({ document_path, ended_at }) => [
      document_path ?? '',
      { isMeetingActive: ended_at === null },
    ]),
  )
}

/** A unique map key for a document. Unambiguous, because project ids contain no slash. */
export function toDocumentKey({ project, path }: DocumentRef): string {
  return `${project}/${path}`
}

/** Tracks the folders that cannot be read. Each one is logged only once. */
export function createUnreadableFolderTracker(log: Log) {
  const unreadable = new Set<string>()
  return {
    /** Records a scan of a folder and its subfolders. `failures` has the unreadable folders with their errors. */
    recordScan(scannedFolder: string, failures: ReadonlyMap<string, unknown>): void {
      for (const folder of unreadable) {
        if (isSameFolderOrBelow(folder, scannedFolder) && !failures.has(folder))
          unreadable.delete(folder)
      }
      for (const [folder, error] of failures) {
        if (!unreadable.has(folder)) log.error({ err: error, folder }, 'failed to read folder')
        unreadable.add(folder)
      }
    },
    count: () => unreadable.size,
  }
}

export type UnreadableFolderTracker = ReturnType<typeof createUnreadableFolderTracker>

/** True if a folder equals another one or is below it. All folders are below the empty path. */
export function isSameFolderOrBelow(folder: string, ancestor: string): boolean {
  return ancestor === '' || folder === ancestor || folder.startsWith(`${ancestor}/`)
}

/** How many documents are in the index, and their size on disk. */
export async function readDocumentCountAndSize(db: Db): Promise<{ count: number; bytes: number }> {
  const row = await db
    .selectFrom('document')
    .select((eb) => [eb.fn.countAll<string>().as('count'), eb.fn.sum<string>('size').as('bytes')])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
}

/** Stores the title and passages of documents and, for searches across passages, all words of each document. */
async function insertSearchText(tx: Tx, entries: readonly SavedEntry[]): Promise<void> {
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

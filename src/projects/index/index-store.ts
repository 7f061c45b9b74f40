import { hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import { compareBytes } from '../../lib/text/byte-order.ts'
import type { FolderSlice } from '../files/walk-project.ts'
import { toDocumentPath, type DocumentRef } from '../document-ref.ts'
import { toSearchVector } from '../search/tokenize.ts'
import type { IndexEntry } from './index-entry.ts'

type Tx = Transaction<Database>

/**
 * Puts entries into the index, with their passages. An entry whose file was read already by somebody else is
 * left as it is, unless `isForced`. Sorted, so that two nodes never wait for each other in a circle.
 */
export async function saveEntries(db: Db, entries: IndexEntry[], isForced = false): Promise<void> {
  if (entries.length === 0) return
  const sorted = entries.toSorted(
    (a, b) => compareBytes(a.project, b.project) || compareBytes(a.path, b.path),
  )
  await db.transaction().execute(async (tx) => {
    await upsertProjects(tx, [...new Set(sorted.map(({ project }) => project))])
    const saved = await saveDocuments(tx, sorted, isForced)
    if (saved.size === 0) return
    const ids = [...saved.values()]
    await tx.deleteFrom('passage').where('document_id', 'in', ids).execute()
    await addPassages(tx, sorted, saved)
  })
}

/** Locks the rows: who finds a folder gone must not take the project away from under a new document. */
export async function upsertProjects(db: Db, ids: string[]): Promise<void> {
  await sql`insert into project (id) select * from unnest(${ids}::text[])
    on conflict (id) do update set id = excluded.id`.execute(db)
}

async function saveDocuments(
  tx: Tx,
  entries: IndexEntry[],
  isForced: boolean,
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
      return isForced
        ? update
        : update.where((eb) => eb('document.stamp', '<>', eb.ref('excluded.stamp')))
    })
    .returning(['id', 'project', 'path'])
    .execute()
  return new Map(rows.map(({ id, project, path }) => [toDocumentKey({ project, path }), id]))
}

async function addPassages(tx: Tx, entries: IndexEntry[], ids: Map<string, string>): Promise<void> {
  const rows = entries.flatMap((entry) => {
    const id = ids.get(toDocumentKey(entry))
    if (id === undefined) return []
    const { project, date } = entry
    return entry.passages.map(({ line, text }, number) => ({
      id,
      number,
      project,
      date,
      line,
      text,
    }))
  })
  if (rows.length === 0) return
  await sql`insert into passage (document_id, number, project, at, line, text, words)
    select p.document_id, p.number, p.project, p.at, p.line, p.text, p.words::tsvector
    from unnest(
      ${rows.map(({ id }) => id)}::bigint[],
      ${rows.map(({ number }) => number)}::int[],
      ${rows.map(({ project }) => project)}::text[],
      ${rows.map(({ date }) => date)}::timestamptz[],
      ${rows.map(({ line }) => line)}::int[],
      ${rows.map(({ text }) => text)}::text[],
      ${rows.map(({ text }) => toSearchVector(text))}::text[]
    ) as p(document_id, number, project, at, line, text, words)`.execute(tx)
}

/** Takes documents out of the index, by name. */
export async function deleteDocuments(db: Db, places: readonly DocumentRef[]): Promise<void> {
  await sql`delete from document d using unnest(
      ${places.map(({ project }) => project)}::text[], ${places.map(({ path }) => path)}::text[]
    ) as g(project, path) where d.project = g.project and d.path = g.path`.execute(db)
}

/** A project without documents is forgotten; one that still has some is not. */
export async function deleteEmptyProject(db: Db, id: string): Promise<void> {
  await sql`delete from project p where id = ${id}
    and not exists (select from document d where d.project = p.id)`.execute(db)
}

export type IndexedFile = DocumentRef & { stamp: string }

/** Comes after every path. A bound that may be missing would keep the index from stopping there. */
const AFTER_ALL_PATHS = '\u{10ffff}'

/** One line for each file of a slice, pressed together: where they are equal, nothing in the slice has changed. */
export async function findUnchangedSlices(
  db: Db,
  slices: readonly FolderSlice[],
): Promise<Set<FolderSlice>> {
  const { rows } = await sql<{ place: string; digest: string }>`select g.place,
      md5(string_agg(d.path || ' ' || d.stamp, ' ' order by d.path)) as digest
    from unnest(
      ${slices.map(({ project }) => project)}::text[],
      ${slices.map(({ folder }) => folder)}::text[],
      ${slices.map(({ after }) => after)}::text[],
      ${slices.map(({ upTo }) => upTo ?? AFTER_ALL_PATHS)}::text[]
    ) with ordinality as g(project, folder, after, up_to, place)
    join document d on d.project = g.project and d.folder = g.folder and d.path > g.after
      and d.path <= g.up_to
    group by g.place`.execute(db)
  const known = new Map(rows.map(({ place, digest }) => [Number(place) - 1, digest]))
  const isSame = ({ files }: FolderSlice, i: number) =>
    files.length === 0
      ? !known.has(i)
      : known.get(i) === hash('md5', files.map(({ path, stamp }) => `${path} ${stamp}`).join(' '))
  return new Set(slices.filter(isSame))
}

/** What the index knows of the slices of a walk. */
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

/** Folders of a project that the index knows, at or below one; by leaps, without looking at the documents in them. */
export async function readFolders(db: Db, project: string, below = ''): Promise<string[]> {
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
  return rows
    .map(({ folder }) => folder)
    .filter((folder) => below === '' || folder === below || folder.startsWith(`${below}/`))
}

export async function readProjectIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('project').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function readRefsInFolder(
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

/** What the index has below a path, if that was a folder. */
export async function readRefsBelow(
  db: Db,
  { project, path }: DocumentRef,
): Promise<DocumentRef[]> {
  const folders = await readFolders(db, project, path)
  return (await Promise.all(folders.map((folder) => readRefsInFolder(db, project, folder)))).flat()
}

export type TranscriptState = { isActive: boolean }

/** Which of the places are transcripts of meetings that the database knows, and whether they still grow. */
export async function findMeetingTranscripts(
  db: Db,
  places: readonly DocumentRef[],
): Promise<Map<string, TranscriptState>> {
  const paths = places.filter(({ path }) => path.startsWith('meetings/')).map(toDocumentPath)
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('meeting')
    .select(['document_path', 'ended_at'])
    .where('document_path', 'in', paths)
    .execute()
  return new Map(
    rows.map(({ document_path, ended_at }) => [
      document_path ?? '',
      { isActive: ended_at === null },
    ]),
  )
}

/** One text for a place; a project's id has no slash. */
export function toDocumentKey({ project, path }: DocumentRef): string {
  return `${project}/${path}`
}

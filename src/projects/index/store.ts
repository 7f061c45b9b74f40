import { hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Database } from '../../db/schema.ts'
import { compareBytes } from '../../lib/byte-order.ts'
import type { Slice } from '../files/walk.ts'
import { documentPathOf, type Place } from '../place.ts'
import { searchVector } from '../search/words.ts'
import type { Entry } from './examine.ts'

type Tx = Transaction<Database>

/**
 * Puts entries into the index, with their passages. An entry whose file was read already by somebody else is
 * left as it is, unless `isForced`. Sorted, so that two nodes never wait for each other in a circle.
 */
export async function saveEntries(db: Db, entries: Entry[], isForced = false): Promise<void> {
  if (entries.length === 0) return
  const sorted = entries.toSorted(
    (a, b) => compareBytes(a.project, b.project) || compareBytes(a.path, b.path),
  )
  await db.transaction().execute(async (tx) => {
    await addProjects(tx, [...new Set(sorted.map(({ project }) => project))])
    const saved = await saveDocuments(tx, sorted, isForced)
    if (saved.size === 0) return
    const ids = [...saved.values()]
    await tx.deleteFrom('passage').where('document_id', 'in', ids).execute()
    await addPassages(tx, sorted, saved)
  })
}

/** Locks the rows: who finds a folder gone must not take the project away from under a new document. */
export async function addProjects(db: Db, ids: string[]): Promise<void> {
  await sql`insert into project (id) select * from unnest(${ids}::text[])
    on conflict (id) do update set id = excluded.id`.execute(db)
}

async function saveDocuments(
  tx: Tx,
  entries: Entry[],
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
  return new Map(rows.map(({ id, project, path }) => [keyOf({ project, path }), id]))
}

async function addPassages(tx: Tx, entries: Entry[], ids: Map<string, string>): Promise<void> {
  const rows = entries.flatMap((entry) => {
    const id = ids.get(keyOf(entry))
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
      ${rows.map(({ text }) => searchVector(text))}::text[]
    ) as p(document_id, number, project, at, line, text, words)`.execute(tx)
}

/** Takes documents out of the index, by name. */
export async function forgetDocuments(db: Db, places: readonly Place[]): Promise<void> {
  await sql`delete from document d using unnest(
      ${places.map(({ project }) => project)}::text[], ${places.map(({ path }) => path)}::text[]
    ) as g(project, path) where d.project = g.project and d.path = g.path`.execute(db)
}

/** A project without documents is forgotten; one that still has some is not. */
export async function forgetProject(db: Db, id: string): Promise<void> {
  await sql`delete from project p where id = ${id}
    and not exists (select from document d where d.project = p.id)`.execute(db)
}

export type Known = Place & { stamp: string }

/** Comes after every path. A bound that may be missing would keep the index from stopping there. */
const LAST = '\u{10ffff}'

/** One line for each file of a slice, pressed together: where they are equal, nothing in the slice has changed. */
export async function readUnchanged(db: Db, slices: readonly Slice[]): Promise<Set<Slice>> {
  const { rows } = await sql<{ place: string; digest: string }>`select g.place,
      md5(string_agg(d.path || ' ' || d.stamp, ' ' order by d.path)) as digest
    from unnest(
      ${slices.map(({ project }) => project)}::text[],
      ${slices.map(({ folder }) => folder)}::text[],
      ${slices.map(({ after }) => after)}::text[],
      ${slices.map(({ upTo }) => upTo ?? LAST)}::text[]
    ) with ordinality as g(project, folder, after, up_to, place)
    join document d on d.project = g.project and d.folder = g.folder and d.path > g.after
      and d.path <= g.up_to
    group by g.place`.execute(db)
  const known = new Map(rows.map(({ place, digest }) => [Number(place) - 1, digest]))
  const isSame = ({ files }: Slice, i: number) =>
    files.length === 0
      ? !known.has(i)
      : known.get(i) === hash('md5', files.map(({ path, stamp }) => `${path} ${stamp}`).join(' '))
  return new Set(slices.filter(isSame))
}

/** What the index knows of the slices of a walk. */
export async function readKnown(db: Db, slices: readonly Slice[]): Promise<Known[]> {
  const { rows } = await sql<Known>`select d.project, d.path, d.stamp
    from unnest(
      ${slices.map(({ project }) => project)}::text[],
      ${slices.map(({ folder }) => folder)}::text[],
      ${slices.map(({ after }) => after)}::text[],
      ${slices.map(({ upTo }) => upTo ?? LAST)}::text[]
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

export async function readProjects(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('project').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function readPlacesIn(db: Db, project: string, folder: string): Promise<Place[]> {
  return db
    .selectFrom('document')
    .select(['project', 'path'])
    .where('project', '=', project)
    .where('folder', '=', folder)
    .execute()
}

/** What the index has below a path, if that was a folder. */
export async function readPlacesBelow(db: Db, { project, path }: Place): Promise<Place[]> {
  const folders = await readFolders(db, project, path)
  return (await Promise.all(folders.map((folder) => readPlacesIn(db, project, folder)))).flat()
}

export type OfMeeting = { isActive: boolean }

/** Which of the places are transcripts of meetings that the database knows, and whether they still grow. */
export async function readOwn(db: Db, places: readonly Place[]): Promise<Map<string, OfMeeting>> {
  const paths = places.filter(({ path }) => path.startsWith('meetings/')).map(documentPathOf)
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
export function keyOf({ project, path }: Place): string {
  return `${project}/${path}`
}

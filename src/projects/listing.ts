import { sql } from 'kysely'
import {
  isListedBesidePrivate,
  isListedProject,
  selectPrivateProjects,
} from '../access/registered-projects.ts'
import type { ProjectAccess } from '../access/rules.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import {
  parseCursorOrThrow,
  cutRowsToPage,
  invalidCursorError,
  type ListingPage,
} from '../db/page-cursor.ts'
import { ServiceError } from '../errors.ts'
import type { DocumentKind } from './index/index-entry.ts'

export type Project = {
  id: string
  name: string
  hasMeetings: boolean
  /** The number of saved transcripts. */
  meetingCount: number
  /** The number of all other files. */
  documentCount: number
  access: ProjectAccess
}

export type SavedMeeting = {
  filename: string
  title: string
  date: Date
  meetingId: string | null
  status: 'in_progress' | 'completed'
  participants: string[]
}

export type ListedDocument = {
  path: string
  title: string
  kind: DocumentKind
  size: number
  modifiedAt: Date
  meetingId: string | null
  warning: string | null
}

/** Without a limit, a caller gets all rows. They are read from the database in batches of this size. */
export const LISTING_BATCH_SIZE = 500

/**
 * Lists the projects that the viewer may read, sorted by id. A private project can be without documents. The title is a
 * subquery, because PostgreSQL would join all documents of the instance.
 */
export async function listPageOfProjects(
  db: Db,
  viewer: Viewer,
  limit: number,
  cursor?: string,
): Promise<ListingPage<Project>> {
  const [after = ''] = cursor === undefined ? [] : parseCursorOrThrow(cursor, 1)
  const { rows } = await sql<Project>`
    select p.id,
      coalesce((select r.title from document r where r.project = p.id and r.path = 'README.md'), p.id) as name,
      d.meetings > 0 as "hasMeetings", d.meetings as "meetingCount", d.documents as "documentCount",
      coalesce((select pa.access from project_access pa where pa.project = p.id), 'team') as access
    from (
      (select id from project where id > ${after} and ${isListedBesidePrivate(viewer, 'project.id')}
        order by id limit ${limit + 1})
      union
      (select project from (${selectPrivateProjects(viewer)}) as private where project > ${after}
        order by project limit ${limit + 1})
      order by id limit ${limit + 1}
    ) p cross join lateral (
      select count(*) filter (where kind = 'meeting')::int as meetings,
        count(*) filter (where kind <> 'meeting')::int as documents
      from document where project = p.id
    ) d order by p.id`.execute(db)
  return cutRowsToPage(rows, limit, ({ id }) => [id])
}

export async function requireProjectExists(db: Db, id: string): Promise<void> {
  const { rows } = await sql`select 1 where ${isListedProject(id)}`.execute(db)
  if (rows.length === 0) throw new ServiceError('project_not_found')
}

/** Lists saved transcripts, newest first, then by file name. */
export async function listSavedMeetings(
  db: Db,
  project: string,
  limit: number,
  cursor?: string,
): Promise<ListingPage<SavedMeeting>> {
  const after = cursor === undefined ? null : parseMeetingCursor(cursor)
  const rows = await db
    .selectFrom('document')
    .select(['path', 'title', 'date', 'meeting_id', 'status', 'participants'])
    .where('project', '=', project)
    .where('kind', '=', 'meeting')
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`date <= ${after?.date} and (date < ${after?.date} or path > ${after?.path})`,
      ),
    )
    .orderBy('date', 'desc')
    .orderBy('path')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = cutRowsToPage(rows, limit, ({ date, path }) => [
    String(date.getTime()),
    path,
  ])
  return {
    items: items.map((row) => ({
      filename: fileName(row.path),
      title: row.title ?? fileName(row.path),
      date: row.date,
      meetingId: row.meeting_id,
      status: row.status === 'in_progress' ? 'in_progress' : 'completed',
      participants: row.participants,
    })),
    nextCursor,
  }
}

const DOCUMENT_COLUMNS = [
  'path',
  'title',
  'kind',
  'size',
  'modified_at',
  'meeting_id',
  'warning',
] as const

/** Lists documents by path: documents directly in `folder`, or all documents of the project if it is not given. */
export async function listDocuments(
  db: Db,
  { project, folder }: { project: string; folder: string | undefined },
  limit: number,
  cursor?: string,
): Promise<ListingPage<ListedDocument>> {
  const [after = ''] = cursor === undefined ? [] : parseCursorOrThrow(cursor, 1)
  const rows = await db
    .selectFrom('document')
    .select(DOCUMENT_COLUMNS)
    .where('project', '=', project)
    .$if(folder !== undefined, (query) => query.where('folder', '=', folder ?? ''))
    .where('path', '>', after)
    .orderBy('path')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = cutRowsToPage(rows, limit, ({ path }) => [path])
  return { items: items.map(toListedDocument), nextCursor }
}

/** The names of the direct subfolders. The query skips from one to the next without reading documents. */
export async function listSubfolders(db: Db, project: string, folder: string): Promise<string[]> {
  const prefix = folder === '' ? '' : `${folder}/`
  // "0" is the character after "/", so `name || '0'` is the first text after all paths below that folder. `chr(1)`
  // first finds names that continue with a character before "/", such as "a-b" after "a".
  const { rows } = await sql<{ name: string }>`
    with recursive given as (select ${project}::text as project, ${prefix}::text as prefix),
    leap(folder, name) as (
      (select d.folder, split_part(substr(d.folder, char_length(prefix) + 1), '/', 1)
        from given g join document d on d.project = g.project and d.folder > g.prefix
          and starts_with(d.folder, g.prefix)
        order by d.folder limit 1)
      union all
      select n.folder, split_part(substr(n.folder, char_length(prefix) + 1), '/', 1)
      from leap l cross join given g cross join lateral (
        select d.folder from document d
        where d.project = g.project and starts_with(d.folder, g.prefix) and d.folder >= (
          case when l.folder = prefix || l.name then l.folder || chr(1) else prefix || l.name || '0' end
        ) collate "C"
        order by d.folder limit 1
      ) n
    )
    select distinct name collate "C" as name from leap order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

export function toListedDocument(row: {
  path: string
  title: string | null
  kind: DocumentKind
  size: number | string
  modified_at: Date
  meeting_id: string | null
  warning: string | null
}): ListedDocument {
  return {
    path: row.path,
    title: row.title ?? fileName(row.path),
    kind: row.kind,
    // The PostgreSQL driver returns bigint columns as text.
    size: Number(row.size),
    modifiedAt: row.modified_at,
    meetingId: row.meeting_id,
    warning: row.warning,
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** PostgreSQL timestamps begin in 4713 BC. A page cursor with an earlier date is refused. */
const EARLIEST_DATE_MS = Date.UTC(-4712, 0)

function parseMeetingCursor(cursor: string): { date: Date; path: string } {
  const [at = '', path = ''] = parseCursorOrThrow(cursor, 2)
  const date = new Date(Number(at))
  if (at === '' || !(date.getTime() >= EARLIEST_DATE_MS)) throw invalidCursorError()
  return { date, path }
}

import { posix } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { readFrontMatter } from './front-matter.ts'
import { readProjectIds } from './index/index-store.ts'
import {
  PROJECTS_ROOT,
  toDocumentPath,
  openDocumentAt,
  parseDocumentRef,
  type DocumentRef,
} from './document-ref.ts'
import type { SearchPage, SearchRequest } from './search/search.ts'
import { readFileText } from './files/file-text.ts'

/** A saved transcript, as far as the index knows it. */
export type SavedTranscript = {
  project: string
  /** From `deployed-md-files` on. */
  path: string
  title: string
  /** ISO 8601, when the meeting began. */
  date: string
  meetingId: string
  status: string
  participants: string[]
  /** When the meeting was over, or the file last changed. */
  settledAt: Date
  /** The text after the header. */
  read(): Promise<string>
}

export type DocumentSummary = { path: string; changedAt: Date }

/** A passage that a search found, in a document that can be read. */
export type FoundPassage = DocumentRef & { speaker: string | null; at: Date; text: string }

/** The documents of projects for somebody who may read some of them. Only `read` opens a file. */
export interface DocumentReader {
  /** Ids, sorted. */
  projects(): Promise<string[]>
  /** The newest so many over these projects. */
  transcripts(projects: readonly string[]): Promise<SavedTranscript[]>
  /** The most recently changed first. Paths are from the project's folder on. */
  documents(
    project: string,
    wanted: { prefix: string; since: Date | null; limit: number },
  ): Promise<DocumentSummary[]>
  /** Null: there is no such document, or it is not a text. */
  read(project: string, path: string): Promise<string | null>
  /** The best passages for a query, in these projects only. */
  search(query: string, projects: readonly string[], limit: number): Promise<FoundPassage[]>
}

type Parts = {
  db: Db
  /** The data folder. */
  root: string
  /** When the index has all that was there at the start: before, a result would be a part without saying so. */
  ready: Promise<void>
  search(request: SearchRequest): Promise<SearchPage>
}

const MAX_TRANSCRIPTS = 200
const MAX_BYTES = 4 * 1024 * 1024

export function createDocumentReader({ db, root, ready, search }: Parts): DocumentReader {
  const read = async (project: string, path: string): Promise<string | null> => {
    const place = parseDocumentRef(project, path)
    if (place === null) return null
    await using handle = await openDocumentAt(root, place)
    if (handle === null) return null
    const { text, problem } = await readFileText(handle, MAX_BYTES)
    return problem === 'binary' || problem === 'encoding' ? null : text
  }
  const readBody = async ({ project, path }: DocumentRef): Promise<string> => {
    const text = (await read(project, path)) ?? ''
    return text.slice(readFrontMatter(text)?.bodyStart ?? 0)
  }
  return {
    read,
    async projects() {
      await ready
      return readProjectIds(db)
    },
    async transcripts(projects) {
      await ready
      const rows = await findNewestTranscripts(db, projects)
      return rows.map(({ project, path, title, date, ...row }) => ({
        ...row,
        project,
        path: toDocumentPath({ project, path }),
        title: title ?? posix.basename(path, '.md'),
        date: date.toISOString(),
        read: () => readBody({ project, path }),
      }))
    },
    async documents(project, { prefix, since, limit }) {
      await ready
      // No path has one, and the database takes no text with one.
      if (prefix.includes('\0')) return []
      return db
        .selectFrom('document')
        .select(['path', 'modified_at as changedAt'])
        .where('project', '=', project)
        .where(sql<boolean>`starts_with(path, ${prefix})`)
        .$if(since !== null, (query) => query.where('modified_at', '>=', since ?? new Date(0)))
        .orderBy('modified_at', 'desc')
        .orderBy('path')
        .limit(limit)
        .execute()
    },
    async search(query, projects, limit) {
      await ready
      const { results } = await search({ text: query, projects, limit })
      const said = results.map(({ meetingId }) => meetingId).filter((id) => id !== null)
      const files = await findTranscriptPaths(db, said)
      return results.flatMap(({ project, path, meetingId, speaker, at, text }) => {
        const found = path ?? files.get(meetingId ?? '')
        return found === undefined ? [] : [{ project, path: found, speaker, at, text }]
      })
    },
  }
}

type TranscriptRow = Omit<SavedTranscript, 'title' | 'date' | 'read'> & {
  title: string | null
  date: Date
}

/** What still goes on is as new as can be. */
async function findNewestTranscripts(
  db: Db,
  projects: readonly string[],
): Promise<TranscriptRow[]> {
  const { rows } = await sql<TranscriptRow>`
    select d.project, d.path, d.title, d.date, coalesce(d.meeting_id, '') as "meetingId",
      coalesce(d.status, '') as status, d.participants,
      case when m.id is not null and m.ended_at is null then now()
        else coalesce(m.ended_at, d.modified_at) end as "settledAt"
    from document d
      left join meeting m on m.id = d.meeting_id
        and m.document_path = ${`${PROJECTS_ROOT}/`} || d.project || '/' || d.path
    where d.kind = 'meeting' and d.project = any(${projects}::text[])
    order by d.date desc, d.path limit ${MAX_TRANSCRIPTS}`.execute(db)
  return rows
}

/** The files, from their projects' folders on, in which what was said in these meetings is saved. */
async function findTranscriptPaths(
  db: Db,
  meetingIds: readonly string[],
): Promise<Map<string, string>> {
  if (meetingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('meeting')
    .select(['id', 'project', 'document_path'])
    .where('id', 'in', meetingIds)
    .execute()
  return new Map(
    rows.flatMap(({ id, project, document_path: path }) =>
      path === null ? [] : [[id, path.slice(posix.join(PROJECTS_ROOT, project, '/').length)]],
    ),
  )
}

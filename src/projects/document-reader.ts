import { posix } from 'node:path'
import { sql } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import {
  PROJECTS_ROOT,
  formatPathInDataFolder,
  parseDocumentRef,
  type DocumentRef,
} from './document-ref.ts'
import { readFileText, type DocumentFiles } from './files/store/document-files.ts'
import { findFrontMatter } from './front-matter.ts'
import { IS_DOCUMENT_OF_MEETING } from './search/search-sources.ts'
import type { SearchResultPage, SearchRequest } from './search/search-types.ts'

/** A saved transcript with the fields that the index stores. `read` returns its text. */
export type SavedTranscript = {
  project: string
  /** Relative to the data folder, so it begins with `deployed-md-files`. */
  path: string
  title: string
  /** When the meeting started, in ISO 8601. */
  date: string
  meetingId: string
  status: string
  participants: string[]
  /** When the meeting ended. If its row is gone, when the file last changed. */
  settledAt: Date
  /** Reads the text after the front matter. */
  read(): Promise<string>
}

export type DocumentPathAndChangeTime = { path: string; changedAt: Date }

/** A search result: a passage, and the document that contains it. */
export type FoundPassage = DocumentRef & { speaker: string | null; at: Date; text: string }

type Parts = {
  db: Db
  files: DocumentFiles
  /** Resolves when the first index run is complete. Before that, results would be silently incomplete. */
  ready: Promise<void>
  search(viewer: Viewer, request: SearchRequest): Promise<SearchResultPage>
}

const MAX_TRANSCRIPTS = 200
const MAX_BYTES = 4 * 1024 * 1024

export type DocumentReaderOpener = (viewer: Viewer) => DocumentReader

/** Read-only access to the documents that a viewer may read, for tasks and their tools. Only `read` opens files. */
export function createDocumentReader({ db, files, ready, search }: Parts, viewer: Viewer) {
  const read = async (project: string, path: string): Promise<string | null> => {
    const ref = parseDocumentRef(project, path)
    if (ref === null || (await keepReadable(db, viewer, [project])).length === 0) return null
    await using file = await files.open(ref)
    if (file === null) return null
    const { text, problem } = await readFileText(file, MAX_BYTES)
    return problem === 'binary' || problem === 'encoding' ? null : text
  }
  const readBody = async ({ project, path }: DocumentRef): Promise<string> => {
    const text = (await read(project, path)) ?? ''
    return text.slice(findFrontMatter(text)?.bodyStart ?? 0)
  }
  return {
    /** The document's text; null if it does not exist or is not a text file. */
    read,
    /** The ids of the projects, sorted. */
    async projects(): Promise<string[]> {
      await ready
      const rows = await db
        .selectFrom('project')
        .select('id')
        .where(readsProject(viewer, 'project.id'))
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    /** The newest transcripts in these projects, at most 200 in total. */
    async transcripts(projects: readonly string[]): Promise<SavedTranscript[]> {
      await ready
      const rows = await findNewestTranscripts(db, await keepReadable(db, viewer, projects))
      return rows.map(({ project, path, title, date, ...row }) => ({
        ...row,
        project,
        path: formatPathInDataFolder({ project, path }),
        title: title ?? posix.basename(path, '.md'),
        date: date.toISOString(),
        read: () => readBody({ project, path }),
      }))
    },
    /** Lists documents of a project, most recently changed first. Paths are relative to the project's folder. */
    async documents(
      project: string,
      { prefix, since, limit }: { prefix: string; since: Date | null; limit: number },
    ) {
      await ready
      // PostgreSQL rejects text with a NUL character, and no path contains one.
      if (prefix.includes('\0')) return []
      return db
        .selectFrom('document')
        .select(['path', 'modified_at as changedAt'])
        .where('project', '=', project)
        .where(readsProject(viewer, 'document.project'))
        .where(sql<boolean>`starts_with(path, ${prefix})`)
        .$if(since !== null, (query) => query.where('modified_at', '>=', since ?? new Date(0)))
        .orderBy('modified_at', 'desc')
        .orderBy('path')
        .limit(limit)
        .execute()
    },
    /** The best matching passages in these projects. */
    async search(query: string, projects: readonly string[], limit: number) {
      await ready
      const { results } = await search(viewer, { text: query, projects, limit })
      const meetingIds = results.map(({ meetingId }) => meetingId).filter((id) => id !== null)
      const transcriptPaths = await findTranscriptPaths(db, meetingIds)
      return results.flatMap(({ project, path, meetingId, speaker, at, text }) => {
        const documentPath = path ?? transcriptPaths.get(meetingId ?? '')
        return documentPath === undefined
          ? []
          : [{ project, path: documentPath, speaker, at, text }]
      })
    },
  }
}

export type DocumentReader = ReturnType<typeof createDocumentReader>

/** Returns the projects that the viewer may read. */
async function keepReadable(
  db: Db,
  viewer: Viewer,
  projects: readonly string[],
): Promise<readonly string[]> {
  if (isUnrestricted(viewer)) return projects
  const { rows } = await sql<{ id: string }>`select id from unnest(${projects}::text[]) as given(id)
    where ${readsProject(viewer, 'given.id')}`.execute(db)
  return rows.map(({ id }) => id)
}

type TranscriptRow = Omit<SavedTranscript, 'title' | 'date' | 'read'> & {
  title: string | null
  date: Date
}

/** Finds the newest transcripts. If a transcript's meeting is still in progress, its `settledAt` is now. */
async function findNewestTranscripts(
  db: Db,
  projects: readonly string[],
): Promise<TranscriptRow[]> {
  const { rows } = await sql<TranscriptRow>`
    select d.project, d.path, d.title, d.date, coalesce(d.meeting_id, '') as "meetingId",
      coalesce(d.status, '') as status, d.participants,
      case when m.id is not null and m.ended_at is null then now()
        else coalesce(m.imported_at, m.ended_at, d.modified_at) end as "settledAt"
    from document d
      left join meeting m on ${IS_DOCUMENT_OF_MEETING}
    where d.kind = 'meeting' and d.project = any(${projects}::text[])
    order by d.date desc, d.path limit ${MAX_TRANSCRIPTS}`.execute(db)
  return rows
}

/** Maps meeting ids to the paths of their transcripts, relative to the project's folder. */
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

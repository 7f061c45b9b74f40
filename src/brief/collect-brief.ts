import type { Viewer } from '../access/viewer.ts'
import { findUserContact } from '../accounts/users/users.ts'
import { findBriefedMeeting, type BriefedMeeting } from '../calendars/briefed-meeting.ts'
import type { Db } from '../db/database.ts'
import type { ProjectsArea } from '../projects/area.ts'
import { readGists } from '../recap/gists.ts'
import {
  searchStatements,
  type StatementFilter,
  type StatementOfMeeting,
} from '../recap/store/search-statements.ts'
import type { Brief, BriefStatement, RelatedDocument } from './brief.ts'
import { findEarlierMeetings } from './earlier-meetings.ts'

type Parts = { db: Db; search: ProjectsArea['search'] }

export type BriefCollector = (viewer: Viewer, upcomingId: string) => Promise<Brief | null>

/** Decisions and open questions of older meetings are settled, or were repeated since. */
const NEWEST_MEETINGS = 3
const MAX_STATEMENTS = { decision: 10, action: 20, question: 10 } as const
const MAX_DOCUMENTS = 3
/** Results of a search that are looked through for different documents. */
const MAX_RESULTS = 15
/** A longer title is searched by its beginning. */
const MAX_SEARCHED_CHARS = 100
/** What tasks wrote, briefs among it. It repeats what meetings and documents say. */
const TASK_RESULTS = /^tasks\//

/**
 * Returns a function that collects what the viewer may know before a meeting. It is null if the meeting does not exist.
 * The caller checks if the viewer may know of the meeting; everything else is limited to what the viewer may read.
 */
export function createBriefCollector({ db, search }: Parts): BriefCollector {
  return async (viewer, upcomingId) => {
    const upcoming = await findBriefedMeeting(db, viewer, upcomingId)
    if (upcoming === null) return null
    const reader = viewer.kind === 'user' ? await findUserContact(db, viewer.userId) : null
    const found = await findEarlierMeetings(db, viewer, upcoming, reader?.email ?? null)
    const ids = found.map(({ meetingId }) => meetingId)
    const gists = await readGists(db, ids)
    const newest = found
      .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
      .slice(0, NEWEST_MEETINGS)
      .map(({ meetingId }) => meetingId)
    const read = (kind: StatementFilter['kind'], meetingIds: readonly string[]) =>
      readStatements(db, viewer, kind, meetingIds)
    const { id, meetingId, title, startsAt, endsAt, project, platform, isPlanned } = upcoming
    return {
      upcoming: {
        id,
        meetingId,
        title,
        startsAt,
        endsAt,
        project,
        platform,
        isPlanned,
        people: upcoming.showsPeople ? upcoming.people : [],
      },
      meetings: found.map((meeting) => ({
        ...meeting,
        gist: gists.get(meeting.meetingId) ?? null,
      })),
      decisions: await read('decision', newest),
      actions: await read('action', ids),
      openQuestions: await read('question', newest),
      documents: await findDocuments(search, viewer, upcoming),
    }
  }
}

async function readStatements(
  db: Db,
  viewer: Viewer,
  kind: StatementFilter['kind'],
  meetingIds: readonly string[],
): Promise<BriefStatement[]> {
  if (meetingIds.length === 0) return []
  const statements = await searchStatements(db, viewer, { kind, meetingIds })
  return statements.slice(0, MAX_STATEMENTS[kind]).map(toBriefStatement)
}

function toBriefStatement(statement: StatementOfMeeting): BriefStatement {
  const { text, person, dueDate, meetingId, segmentNumbers } = statement
  return { text, person, dueDate, meetingId, segmentNumbers }
}

/** Documents of the project with all words of the title. Transcripts are found as meetings. */
async function findDocuments(
  search: ProjectsArea['search'],
  viewer: Viewer,
  { title, project }: BriefedMeeting,
): Promise<RelatedDocument[]> {
  // Quotation marks would make a phrase of several words.
  const text = title.replaceAll(/["“”„]/g, ' ').slice(0, MAX_SEARCHED_CHARS)
  const { results, matched } = await search(viewer, {
    text,
    projects: [project],
    kind: 'document',
    limit: MAX_RESULTS,
  })
  if (matched !== 'all') return []
  const documents = new Map<string, RelatedDocument>()
  for (const { path, title: documentTitle, meetingId } of results) {
    if (path === null || meetingId !== null || TASK_RESULTS.test(path)) continue
    if (!documents.has(path)) documents.set(path, { project, path, title: documentTitle })
  }
  return [...documents.values()].slice(0, MAX_DOCUMENTS)
}

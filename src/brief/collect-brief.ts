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
import type { Brief, BriefStatement, RelatedDocument, EarlierMeeting } from './brief.ts'
import { sql } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import { DAY_MS } from '../lib/time/durations.ts'

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

type FoundMeeting = Omit<EarlierMeeting, 'gist'>

const MAX_OF_SERIES = 5

const MAX_WITH_PEOPLE = 3

/** How far back meetings with the same people are of interest. */
const PEOPLE_MAX_AGE_MS = 90 * DAY_MS

/** In a larger group, an earlier meeting with half of the people says little about this one. */
const MAX_OTHERS = 20

/** How many meetings of each person are compared. */
const MAX_MEETINGS_OF_PERSON = 100

const COLUMNS = sql`m.id as "meetingId", coalesce(m.title, m.recap_title, m.label) as title, m.project,
  m.started_at as "startedAt"`

/** The meeting was recorded. */
const HAS_CONTENT = sql`m.ended_at is not null and m.segment_count > 0`

type SamePeople = { upcoming: BriefedMeeting; others: string[]; known: string[] }

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

/** Earlier meetings of the series, then others with the same people, each newest first. */
async function findEarlierMeetings(
  db: Db,
  viewer: Viewer,
  upcoming: BriefedMeeting,
  readerAddress: string | null,
): Promise<FoundMeeting[]> {
  const series = await findSeries(db, viewer, upcoming)
  const others = upcoming.people
    .map(({ address }) => address)
    .filter((address) => address !== upcoming.ownerAddress && address !== readerAddress)
  if (others.length === 0 || others.length > MAX_OTHERS) return series
  const known = series.map(({ meetingId }) => meetingId)
  return [...series, ...(await findWithPeople(db, viewer, { upcoming, others, known }))]
}

/** Each part reads an index in the order of time, and stops at the limit. */
async function findSeries(
  db: Db,
  viewer: Viewer,
  { series, title, project, startsAt }: BriefedMeeting,
): Promise<FoundMeeting[]> {
  const { rows } = await sql<FoundMeeting>`
    select *, 'series' as relation from (
      (select ${COLUMNS} from meeting_invitation i join meeting m on m.id = i.meeting_id
        where i.series = ${series} and i.starts_at < ${startsAt} and ${HAS_CONTENT}
          and ${readsProject(viewer, 'm.project')}
        order by i.starts_at desc limit ${MAX_OF_SERIES})
      union
      (select ${COLUMNS} from meeting m
        where m.project = ${project} and md5(lower(coalesce(m.title, m.label))) = md5(lower(${title}))
          and m.started_at < ${startsAt} and ${HAS_CONTENT} and ${readsProject(viewer, 'm.project')}
        order by m.started_at desc limit ${MAX_OF_SERIES})
    ) as found order by "startedAt" desc, "meetingId" desc limit ${MAX_OF_SERIES}`.execute(db)
  return rows
}

/** People are found by the address of their invitation, or by the name of their account if only one account has it. */
async function findWithPeople(
  db: Db,
  viewer: Viewer,
  { upcoming: { startsAt }, others, known }: SamePeople,
): Promise<FoundMeeting[]> {
  const since = new Date(startsAt.getTime() - PEOPLE_MAX_AGE_MS)
  const isReadable = sql`${HAS_CONTENT} and ${readsProject(viewer, 'm.project')}`
  const { rows } = await sql<FoundMeeting>`
    select ${COLUMNS}, 'people' as relation from (
      select meeting_id, count(distinct address) as shared from (
        select found.meeting_id, person.address from unnest(${others}::text[]) as person (address)
          cross join lateral (select i.meeting_id from meeting_invitee i join meeting m on m.id = i.meeting_id
            where i.address = person.address and i.starts_at >= ${since} and i.starts_at < ${startsAt} and ${isReadable}
            order by i.starts_at desc limit ${MAX_MEETINGS_OF_PERSON}) as found
        union all
        select found.meeting_id, u.email from app_user u
          cross join lateral (select p.meeting_id from participant p join meeting m on m.id = p.meeting_id
            where p.name = u.name and p.joined_at >= ${since} and p.joined_at < ${startsAt} and ${isReadable}
            order by p.joined_at desc limit ${MAX_MEETINGS_OF_PERSON}) as found
        where u.email = any(${others}::text[])
          and not exists (select from app_user other where other.name = u.name and other.id <> u.id)
      ) as each_person group by meeting_id
    ) as counted join meeting m on m.id = counted.meeting_id
    where counted.shared * 2 >= ${others.length} and m.id <> all(${known}::text[])
    order by counted.shared desc, m.started_at desc, m.id desc limit ${MAX_WITH_PEOPLE}`.execute(db)
  return rows
}

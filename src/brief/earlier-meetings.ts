import { sql } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import type { BriefedMeeting } from '../calendars/briefed-meeting.ts'
import type { Db } from '../db/database.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { EarlierMeeting } from './brief.ts'

export type FoundMeeting = Omit<EarlierMeeting, 'gist'>

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

/** Earlier meetings of the series, then others with the same people, each newest first. */
export async function findEarlierMeetings(
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

type SamePeople = { upcoming: BriefedMeeting; others: string[]; known: string[] }

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

import { sql } from 'kysely'
import { ownsCalendar } from '../access/project-condition.ts'
import { mayUseProject } from '../access/project-use.ts'
import type { UserViewer, Viewer } from '../access/viewer.ts'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { Db } from '../db/database.ts'
import type { EventAttendee } from './ics/events.ts'
import { listInvited } from './invitations.ts'

/** A person who is expected in a meeting. `name` is null without an account. */
export type ExpectedPerson = { address: string; name: string | null }

/** An upcoming meeting, with what finds earlier meetings like it. */
export type BriefedMeeting = {
  id: string
  /** Null until the meeting was created, which happens shortly before its start. */
  meetingId: string | null
  title: string
  startsAt: Date
  endsAt: Date | null
  project: string
  platform: PlatformName | null
  /** The UID that the meetings of a series share. Null for a meeting that is in no calendar. */
  series: string | null
  /** Everyone who was invited and did not decline. Empty if no calendar knows. */
  people: ExpectedPerson[]
  /** True if the viewer may see who was invited: it is their calendar, they are invited, or it is a task. */
  showsPeople: boolean
  /** True if it is in a calendar of the viewer. */
  isOwn: boolean
  /** The address of the calendar's owner, who is in all of its meetings. */
  ownerAddress: string | null
  /** True if a bot will join, or another one of the project does. */
  isPlanned: boolean
}

type Row = Omit<BriefedMeeting, 'people' | 'showsPeople'> & {
  organizer: string | null
  attendees: EventAttendee[] | null
}

/** More people are not looked up. */
const MAX_PEOPLE = 100

/**
 * An occurrence of a calendar or a scheduled meeting. Null if it does not exist. The caller checks if the viewer may
 * know of it.
 */
export async function findBriefedMeeting(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<BriefedMeeting | null> {
  const { rows } = await sql<Row>`
    select o.id, o.meeting_id as "meetingId", o.title, o.starts_at as "startsAt", o.ends_at as "endsAt",
      calendar.project, o.platform, o.uid as series, coalesce(calendar.address, u.email) as "ownerAddress",
      (o.decision = 'join' or o.reason = 'same_room') as "isPlanned", o.organizer, o.attendees, ${ownsCalendar(viewer)} as "isOwn"
    from occurrence o join calendar on calendar.id = o.calendar_id left join app_user u on u.id = calendar.user_id
    where o.id = ${id}
    union all
    select m.id, m.id, coalesce(m.title, m.label), m.join_at, m.expected_end_at, m.project, m.platform, o.uid,
      coalesce(calendar.address, u.email), m.status not in ('ended', 'error'), o.organizer, o.attendees,
      coalesce(${ownsCalendar(viewer)}, false)
    from meeting m
      left join lateral (select * from occurrence where meeting_id = m.id order by id limit 1) o on true
      left join calendar on calendar.id = o.calendar_id left join app_user u on u.id = calendar.user_id
    where m.id = ${id} and m.join_at is not null`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { organizer, attendees, ...meeting } = row
  const addresses = listInvited({ organizer, attendees: attendees ?? [] }).slice(0, MAX_PEOPLE)
  const people = await readPeople(db, addresses)
  const isInvited = viewer.kind === 'user' && people.some(({ userId }) => userId === viewer.userId)
  return {
    ...meeting,
    people: people.map(({ address, name }) => ({ address, name })),
    showsPeople: meeting.isOwn || isInvited || viewer.kind === 'task',
  }
}

/** True if a person takes part and may know of the meeting: it is in their calendar, or in a project that they may read. */
export async function mayBeBriefed(db: Db, viewer: UserViewer, id: string): Promise<boolean> {
  const meeting = await findBriefedMeeting(db, viewer, id)
  if (meeting === null) return false
  if (meeting.isOwn) return true
  return meeting.showsPeople && (await mayUseProject(db, viewer, 'read', meeting.project))
}

async function readPeople(
  db: Db,
  addresses: readonly string[],
): Promise<Array<ExpectedPerson & { userId: string | null }>> {
  if (addresses.length === 0) return []
  const users = await db
    .selectFrom('app_user')
    .select(['id', 'name', 'email'])
    .where('email', 'in', addresses)
    .execute()
  const byAddress = new Map(users.map((user) => [user.email, user]))
  return addresses.map((address) => {
    const user = byAddress.get(address)
    return { address, name: user?.name ?? null, userId: user?.id ?? null }
  })
}

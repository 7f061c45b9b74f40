import type { Insertable } from 'kysely'
import { NO_RULES } from '../../../src/calendars/calendar.ts'
import type { Db } from '../../../src/db/database.ts'
import type { Database } from '../../../src/db/schema.ts'
import { newId, newOrderedId } from '../../../src/lib/crypto.ts'
import { storeRecapOf } from '../../ask/store-recap.ts'
import { seedMeeting } from '../meetings/seed-meeting.ts'

/** Stores a user whose address is `name@example.com`. */
export async function addUser(db: Db, name: string): Promise<string> {
  const id = newId('usr')
  const email = `${name.toLowerCase()}@example.com`
  await db.insertInto('app_user').values({ id, name, email, role: 'member' }).execute()
  return id
}

/** Stores a calendar that is never polled. */
export async function addCalendar(
  db: Db,
  { userId = null, project = 'api', address = null }: CalendarSeed,
): Promise<string> {
  const id = newId('cal')
  await db
    .insertInto('calendar')
    .values({
      id,
      user_id: userId,
      name: 'Work',
      kind: 'ics',
      url_sealed: Buffer.alloc(0),
      host: 'calendar.example.com',
      project,
      address,
      rules: JSON.stringify(NO_RULES),
      is_paused: false,
      time_zone: 'UTC',
      next_poll_at: new Date('2999-01-01'),
      created_at: new Date(),
    })
    .execute()
  return id
}

type CalendarSeed = { userId?: string | null; project?: string; address?: string | null }

/** Stores an occurrence that a bot would join. All addresses are at example.com. */
export async function addOccurrence(
  db: Db,
  calendarId: string,
  { uid, title, startsAt, people = [], ...row }: OccurrenceSeed,
): Promise<string> {
  const id = newOrderedId('occ', new Date())
  await db
    .insertInto('occurrence')
    .values({
      id,
      calendar_id: calendarId,
      uid,
      key: startsAt.toISOString(),
      starts_at: startsAt,
      ends_at: new Date(startsAt.getTime() + 1_800_000),
      is_all_day: false,
      is_cancelled: false,
      title,
      attendees: JSON.stringify(
        people.map((name) => ({ address: `${name}@example.com`, response: 'accepted' })),
      ),
      platform: 'practice',
      url: 'practice://standup',
      decision: 'join',
      reason: 'will_join',
      created_at: new Date(),
      ...row,
    })
    .execute()
  return id
}

type OccurrenceSeed = {
  uid: string
  title: string
  startsAt: Date
  people?: string[]
} & Partial<Insertable<Database['occurrence']>>

/** Stores an ended meeting with a recap, and its invitation if it has a series or people. */
export async function addEarlierMeeting(
  db: Db,
  { title, at, project = 'api', series, people = [], participants = [], recap = {} }: EarlierSeed,
): Promise<string> {
  const id = await seedMeeting(db, {
    title,
    project,
    status: 'ended',
    started_at: at,
    ended_at: new Date(at.getTime() + 1_800_000),
    segment_count: 3,
    tasks_started: true,
  })
  if (series !== undefined)
    await db
      .insertInto('meeting_invitation')
      .values({ meeting_id: id, series, starts_at: at })
      .execute()
  for (const name of people)
    await db
      .insertInto('meeting_invitee')
      .values({ meeting_id: id, address: `${name}@example.com`, starts_at: at })
      .execute()
  for (const name of participants)
    await db
      .insertInto('participant')
      .values({ meeting_id: id, id: newId('p'), name, joined_at: at })
      .execute()
  await storeRecapOf(db, id, recap)
  return id
}

type EarlierSeed = {
  title: string
  at: Date
  project?: string
  series?: string
  people?: string[]
  participants?: string[]
  recap?: Parameters<typeof storeRecapOf>[2]
}

/** Makes a project private to these users. */
export async function makePrivate(db: Db, project: string, userIds: string[]): Promise<void> {
  const at = new Date()
  await db
    .insertInto('project_access')
    .values({ project, access: 'private', created_by: null, created_at: at })
    .execute()
  for (const userId of userIds)
    await db
      .insertInto('project_member')
      .values({ project, user_id: userId, role: 'owner', added_by: null, added_at: at })
      .execute()
}

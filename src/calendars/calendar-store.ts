import { sql } from 'kysely'
import { ownsCalendar } from '../access/project-condition.ts'
import { mayUseProject } from '../access/project-use.ts'
import { readTokenViewer } from '../access/stored-viewer.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Calendar } from './calendar.ts'
import type { UpcomingReason } from './planning/reasons.ts'

/** The fields of a calendar that its owner sets, except the address. */
export type CalendarSettings = Pick<
  Calendar,
  | 'name'
  | 'address'
  | 'project'
  | 'account'
  | 'speech'
  | 'task'
  | 'callbackUrl'
  | 'tokenId'
  | 'rules'
  | 'isPaused'
  | 'timeZone'
>

/** The settings that the calendar's meetings are started with. */
const MEETING_FIELDS = ['project', 'account', 'task', 'callbackUrl', 'tokenId'] as const

/** True if both calendars would start the same meetings. */
export function startsSameMeetings(
  a: Pick<Calendar, (typeof MEETING_FIELDS)[number]>,
  b: Pick<Calendar, (typeof MEETING_FIELDS)[number]>,
): boolean {
  return MEETING_FIELDS.every((field) => a[field] === b[field])
}

export type NewCalendar = CalendarSettings &
  Pick<Calendar, 'id' | 'userId' | 'kind' | 'host' | 'calendarAccountId' | 'providerCalendarId'> & {
    /** Null for a calendar that is read with an account. */
    urlSealed: Buffer | null
  }

export async function insertCalendar(tx: Tx, calendar: NewCalendar, now: Date): Promise<void> {
  await tx
    .insertInto('calendar')
    .values({
      id: calendar.id,
      user_id: calendar.userId,
      kind: calendar.kind,
      url_sealed: calendar.urlSealed,
      calendar_account_id: calendar.calendarAccountId,
      provider_calendar_id: calendar.providerCalendarId,
      host: calendar.host,
      ...toColumns(calendar),
      next_poll_at: now,
      created_at: now,
    })
    .execute()
}

export async function updateCalendarSettings(
  tx: Tx,
  id: string,
  settings: CalendarSettings,
): Promise<void> {
  await tx.updateTable('calendar').set(toColumns(settings)).where('id', '=', id).execute()
}

/** The plan stays until the new address was read. */
export async function replaceAddress(
  tx: Tx,
  id: string,
  { urlSealed, host }: { urlSealed: Buffer; host: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('calendar')
    .set({ url_sealed: urlSealed, host })
    .set({ broken_since: null, problem: null, failures: 0 })
    .where('id', '=', id)
    .execute()
  await readAgain(tx, id, now)
}

/** Makes a node read the whole calendar at once. A running poll loses its lease. */
export async function readAgain(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('calendar')
    .set({ etag: null, last_modified: null, sync_cursor: null, read_at: null })
    .set({ empty_polls: 0, next_poll_at: now })
    .set({ owner: null, fence: sql`fence + 1` })
    .where('id', '=', id)
    .execute()
}

function toColumns(settings: CalendarSettings) {
  return {
    name: settings.name,
    address: settings.address,
    project: settings.project,
    account: settings.account,
    speech: settings.speech,
    task: settings.task,
    callback_url: settings.callbackUrl,
    token_id: settings.tokenId,
    rules: JSON.stringify(settings.rules),
    is_paused: settings.isPaused,
    time_zone: settings.timeZone,
  }
}

export function selectCalendars(db: Db) {
  return db
    .selectFrom('calendar')
    .select(['id', 'user_id as userId', 'name', 'kind', 'host', 'address', 'project', 'account'])
    .select(['speech', 'task', 'callback_url as callbackUrl', 'token_id as tokenId', 'rules'])
    .select(['is_paused as isPaused', 'time_zone as timeZone', 'polled_at as polledAt'])
    .select(['changed_at as changedAt', 'broken_since as brokenSince', 'problem'])
    .select(['next_poll_at as nextPollAt', 'created_at as createdAt'])
    .select(['calendar_account_id as calendarAccountId'])
    .select(['provider_calendar_id as providerCalendarId'])
    .select((eb) =>
      eb
        .selectFrom('calendar_subscription')
        .select((inner) => inner.fn.max('expires_at').as('until'))
        .whereRef('calendar_subscription.calendar_id', '=', 'calendar.id')
        .where('provider_id', 'is not', null)
        .as('notifiedUntil'),
    )
}

export function listCalendars(db: Db, viewer: Viewer): Promise<Calendar[]> {
  return selectCalendars(db)
    .where(ownsCalendar(viewer))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export async function requireCalendar(db: Db, id: string): Promise<Calendar> {
  const row = await selectCalendars(db).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new ServiceError('calendar_not_found')
  return row
}

/** The encrypted address of a feed; null for a calendar that is read with an account. */
export async function readSealedAddress(db: Db, id: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('calendar')
    .select('url_sealed')
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('calendar_not_found')
  return row.url_sealed
}

/** Binds the encrypted address to its row. */
export function addressLabel(calendarId: string): string {
  return `calendar:${calendarId}`
}

/**
 * The viewer with whose rights a calendar's meetings are started; null after the person was removed or deactivated. A calendar of the
 * instance has the rights of its token or, without one, the rights of everyone in the team.
 */
export async function readCalendarViewer(
  db: Db,
  { userId, project, tokenId }: Pick<Calendar, 'userId' | 'project' | 'tokenId'>,
): Promise<Viewer | null> {
  if (userId === null)
    return tokenId === null
      ? { kind: 'service', projects: [project], isTeamOnly: true }
      : readTokenViewer(db, tokenId)
  const user = await db
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', userId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return user === undefined ? null : { kind: 'user', userId, role: user.role, projects: null }
}

/**
 * A person's address in invitations, if they give no other one. Locks the person: either the calendar exists when the
 * person is removed, and is removed too, or it is not stored. Two calendars of one person are stored one after the
 * other, so that both are counted.
 */
export async function readDefaultAddress(db: Db, userId: string | null): Promise<string | null> {
  if (userId === null) return null
  const user = await db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user === undefined) throw new ServiceError('not_signed_in')
  return user.email.toLowerCase()
}

/** Why no meeting of the calendar is joined at the moment; null if its rules decide. */
export async function findCalendarObstacle(
  db: Db,
  calendar: Pick<Calendar, 'userId' | 'project' | 'isPaused' | 'tokenId' | 'account'>,
  now: Date,
): Promise<UpcomingReason | null> {
  const { isPaused, project, tokenId, account } = calendar
  if (isPaused) return 'paused'
  if (tokenId !== null && !(await isTokenUsable(db, tokenId, now))) return 'token_revoked'
  // The receiver of the callbacks must not see projects that the token may not use.
  const viewers = [
    await readCalendarViewer(db, calendar),
    ...(tokenId === null ? [] : [await readTokenViewer(db, tokenId)]),
  ]
  for (const viewer of viewers)
    if (viewer === null || !(await mayUseProject(db, viewer, 'edit', project))) return 'no_access'
  if (account !== null && !(await hasBotAccount(db, account))) return 'account_missing'
  return null
}

async function hasBotAccount(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('bot_account')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}

async function isTokenUsable(db: Db, id: string, now: Date): Promise<boolean> {
  const token = await db
    .selectFrom('api_token')
    .select(['revoked_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (token === undefined || token.revoked_at !== null) return false
  return token.expires_at === null || token.expires_at > now
}

import { sql } from 'kysely'
import { ownsCalendar } from '../../access/calendar-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Calendar } from '../calendar.ts'

/** The fields of a calendar that its owner sets, without the address. */
export type CalendarSettings = Pick<
  Calendar,
  | 'name'
  | 'address'
  | 'project'
  | 'account'
  | 'task'
  | 'callbackUrl'
  | 'tokenId'
  | 'rules'
  | 'isPaused'
  | 'timeZone'
>

/** The settings that a meeting of the calendar is started with. */
const MEETING_FIELDS = ['project', 'account', 'task', 'callbackUrl', 'tokenId'] as const

/** Whether both start the same meetings. */
export function startsSameMeetings(
  a: Pick<Calendar, (typeof MEETING_FIELDS)[number]>,
  b: Pick<Calendar, (typeof MEETING_FIELDS)[number]>,
): boolean {
  return MEETING_FIELDS.every((field) => a[field] === b[field])
}

export type NewCalendar = CalendarSettings &
  Pick<Calendar, 'id' | 'userId' | 'kind' | 'host'> & { urlSealed: Buffer }

export async function insertCalendar(tx: Tx, calendar: NewCalendar, now: Date): Promise<void> {
  await tx
    .insertInto('calendar')
    .values({
      id: calendar.id,
      user_id: calendar.userId,
      kind: calendar.kind,
      url_sealed: calendar.urlSealed,
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

/** What is planned stays until the new address was read. */
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

/** Lets a node read the calendar in full at once. A poll that is under way loses its lease. */
export async function readAgain(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('calendar')
    .set({ etag: null, last_modified: null, read_at: null, empty_polls: 0, next_poll_at: now })
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
    .select(['task', 'callback_url as callbackUrl', 'token_id as tokenId', 'rules'])
    .select(['is_paused as isPaused', 'time_zone as timeZone', 'polled_at as polledAt'])
    .select(['changed_at as changedAt', 'broken_since as brokenSince', 'problem'])
    .select(['next_poll_at as nextPollAt', 'created_at as createdAt'])
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

export async function readSealedAddress(db: Db, id: string): Promise<Buffer> {
  const row = await db
    .selectFrom('calendar')
    .select('url_sealed')
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('calendar_not_found')
  return row.url_sealed
}

/** The sealed address is bound to its row. */
export function addressLabel(calendarId: string): string {
  return `calendar:${calendarId}`
}

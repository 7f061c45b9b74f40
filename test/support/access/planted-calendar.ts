import { NO_RULES } from '../../../src/calendars/calendar.ts'
import type { Db } from '../../../src/db/database.ts'
import { newId, newOrderedId } from '../../../src/lib/crypto.ts'

/** Stores a calendar of the instance. It is never due, and its occurrence is never joined. */
export async function plantCalendar(
  db: Db,
  project: string,
  word: string,
): Promise<{ calendar: string; upcoming: string }> {
  const [calendar, upcoming] = [newId('cal'), newOrderedId('occ', new Date())]
  const at = new Date()
  await db
    .insertInto('calendar')
    .values({
      id: calendar,
      user_id: null,
      name: word,
      kind: 'ics',
      url_sealed: Buffer.alloc(0),
      host: `${word}.example.com`,
      project,
      rules: JSON.stringify(NO_RULES),
      is_paused: true,
      time_zone: 'UTC',
      next_poll_at: new Date('2999-01-01'),
      created_at: at,
    })
    .execute()
  await db
    .insertInto('occurrence')
    .values({
      id: upcoming,
      calendar_id: calendar,
      uid: word,
      key: 'once',
      starts_at: at,
      ends_at: new Date(at.getTime() + 86_400_000),
      is_all_day: false,
      is_cancelled: false,
      title: `About ${word}`,
      attendees: '[]',
      decision: 'skip',
      reason: 'paused',
      created_at: at,
    })
    .execute()
  return { calendar, upcoming }
}

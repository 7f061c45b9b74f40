import type { ColumnType, Generated } from 'kysely'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { CalendarKind } from '../../calendars/calendar.ts'
import type { EventAttendee } from '../../calendars/ics/events.ts'
import type { AttendanceRules } from '../../calendars/planning/attendance-rules.ts'
import type { UpcomingReason } from '../../calendars/planning/reasons.ts'
import type { Immutable } from './column.ts'

/** A calendar whose meetings bots join. */
export interface CalendarTableColumns {
  id: Immutable<string>
  /** The person whose calendar it is; null for one of the instance. */
  user_id: Immutable<string | null>
  name: string
  kind: Immutable<CalendarKind>
  /** The secret address, encrypted with the master key. */
  url_sealed: Buffer
  host: string
  /** The email address of the person in the invitations. */
  address: string | null
  project: string
  account: string | null
  task: string | null
  callback_url: string | null
  /** The token whose secret signs the callbacks. */
  token_id: string | null
  rules: ColumnType<AttendanceRules, string, string>
  is_paused: boolean
  time_zone: string
  etag: string | null
  last_modified: string | null
  next_poll_at: Date
  polled_at: Date | null
  /** When the events were last read in full, which moves the planned days forward. */
  read_at: Date | null
  changed_at: Date | null
  broken_since: Date | null
  problem: string | null
  /** Failed polls in a row. */
  failures: Generated<number>
  /** Polls in a row that found no event at all. */
  empty_polls: Generated<number>
  /** The node that polls. Its write must match `fence`, which rises with every claim and every new address. */
  owner: string | null
  fence: Generated<number>
  created_at: Immutable<Date>
}

/** One meeting in a calendar, and whether a bot joins it. */
export interface OccurrenceTableColumns {
  id: Immutable<string>
  calendar_id: Immutable<string>
  uid: Immutable<string>
  /** The original start: it stays when the occurrence is moved. */
  key: Immutable<string>
  starts_at: Date
  ends_at: Date
  is_all_day: boolean
  is_cancelled: boolean
  title: string
  organizer: string | null
  attendees: ColumnType<EventAttendee[], string, string>
  /** The link of the meeting in its canonical form; null when the invitation has none. */
  url: string | null
  room: string | null
  platform: PlatformName | null
  label: string | null
  /** What a person decided; null when the rules decide. */
  override: 'join' | 'skip' | null
  decision: 'join' | 'skip'
  reason: UpcomingReason
  /** The meeting that was created for it last. */
  meeting_id: string | null
  /** The start for which a meeting was created: another one is created only when the occurrence is moved. */
  attended_start: Date | null
  created_at: Immutable<Date>
}

import type { ColumnType, Generated } from 'kysely'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { SpeechMode } from '../bots/platforms/speech/speech-mode.ts'
import type { Immutable } from '../db/schema.ts'
import type { AttendanceRules, CalendarKind } from './calendar.ts'
import type { EventAttendee } from './ics/events.ts'
import type { UpcomingReason } from './planning/reasons.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A calendar whose meetings bots join. */
    calendar: {
      id: Immutable<string>
      /** The person who owns the calendar. Null for a calendar of the instance. */
      user_id: Immutable<string | null>
      name: string
      kind: Immutable<CalendarKind>
      /** The calendar's secret address, encrypted with the master key. */
      url_sealed: Buffer
      host: string
      /** The person's email address in invitations. */
      address: string | null
      project: string
      account: string | null
      speech: Generated<SpeechMode>
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
      /** Consecutive failed polls. */
      failures: Generated<number>
      /** Consecutive polls that found no event at all. */
      empty_polls: Generated<number>
      /** The node that polls. Its write must match `fence`, which rises with every claim and every new address. */
      owner: string | null
      fence: Generated<number>
      created_at: Immutable<Date>
    }
    /** One meeting in a calendar, and whether a bot joins it. */
    occurrence: {
      id: Immutable<string>
      calendar_id: Immutable<string>
      uid: Immutable<string>
      /** The original start, which stays the same when the occurrence is moved. */
      key: Immutable<string>
      starts_at: Date
      ends_at: Date
      is_all_day: boolean
      is_cancelled: boolean
      title: string
      organizer: string | null
      attendees: ColumnType<EventAttendee[], string, string>
      /** The link of the meeting in its canonical form. Null if the invitation has none. */
      url: string | null
      room: string | null
      platform: PlatformName | null
      label: string | null
      /** A person's decision. Null if the rules decide. */
      override: 'join' | 'skip' | null
      decision: 'join' | 'skip'
      reason: UpcomingReason
      /** The last meeting that was created for it. */
      meeting_id: string | null
      /** The start for which a meeting was created. Another one is created only if the occurrence is moved. */
      attended_start: Date | null
      created_at: Immutable<Date>
    }
    /** The invitation of a meeting that was created for an occurrence. Stays when the occurrence is deleted. */
    meeting_invitation: {
      meeting_id: Immutable<string>
      /** The UID of the event, which all meetings of a series and the calendars of all its attendees share. */
      series: Immutable<string>
      starts_at: Immutable<Date>
    }
    /** A person who was invited to a meeting and had not declined when it was created. */
    meeting_invitee: {
      meeting_id: Immutable<string>
      /** In lower case. */
      address: Immutable<string>
      starts_at: Immutable<Date>
    }
  }
}

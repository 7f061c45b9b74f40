import type { ColumnType, Generated } from 'kysely'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { SpeechMode } from '../bots/platforms/speech/speech-mode.ts'
import type { Immutable } from '../db/schema.ts'
import type { MicrosoftCloud } from '../network/microsoft-hosts.ts'
import type { AttendanceRules, CalendarKind, CalendarProviderName } from './calendar.ts'
import type { EventAttendee, OwnResponse } from './ics/events.ts'
import type { UpcomingReason } from './planning/reasons.ts'
import type { StoredEvent } from './providers/stored-event.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A calendar whose meetings bots join. */
    calendar: {
      id: Immutable<string>
      /** The person who owns the calendar. Null for a calendar of the instance. */
      user_id: Immutable<string | null>
      name: string
      kind: Immutable<CalendarKind>
      /** The calendar's secret address, encrypted with the master key. Null if it is read with an account. */
      url_sealed: Buffer | null
      calendar_account_id: string | null
      provider_calendar_id: string | null
      /** Where the provider's list of changes continues. Null to read the calendar in full. */
      sync_cursor: string | null
      /** Before this time, the provider is not asked to report changes. */
      subscribe_after: Date | null
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
      /** The response of the calendar's person, from a provider that reports it. */
      own_response: OwnResponse | null
      is_private: Generated<boolean>
      /** The link of the online meeting as the provider reports it. Null for a feed. */
      join_url: string | null
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
    /** What an event of a provider's calendar was when it last changed. */
    calendar_event: {
      calendar_id: Immutable<string>
      event_id: Immutable<string>
      data: ColumnType<StoredEvent, string, string>
    }
    /** The application that an admin registered at a provider, so that people can connect their calendars. */
    calendar_app: {
      provider: Immutable<CalendarProviderName>
      client_id: string
      /** The client secret, encrypted with the master key. */
      secret_sealed: Buffer
      /** The tenant whose people may sign in, or `organizations` or `common`. Null for Google. */
      tenant: string | null
      cloud: MicrosoftCloud | null
      changed_at: Date
    }
    /** An account at a provider whose calendars a person lets this service read. */
    calendar_account: {
      id: Immutable<string>
      user_id: Immutable<string>
      provider: Immutable<CalendarProviderName>
      /** The application to which the person gave access. */
      client_id: string
      /** The provider's id of the account. */
      subject: Immutable<string>
      address: string
      /** Encrypted with the master key. Null after the provider refused it. */
      refresh_sealed: Buffer | null
      access_sealed: Buffer | null
      access_expires_at: Date | null
      /** Rises with every renewal and every new sign-in. A renewal stores its tokens only if it is the last one. */
      renew_fence: Generated<number>
      /** A renewal runs until this time of the database's clock. */
      renew_until: Date | null
      connected_at: Date
      created_at: Immutable<Date>
    }
    /** A request to a provider to report changes of a calendar. */
    calendar_subscription: {
      id: Immutable<string>
      /** Null after the calendar was removed. */
      calendar_id: string | null
      calendar_account_id: Immutable<string>
      /** SHA-256 of the secret that each report must contain. */
      secret_hash: Immutable<Buffer>
      /** The provider's id. Null until the provider has accepted the request. */
      provider_id: string | null
      /** Google's id of what is watched. */
      resource_id: string | null
      expires_at: Date
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

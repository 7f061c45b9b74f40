import type { SpeechMode } from '../bots/platforms/speech/speech-mode.ts'

/** The providers whose API can read the calendars of a person who allowed it. */
export const CALENDAR_PROVIDERS = ['microsoft', 'google'] as const
export type CalendarProviderName = (typeof CALENDAR_PROVIDERS)[number]

/** The source of a calendar's events. `ics`: an iCalendar feed with a secret address. Others: the API of a provider. */
export const CALENDAR_KINDS = ['ics', ...CALENDAR_PROVIDERS] as const
export type CalendarKind = (typeof CALENDAR_KINDS)[number]

/** Which meetings of a calendar are joined. A meeting must pass every rule that is set. */
export type AttendanceRules = {
  /** Only meetings that the calendar's person organises. */
  onlyOrganised: boolean
  /** Only meetings to which this email address is invited; null for all. */
  onlyInvited: string | null
  /** Only meetings whose title contains one of these texts; empty for all. */
  onlyTitles: string[]
  /** No meetings whose title contains one of these texts. */
  neverTitles: string[]
  /** Only meetings that the calendar's person accepted or organises. */
  onlyAccepted: boolean
  /** No meetings that are marked as private, personal or confidential. */
  neverPrivate: boolean
}

export const NO_RULES: AttendanceRules = {
  onlyOrganised: false,
  onlyInvited: null,
  onlyTitles: [],
  neverTitles: [],
  onlyAccepted: false,
  neverPrivate: false,
}

/** A provider says which events are private, and people expect that nobody else reads those. */
export const PROVIDER_RULES: AttendanceRules = { ...NO_RULES, neverPrivate: true }

/** A calendar whose meetings bots join. Its address is a secret and is not part of this type. */
export type Calendar = {
  id: string
  /** The person whose calendar it is; null for a calendar of the instance. */
  userId: string | null
  name: string
  kind: CalendarKind
  /** The connected account with which it is read; null for a feed. */
  calendarAccountId: string | null
  /** The provider's id of the calendar; null for a feed. */
  providerCalendarId: string | null
  /** Until when the provider reports changes at once; null if it does not. */
  notifiedUntil: Date | null
  /** The host of the address. It is not secret. */
  host: string
  /** The person's email address in the calendar's invitations; null if unknown. */
  address: string | null
  /** The project of its meetings. */
  project: string
  /** The bot account that joins; null to join as a guest. */
  account: string | null
  /** When its bots recognize speech themselves. */
  speech: SpeechMode
  /** The task that runs after each meeting; null for none. */
  task: string | null
  /** Where the events of its meetings are sent; null to send none. */
  callbackUrl: string | null
  /** The token whose secret signs the events. */
  tokenId: string | null
  rules: AttendanceRules
  isPaused: boolean
  /** The time zone of events that have none. */
  timeZone: string
  polledAt: Date | null
  /** When its events last changed. */
  changedAt: Date | null
  /** When it first could not be read; null while it can be read. */
  brokenSince: Date | null
  /** Why it cannot be read, or what could not be read in it. */
  problem: string | null
  nextPollAt: Date
  createdAt: Date
}

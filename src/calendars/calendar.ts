/** Where the events of a calendar come from. `ics`: an iCalendar feed behind a secret address. */
export const CALENDAR_KINDS = ['ics'] as const
export type CalendarKind = (typeof CALENDAR_KINDS)[number]

/** Which meetings of a calendar are joined. Every rule that is set must allow a meeting. */
export type AttendanceRules = {
  /** Only meetings that the person of the calendar organises. */
  onlyOrganised: boolean
  /** Only meetings to which this email address is invited; null for all. */
  onlyInvited: string | null
  /** Only meetings whose title has one of these texts; empty for all. */
  onlyTitles: string[]
  /** No meeting whose title has one of these texts. */
  neverTitles: string[]
  /** Only meetings that the person of the calendar accepted or organises. */
  onlyAccepted: boolean
}

export const NO_RULES: AttendanceRules = {
  onlyOrganised: false,
  onlyInvited: null,
  onlyTitles: [],
  neverTitles: [],
  onlyAccepted: false,
}

/** A calendar whose meetings bots join. Its address is a secret and is not part of this type. */
export type Calendar = {
  id: string
  /** The person whose calendar it is; null for one of the instance. */
  userId: string | null
  name: string
  kind: CalendarKind
  /** The host of the address, which is not secret. */
  host: string
  /** The email address of the person in the invitations of this calendar; null when it is not known. */
  address: string | null
  /** The project of its meetings. */
  project: string
  /** The bot account that joins; null to join as a guest. */
  account: string | null
  /** The task that runs after each meeting; null for none. */
  task: string | null
  /** Where the events of its meetings are sent; null for nowhere. */
  callbackUrl: string | null
  /** The token whose secret signs them. */
  tokenId: string | null
  rules: AttendanceRules
  isPaused: boolean
  /** The time zone of events without one. */
  timeZone: string
  polledAt: Date | null
  /** When its events last changed. */
  changedAt: Date | null
  /** Since when it cannot be read; null while it can. */
  brokenSince: Date | null
  /** Why it cannot be read, or what of it could not be. */
  problem: string | null
  nextPollAt: Date
  createdAt: Date
}

import { toComparableText } from '../../lib/text/compare-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import type { AttendanceRules } from '../calendar.ts'
import type { EventAttendee, Occurrence, OccurrenceWindow } from '../ics/events.ts'
import type { UpcomingReason } from './reasons.ts'

/** What the decision about one occurrence depends on. */
export type OccurrenceFacts = {
  title: string
  endsAt: Date
  isAllDay: boolean
  isCancelled: boolean
  hasLink: boolean
  organizer: string | null
  attendees: readonly EventAttendee[]
}

export type AttendanceContext = {
  now: Date
  rules: AttendanceRules
  /** The email address of the person in the invitations; null when it is not known. */
  address: string | null
  /** Why no meeting of the calendar is joined at the moment. */
  obstacle: UpcomingReason | null
}

export type AttendanceDecision = { decision: 'join' | 'skip'; reason: UpcomingReason }

type Check = (facts: OccurrenceFacts, context: AttendanceContext) => boolean

/** Reasons that nobody can overrule. The first one that applies counts. */
const IMPOSSIBLE: ReadonlyArray<[UpcomingReason, Check]> = [
  ['past', ({ endsAt }, { now }) => endsAt <= now],
  ['cancelled', ({ isCancelled }) => isCancelled],
  ['no_link', ({ hasLink }) => !hasLink],
]

/** Reasons that a person can overrule for one meeting. */
const RULES: ReadonlyArray<[UpcomingReason, Check]> = [
  ['all_day', ({ isAllDay }) => isAllDay],
  ['declined', (facts, { address }) => findResponse(facts, address) === 'declined'],
  [
    'not_accepted',
    (facts, { rules, address }) =>
      rules.onlyAccepted &&
      !isOrganiser(facts, address) &&
      findResponse(facts, address) !== 'accepted',
  ],
  [
    'not_organised',
    (facts, { rules, address }) => rules.onlyOrganised && !isOrganiser(facts, address),
  ],
  [
    'not_invited',
    (facts, { rules }) => rules.onlyInvited !== null && !isInvited(facts, rules.onlyInvited),
  ],
  ['title_excluded', ({ title }, { rules }) => hasAnyText(title, rules.neverTitles)],
  [
    'title_not_matching',
    ({ title }, { rules }) => rules.onlyTitles.length > 0 && !hasAnyText(title, rules.onlyTitles),
  ],
]

/** How far ahead meetings are shown and joined. */
export const PLANNED_MS = 14 * DAY_MS
/** A calendar that says that nothing changed is read in full after this time, so that the planned days move forward. */
export const MAX_READ_AGE_MS = 20 * HOUR_MS
/** How long before its start the meeting of an occurrence is created; the meeting itself begins later. */
export const ATTEND_LEAD_MS = 5 * MINUTE_MS
/** The length of a meeting whose invitation names no end. */
const DEFAULT_LENGTH_MS = HOUR_MS

/** Whether a bot joins, and why. Another occurrence in the same room is not considered here. */
export function decideAttendance(
  facts: OccurrenceFacts,
  context: AttendanceContext,
  override: 'join' | 'skip' | null,
): AttendanceDecision {
  const impossible = findReason(IMPOSSIBLE, facts, context)
  if (impossible !== null) return skip(impossible)
  if (override === 'skip') return skip('skipped_by_person')
  if (context.obstacle !== null) return skip(context.obstacle)
  const refusal = override === 'join' ? null : findReason(RULES, facts, context)
  return refusal === null ? { decision: 'join', reason: 'will_join' } : skip(refusal)
}

function skip(reason: UpcomingReason): AttendanceDecision {
  return { decision: 'skip', reason }
}

function findReason(
  checks: ReadonlyArray<[UpcomingReason, Check]>,
  facts: OccurrenceFacts,
  context: AttendanceContext,
): UpcomingReason | null {
  return checks.find(([, applies]) => applies(facts, context))?.[0] ?? null
}

function findResponse({ attendees }: OccurrenceFacts, address: string | null) {
  return attendees.find((one) => one.address === address)?.response ?? null
}

/** An event without an organizer is one that the person made without inviting others. */
function isOrganiser({ organizer }: OccurrenceFacts, address: string | null): boolean {
  return organizer === null || organizer === address
}

function isInvited({ organizer, attendees }: OccurrenceFacts, address: string): boolean {
  return organizer === address || attendees.some((one) => one.address === address)
}

function hasAnyText(title: string, texts: readonly string[]): boolean {
  const comparable = toComparableText(title)
  return texts.map(toComparableText).some((text) => text !== '' && comparable.includes(text))
}

/** The days that are planned. They are one more than people see, because an unchanged calendar is not read every time. */
export function plannedWindow(now: Date, defaultTimeZone: string): OccurrenceWindow {
  return {
    from: new Date(now.getTime() - DEFAULT_LENGTH_MS),
    to: new Date(now.getTime() + PLANNED_MS + DAY_MS),
    defaultTimeZone,
  }
}

export function findEnd({ startsAt, endsAt }: Pick<Occurrence, 'startsAt' | 'endsAt'>): Date {
  return endsAt > startsAt ? endsAt : new Date(startsAt.getTime() + DEFAULT_LENGTH_MS)
}

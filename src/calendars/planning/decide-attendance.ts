import { toComparableText } from '../../lib/text/compare-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import type { AttendanceRules } from '../calendar.ts'
import type { EventAttendee, Occurrence, OccurrenceWindow, OwnResponse } from '../ics/events.ts'
import type { UpcomingReason } from './reasons.ts'

/** The facts on which the decision about an occurrence depends. */
export type OccurrenceFacts = {
  title: string
  endsAt: Date
  isAllDay: boolean
  isCancelled: boolean
  hasLink: boolean
  organizer: string | null
  attendees: readonly EventAttendee[]
  isPrivate: boolean
  /** Null if only the list of attendees says it. */
  ownResponse: OwnResponse | null
}

export type AttendanceContext = {
  now: Date
  rules: AttendanceRules
  /** The person's email address in the invitations; null if unknown. */
  address: string | null
  /** Why no meeting of the calendar is joined at the moment; null if there is no obstacle. */
  obstacle: UpcomingReason | null
}

export type AttendanceDecision = { decision: 'join' | 'skip'; reason: UpcomingReason }

type Check = (facts: OccurrenceFacts, context: AttendanceContext) => boolean
type RuleContext = Pick<AttendanceContext, 'rules' | 'address'>
type RuleCheck = (facts: OccurrenceFacts, context: RuleContext) => boolean

/** Reasons that nobody can override. The first one that applies is used. */
const IMPOSSIBLE: ReadonlyArray<[UpcomingReason, Check]> = [
  ['past', ({ endsAt }, { now }) => endsAt <= now],
  ['cancelled', ({ isCancelled }) => isCancelled],
  ['no_link', ({ hasLink }) => !hasLink],
]

/** Reasons that a person can override for one meeting. */
const RULES: ReadonlyArray<[UpcomingReason, RuleCheck]> = [
  ['all_day', ({ isAllDay }) => isAllDay],
  ['private', ({ isPrivate }, { rules }) => rules.neverPrivate && isPrivate],
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
/** If a calendar keeps saying that nothing changed, it is read in full after this time, to plan new days. */
export const MAX_READ_AGE_MS = 20 * HOUR_MS
/** How long before its start an occurrence's meeting is created. The meeting itself begins later. */
export const ATTEND_LEAD_MS = 5 * MINUTE_MS
/** The length of a meeting whose invitation has no end. */
const DEFAULT_LENGTH_MS = HOUR_MS

/** Decides if a bot joins, and why. Ignores other occurrences in the same room. */
export function decideAttendance(
  facts: OccurrenceFacts,
  context: AttendanceContext,
  override: 'join' | 'skip' | null,
): AttendanceDecision {
  const impossible = findReason(IMPOSSIBLE, facts, context)
  if (impossible !== null) return skip(impossible)
  if (override === 'skip') return skip('skipped_by_person')
  if (context.obstacle !== null) return skip(context.obstacle)
  const refusal = findRuleRefusal(facts, context, override)
  return refusal === null ? { decision: 'join', reason: 'will_join' } : skip(refusal)
}

/** Why the rules or the person leave out an occurrence, whether a bot could join it or not; null if they do not. */
export function findRuleRefusal(
  facts: OccurrenceFacts,
  context: RuleContext,
  override: 'join' | 'skip' | null,
): UpcomingReason | null {
  if (override === 'skip') return 'skipped_by_person'
  return override === 'join' ? null : findReason(RULES, facts, context)
}

function skip(reason: UpcomingReason): AttendanceDecision {
  return { decision: 'skip', reason }
}

function findReason<Context>(
  checks: ReadonlyArray<[UpcomingReason, (facts: OccurrenceFacts, context: Context) => boolean]>,
  facts: OccurrenceFacts,
  context: Context,
): UpcomingReason | null {
  return checks.find(([, applies]) => applies(facts, context))?.[0] ?? null
}

function findResponse({ attendees, ownResponse }: OccurrenceFacts, address: string | null) {
  return ownResponse ?? attendees.find((one) => one.address === address)?.response ?? null
}

/** An event without an organizer was created by the person, without inviting others. */
function isOrganiser({ organizer, ownResponse }: OccurrenceFacts, address: string | null): boolean {
  if (ownResponse !== null) return ownResponse === 'organizer'
  return organizer === null || organizer === address
}

function isInvited({ organizer, attendees }: OccurrenceFacts, address: string): boolean {
  return organizer === address || attendees.some((one) => one.address === address)
}

function hasAnyText(title: string, texts: readonly string[]): boolean {
  const comparable = toComparableText(title)
  return texts.map(toComparableText).some((text) => text !== '' && comparable.includes(text))
}

/** The planned days: one more than people see, because an unchanged calendar is not read every time. */
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

import type { AreaContext } from '../db/context.ts'
import type { Viewer } from '../access/viewer.ts'
import type { PlatformName } from '../bots/platforms/platform.ts'
import { ServiceError } from '../errors.ts'
import { createConcurrencyLimit } from '../lib/async/queues.ts'
import type { SecretBox } from '../lib/crypto.ts'
import { canonicalTimeZone } from '../lib/time/time-zone-name.ts'
import { requireAddressForRules, toFeedUrl } from './calendar-check.ts'
import {
  addressLabel,
  readSealedAddress,
  requireCalendar,
  findCalendarObstacle,
  readDefaultAddress,
} from './calendar-store.ts'
import {
  NO_RULES,
  PROVIDER_RULES,
  type AttendanceRules,
  type CalendarProviderName,
} from './calendar.ts'
import type { CalendarPlace, RulesRequest } from './calendars.ts'
import {
  type AttendanceContext,
  decideAttendance,
  plannedWindow,
  findEnd,
  PLANNED_MS,
} from './planning/decide-attendance.ts'
import type { OccurrenceLinker } from './planning/link-occurrences.ts'
import { type LinkedOccurrence, chooseAttended } from './planning/occurrence-store.ts'
import type { UpcomingReason } from './planning/reasons.ts'
import { requireAccount } from './providers/accounts.ts'
import {
  pollCalendar,
  type CalendarSources,
  type PollContent,
  type PolledCalendar,
} from './sources/calendar-source.ts'

export type CalendarPreview = { meetings: PreviewedMeeting[]; problems: string[] }

export type PreviewRequest = {
  address?: string | null | undefined
  rules?: RulesRequest | undefined
  timeZone?: string | undefined
}

type Parts = AreaContext & {
  secretBox: SecretBox
  timeZone: string
  sources: CalendarSources
  linkOccurrences: OccurrenceLinker
}

/** People wait for previews, but reading feeds must not use up all connections and memory. */
const MAX_CONCURRENT = 2
const MAX_WAITING = 10
/** One that is being read, and one that is waiting. */
const MAX_PER_PERSON = 2
const MAX_PROBLEMS = 20
/** Stands for all service tokens together. */
const INSTANCE = 'instance'

/** What would be planned for an occurrence. */
type PreviewedMeeting = {
  title: string
  startsAt: Date
  endsAt: Date
  platform: PlatformName | null
  label: string | null
  willJoin: boolean
  reason: UpcomingReason
}

const MAX_PREVIEWED = 500

/** Shows what would be planned, without storing it. */
export function createCalendarPreviews(parts: Parts) {
  const { db, clock, secretBox, sources } = parts
  const limitTo = createPreviewLimit()

  const read = async (
    person: string,
    calendar: PolledCalendar,
    givenTimeZone: string,
  ): Promise<PollContent> => {
    const timeZone = requireTimeZone(givenTimeZone)
    const window = plannedWindow(clock.now(), timeZone)
    const result = await limitTo(person, () =>
      pollCalendar(sources, calendar, window, new AbortController().signal),
    )
    if (result.kind === 'changed') return result
    const text = result.kind === 'failed' ? result.problem : 'The server sent no calendar'
    throw new ServiceError('calendar_unreadable', { text })
  }
  const preview = async (content: PollContent, context: Omit<AttendanceContext, 'now'>) => {
    const linked = await parts.linkOccurrences(content.occurrences)
    return {
      meetings: previewCalendar(linked, { ...context, now: clock.now() }),
      problems: content.problems.slice(0, MAX_PROBLEMS),
    }
  }

  return {
    /** Throws `calendar_unreadable` if the calendar cannot be read. */
    async ofPlace(
      viewer: Viewer,
      place: CalendarPlace,
      { timeZone = parts.timeZone, ...request }: PreviewRequest,
    ) {
      const userId = viewer.kind === 'user' ? viewer.userId : null
      const account =
        place.calendarAccountId === undefined
          ? null
          : await requireAccount(db, viewer, place.calendarAccountId)
      const ownAddress = account?.address || (await readDefaultAddress(db, userId))
      const { address = ownAddress } = request
      const defaults = account === null ? NO_RULES : PROVIDER_RULES
      const rules = mergeRules(defaults, request.rules)
      requireAddressForRules(address, rules)
      const calendar =
        account === null
          ? toFeed(toFeedUrl(place.url ?? ''))
          : toProviderCalendar(account.provider, account.id, place.providerCalendarId ?? '')
      const content = await read(userId ?? INSTANCE, calendar, timeZone)
      return preview(content, { address, rules, obstacle: null })
    },
    async ofCalendar(id: string, request: PreviewRequest): Promise<CalendarPreview> {
      const calendar = await requireCalendar(db, id)
      const sealed = await readSealedAddress(db, id)
      const { kind, calendarAccountId, providerCalendarId } = calendar
      const polled =
        kind === 'ics' || calendarAccountId === null
          ? toFeed(sealed === null ? '' : secretBox.open(sealed, addressLabel(id)))
          : toProviderCalendar(kind, calendarAccountId, providerCalendarId ?? '')
      const person = calendar.userId ?? INSTANCE
      const { address = calendar.address } = request
      const rules = mergeRules(calendar.rules, request.rules)
      requireAddressForRules(address, rules)
      const content = await read(person, polled, request.timeZone ?? calendar.timeZone)
      const obstacle = await findCalendarObstacle(db, calendar, clock.now())
      return preview(content, { address, rules, obstacle })
    },
  }
}

/** Previews store nothing, so they read everything. */
function toFeed(url: string): PolledCalendar {
  return { kind: 'ics', state: { url, etag: null, lastModified: null } }
}

function toProviderCalendar(
  kind: CalendarProviderName,
  accountId: string,
  providerCalendarId: string,
): PolledCalendar {
  return { kind, state: { accountId, providerCalendarId, calendarId: null, cursor: null } }
}

export type CalendarPreviews = ReturnType<typeof createCalendarPreviews>

/**
 * Each person reads one calendar at a time, and only a few people can wait, because a server may take half a minute to
 * answer. A person's next preview waits, because the console requests one after each change of the rules.
 */
function createPreviewLimit() {
  const limit = createConcurrencyLimit(MAX_CONCURRENT)
  const people = new Map<string, { previews: number; limit: typeof limit }>()
  return async <T>(person: string, work: () => Promise<T>): Promise<T> => {
    const own = people.get(person) ?? { previews: 0, limit: createConcurrencyLimit(1) }
    const isFull = own.previews === 0 && people.size >= MAX_CONCURRENT + MAX_WAITING
    if (isFull || own.previews >= MAX_PER_PERSON)
      throw new ServiceError('too_many_requests', { retryAfterSeconds: 5 })
    own.previews += 1
    people.set(person, own)
    try {
      return await own.limit(() => limit(work))
    } finally {
      own.previews -= 1
      if (own.previews === 0) people.delete(person)
    }
  }
}

function requireTimeZone(name: string): string {
  const timeZone = canonicalTimeZone(name)
  if (timeZone !== null) return timeZone
  const message = 'Must be an IANA time zone such as Europe/Zurich'
  throw new ServiceError('invalid_request', { details: [{ path: 'timeZone', message }] })
}

function mergeRules(before: AttendanceRules, given: RulesRequest = {}): AttendanceRules {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...before, ...(Object.fromEntries(set) as Partial<AttendanceRules>) }
}

/** Decides about the occurrences of the next two weeks without storing the result. */
function previewCalendar(
  reported: readonly LinkedOccurrence[],
  context: AttendanceContext,
): PreviewedMeeting[] {
  const until = context.now.getTime() + PLANNED_MS
  const decided = reported
    .map(({ occurrence, place }) => {
      const { title, startsAt, isAllDay, isCancelled, organizer, attendees } = occurrence
      const endsAt = findEnd(occurrence)
      const { isPrivate = false, ownResponse = null } = occurrence
      const state = { isAllDay, isCancelled, hasLink: place !== null, isPrivate, ownResponse }
      const facts = { title, endsAt, organizer, attendees, ...state }
      return { title, startsAt, endsAt, place, ...decideAttendance(facts, context, null) }
    })
    .filter(({ startsAt, reason }) => reason !== 'past' && startsAt.getTime() < until)
    .slice(0, MAX_PREVIEWED)
  const candidates = decided.flatMap(({ place, decision, startsAt, endsAt }, i) =>
    place === null || decision === 'skip'
      ? []
      : [{ id: formatPosition(i), room: place.room, startsAt, endsAt, hasBot: false }],
  )
  const attended = new Set<string>()
  for (const sameRoom of Map.groupBy(candidates, ({ room }) => room).values())
    for (const id of chooseAttended(sameRoom)) attended.add(id)
  return decided.map(({ title, startsAt, endsAt, place, decision, reason }, i) => {
    const willJoin = attended.has(formatPosition(i))
    return {
      title,
      startsAt,
      endsAt,
      platform: place?.platform ?? null,
      label: place?.label ?? null,
      willJoin,
      reason: decision === 'join' && !willJoin ? 'same_room' : reason,
    }
  })
}

/** Formats a position as text that sorts correctly. */
function formatPosition(i: number): string {
  return String(i).padStart(6, '0')
}

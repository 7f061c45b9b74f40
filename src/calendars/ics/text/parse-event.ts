import { cutText, toPlainLine } from '../../../lib/text/plain-text.ts'
import type {
  AttendeeResponse,
  CalendarEvent,
  EventAttendee,
  EventEnd,
  FeedTime,
  RecurrenceDate,
} from '../events.ts'
import type { ProblemCounter } from '../problems.ts'
import type { FeedZones } from '../zones/feed-zones.ts'
import { toInstant, UTC } from '../zones/zone.ts'
import type { Component, ContentLine } from './content-lines.ts'
import { parseDuration, parseWallTime, unescapeText } from './values.ts'

type Context = {
  zones: FeedZones
  problems: ProblemCounter
  /** True if the feed cancels everything in it (METHOD:CANCEL). */
  isCancelled: boolean
}

const MAX_UID_LENGTH = 500
const MAX_TITLE_LENGTH = 500
/** The longest address that email allows. */
const MAX_ADDRESS_LENGTH = 320
/** How much of a value is searched for an address. */
const MAX_ADDRESS_TEXT_LENGTH = 1_000
const MAX_ATTENDEES = 500
const MAX_ATTENDEE_NAME_LENGTH = 100
const MAX_RULES = 10
const MAX_DATES = 20_000

/** Properties in which calendars put the meeting link, most specific first. */
const LINK_PROPERTIES = [
  'X-GOOGLE-CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
  'X-MICROSOFT-ONLINEMEETINGCONFLINK',
  'CONFERENCE',
  'LOCATION',
  'URL',
  'DESCRIPTION',
  'X-ALT-DESC',
] as const

/** Both read each character only once, whatever the value is. */
const MAILTO = /mailto:\s*([^\s<>,;]+)/gi
const ADDRESS = /[^@]@[^@]/

const RESPONSES: Readonly<Record<string, AttendeeResponse>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  'NEEDS-ACTION': 'needs_action',
}

/** What an attendee can be besides a person. */
const OTHER_ATTENDEES: ReadonlySet<string> = new Set(['ROOM', 'RESOURCE', 'GROUP'])

/** RFC 5545, section 3.8.1.3. */
const PRIVATE_CLASSES: ReadonlySet<string> = new Set(['PRIVATE', 'CONFIDENTIAL'])

/** Reads a VEVENT; null if it has no valid start. */
export function parseEvent({ properties }: Component, context: Context): CalendarEvent | null {
  const first = (name: string) => properties.get(name)?.[0]
  const all = (name: string) => properties.get(name) ?? []
  const value = (name: string) => first(name)?.value.trim() ?? ''
  const time = (name: string) => parseTime(first(name), context)

  const recurrenceId = time('RECURRENCE-ID')
  const end = time('DTEND')
  // An occurrence that was only cancelled may have no start of its own.
  const start = toZoneOfEnd(time('DTSTART') ?? recurrenceId, end)
  if (start === null) {
    context.problems.add('event_without_start')
    return null
  }
  const title = toPlainLine(unescapeText(value('SUMMARY')), MAX_TITLE_LENGTH)
  const uid = toPlainLine(unescapeText(value('UID')), MAX_UID_LENGTH)
  if (uid === '') context.problems.add('event_without_uid')
  const listDates = (name: string) => all(name).flatMap((line) => parseDates(line, context))
  return {
    uid: uid === '' ? cutText(`no-uid/${start.wall}/${title}`, MAX_UID_LENGTH) : uid,
    sequence: parseSequence(value('SEQUENCE')),
    lastModified: parseModified(value('LAST-MODIFIED')) ?? parseModified(value('DTSTAMP')),
    recurrenceId,
    isThisAndFuture:
      first('RECURRENCE-ID')?.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    isCancelled: context.isCancelled || value('STATUS').toUpperCase() === 'CANCELLED',
    ...(PRIVATE_CLASSES.has(value('CLASS').toUpperCase()) && { isPrivate: true }),
    title,
    organizer: parseAddress(first('ORGANIZER')),
    attendees: all('ATTENDEE').slice(0, MAX_ATTENDEES).flatMap(parseAttendee),
    linkTexts: LINK_PROPERTIES.flatMap((name) => all(name).map((line) => unescapeText(line.value))),
    start,
    end: parseEnd(end, value('DURATION')),
    rules: all('RRULE')
      .slice(0, MAX_RULES)
      .map((line) => line.value),
    excludedRules: all('EXRULE')
      .slice(0, MAX_RULES)
      .map((line) => line.value),
    dates: listDates('RDATE').slice(0, MAX_DATES),
    excludedDates: listDates('EXDATE')
      .slice(0, MAX_DATES)
      .map((date) => date.start),
  }
}

function parseTime(line: ContentLine | undefined, context: Context): FeedTime | null {
  return line === undefined ? null : readTime(line.value, line.parameters.get('TZID'), context)
}

function readTime(value: string, tzid: string | undefined, context: Context): FeedTime | null {
  const parsed = parseWallTime(value)
  if (parsed === null) return null
  const { wall, isDate, isUtc } = parsed
  if (isUtc) return { wall, isDate, zone: UTC }
  if (isDate || tzid === undefined) return { wall, isDate, zone: null }
  const zone = context.zones.find(tzid)
  if (zone === null) context.problems.add('unknown_zone')
  return { wall, isDate, zone }
}

/** The dates of an RDATE or EXDATE line. A date can be a period with its own end. */
function parseDates({ value, parameters }: ContentLine, context: Context): RecurrenceDate[] {
  return value.split(',').flatMap((text): RecurrenceDate[] => {
    const [startText = '', endText = ''] = text.split('/')
    const start = readTime(startText, parameters.get('TZID'), context)
    if (start === null) {
      context.problems.add('unreadable_date')
      return []
    }
    const end = readTime(endText, parameters.get('TZID'), context)
    // Stored as a duration, because the end of an occurrence is otherwise computed from the event's start.
    const ms = end === null ? 0 : Math.max(0, toInstantOf(end) - toInstantOf(start))
    return [
      { start, end: end === null ? parseEnd(null, endText) : { kind: 'duration', days: 0, ms } },
    ]
  })
}

/** Some calendars write the zone of an event only at its end. */
function toZoneOfEnd(start: FeedTime | null, end: FeedTime | null): FeedTime | null {
  const zone = end?.zone ?? null
  if (start === null || start.isDate || start.zone !== null || zone?.name === 'UTC') return start
  return { ...start, zone }
}

/** Only for the difference between two times, so the zone of floating times does not matter. */
function toInstantOf({ zone, wall }: FeedTime): number {
  return toInstant(zone ?? UTC, wall)
}

function parseEnd(end: FeedTime | null, durationText: string): EventEnd {
  if (end !== null) return { kind: 'time', time: end }
  const duration = parseDuration(durationText)
  return duration === null ? { kind: 'none' } : { kind: 'duration', ...duration }
}

function parseAttendee(line: ContentLine): EventAttendee[] {
  const address = parseAddress(line)
  if (address === null) return []
  const partstat = line.parameters.get('PARTSTAT')?.toUpperCase() ?? ''
  const type = line.parameters.get('CUTYPE')?.toUpperCase() ?? ''
  const isOther = OTHER_ATTENDEES.has(type)
  const name = toPlainLine(line.parameters.get('CN') ?? '', MAX_ATTENDEE_NAME_LENGTH)
  // Many calendars repeat the address as the name.
  const hasName = name !== '' && !name.includes('@')
  return [
    {
      address,
      ...(hasName && { name }),
      response: RESPONSES[partstat] ?? null,
      ...(isOther && { isPerson: false }),
    },
  ]
}

/** The address in `mailto:Ada@example.com`, in lower case. Some calendars write it only as a parameter. */
function parseAddress(line: ContentLine | undefined): string | null {
  if (line === undefined) return null
  const value = line.value.slice(0, MAX_ADDRESS_TEXT_LENGTH)
  const found = Array.from(value.matchAll(MAILTO), ([, address = '']) => address)
  const parameter = line.parameters.get('EMAIL')?.slice(0, MAX_ADDRESS_TEXT_LENGTH) ?? ''
  const address = [...found, parameter].find((text) => ADDRESS.test(text))
  return address === undefined ? null : toPlainLine(address.toLowerCase(), MAX_ADDRESS_LENGTH)
}

function parseSequence(value: string): number {
  return /^\d{1,9}$/.test(value) ? Number(value) : 0
}

function parseModified(value: string): Date | null {
  const parsed = parseWallTime(value)
  return parsed === null ? null : new Date(parsed.wall)
}

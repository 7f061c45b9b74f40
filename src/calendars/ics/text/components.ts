import { FeedError } from '../feed-error.ts'
import { type ContentLine, parseContentLine, splitLines } from './content-lines.ts'

/** A part of a feed between BEGIN and END, with the properties that Hansard uses. */
export type Component = {
  name: string
  properties: Map<string, ContentLine[]>
  children: Component[]
}

/** What the components of these names contain. All other components and properties are skipped. */
const USED_PROPERTIES: Readonly<Record<string, ReadonlySet<string>>> = {
  VCALENDAR: new Set(['METHOD', 'X-WR-CALNAME', 'X-WR-TIMEZONE']),
  VPOLL: new Set(),
  VTIMEZONE: new Set(['TZID', 'X-LIC-LOCATION']),
  STANDARD: new Set(['DTSTART', 'RDATE', 'RRULE', 'TZOFFSETFROM', 'TZOFFSETTO']),
  DAYLIGHT: new Set(['DTSTART', 'RDATE', 'RRULE', 'TZOFFSETFROM', 'TZOFFSETTO']),
  VEVENT: new Set([
    'ATTENDEE',
    'CONFERENCE',
    'DESCRIPTION',
    'DTEND',
    'DTSTAMP',
    'DTSTART',
    'DURATION',
    'EXDATE',
    'EXRULE',
    'LAST-MODIFIED',
    'LOCATION',
    'ORGANIZER',
    'RDATE',
    'RECURRENCE-ID',
    'RRULE',
    'SEQUENCE',
    'STATUS',
    'SUMMARY',
    'UID',
    'URL',
    'X-ALT-DESC',
    'X-GOOGLE-CONFERENCE',
    'X-MICROSOFT-ONLINEMEETINGCONFLINK',
    'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
    'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  ]),
}
const NOTHING: ReadonlySet<string> = new Set()

/** Deeper than any real feed, and few enough to search for the BEGIN of an END. */
const MAX_DEPTH = 20

/** The parts that may contain these parts. When one begins elsewhere, the END of an earlier part is missing. */
const PARENTS: Readonly<Record<string, ReadonlyArray<string | undefined>>> = {
  VCALENDAR: [undefined],
  // The events in a poll are proposals.
  VEVENT: [undefined, 'VCALENDAR', 'VPOLL'],
  VTIMEZONE: [undefined, 'VCALENDAR'],
}

/** Parts that must have an END of their own, because it would not be noticed that events are missing. */
const CLOSED_PARTS: ReadonlySet<string> = new Set(['VEVENT', 'VPOLL'])

/**
 * Reads the calendars of a feed. Throws a FeedError when there is none, or when a part of it is missing: an event that
 * is only lost in the feed must not look like one that was removed from the calendar.
 */
export function readComponents(text: string, onUnreadableLine: () => void): Component[] {
  const calendars: Component[] = []
  const open: Component[] = []
  for (const line of splitLines(text)) {
    const content = parseContentLine(line)
    // Until a calendar begins, any text may come. It decides nothing, and the end of this function rejects it.
    if (open.length === 0 && content?.name !== 'BEGIN') continue
    if (content === null) onUnreadableLine()
    else if (content.name === 'BEGIN') openComponent(open, calendars, content.value)
    else if (content.name === 'END') closeComponent(open, content.value)
    else addProperty(open.at(-1), content)
  }
  if (open.length > 0) {
    throw new FeedError('truncated', 'The calendar is incomplete: its end is missing.')
  }
  if (calendars.length === 0) {
    throw new FeedError('not_a_calendar', 'The address does not return an iCalendar feed.')
  }
  return calendars
}

function openComponent(open: Component[], calendars: Component[], value: string): void {
  const component: Component = { name: normalize(value), properties: new Map(), children: [] }
  const parent = open.at(-1)
  if (PARENTS[component.name]?.includes(parent?.name) === false) throw createIncompleteError()
  if (parent === undefined) {
    if (component.name !== 'VCALENDAR') return
    calendars.push(component)
  } else if (USED_PROPERTIES[component.name] !== undefined) parent.children.push(component)
  open.push(component)
  if (open.length > MAX_DEPTH) {
    throw new FeedError('too_complex', `The calendar has more than ${MAX_DEPTH} nested parts.`)
  }
}

/** An END also ends the parts inside it, other than events and polls, whose own END is missing. An END without a BEGIN has no effect. */
function closeComponent(open: Component[], value: string): void {
  const name = normalize(value)
  const index = open.findLastIndex((component) => component.name === name)
  const hasOpenPart = open.slice(index + 1).some((component) => CLOSED_PARTS.has(component.name))
  if (index === -1 ? CLOSED_PARTS.has(name) : hasOpenPart) throw createIncompleteError()
  if (index !== -1) open.length = index
}

function createIncompleteError(): FeedError {
  return new FeedError(
    'truncated',
    'The calendar is incomplete: the beginning or the end of an event is missing.',
  )
}

function addProperty(component: Component | undefined, content: ContentLine): void {
  if (component === undefined) return
  if (!(USED_PROPERTIES[component.name] ?? NOTHING).has(content.name)) return
  const present = component.properties.get(content.name)
  if (present === undefined) component.properties.set(content.name, [content])
  else present.push(content)
}

function normalize(value: string): string {
  return value.trim().toUpperCase()
}

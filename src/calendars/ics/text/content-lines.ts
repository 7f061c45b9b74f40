import { FeedError } from '../problems.ts'

/** A line of iCalendar after folded lines were joined. Names are in upper case. */
export type ContentLine = {
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]

/** What can precede the first line: a byte order mark, empty lines, and the spaces that indent it. */
const INDENT = /^(?:\u00ef\u00bb\u00bf)?(?:[ \t]*\r?\n)*([ \t]+)(?=BEGIN:)/i

const MAX_BEFORE_BEGIN = 10_000

/** A part of a feed between BEGIN and END, with the properties that Hansard uses. */
export type Component = {
  name: string
  properties: Map<string, ContentLine[]>
  children: Component[]
}

/** The properties that are read from these components. Everything else is skipped. */
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

/** Deeper than any real feed, and shallow enough to search for the BEGIN of an END. */
const MAX_DEPTH = 20

/** The parts that can contain these parts. If one begins elsewhere, an earlier part has no END. */
const PARENTS: Readonly<Record<string, ReadonlyArray<string | undefined>>> = {
  VCALENDAR: [undefined],
  // Events in a poll are only proposals.
  VEVENT: [undefined, 'VCALENDAR', 'VPOLL'],
  VTIMEZONE: [undefined, 'VCALENDAR'],
}

/** Parts that must have an END. Otherwise missing events would go unnoticed. */
const CLOSED_PARTS: ReadonlySet<string> = new Set(['VEVENT', 'VPOLL'])

/** Removes what prevents reading a feed as lines: old Mac line ends, and spaces before the first or all lines. */
export function normalizeLines(bytes: Uint8Array): Uint8Array {
  // The end of the first line decides, because a program that adds to a feed may write other line ends.
  const end = bytes.findIndex(isLineEnd)
  const isOldMac = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] !== LINE_FEED
  const lines = isOldMac
    ? bytes.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte))
    : bytes
  const found = INDENT.exec(toLatin1(lines.subarray(0, MAX_BEFORE_BEGIN)))
  if (found === null) return lines
  const [before, indent = ''] = found
  const rest = toLatin1(lines.subarray(before.length)).split('\n')
  // If only the first line is indented, leading spaces in other lines mean that those lines are folded.
  const isIndented = rest.every(
    (line, i) => i === 0 || line.trim() === '' || line.startsWith(indent),
  )
  const unindented = rest.map((line, i) =>
    i === 0 || !isIndented ? line : line.slice(indent.length),
  )
  return Buffer.from(unindented.join('\n'), 'latin1')
}

/** One character per byte, because the bytes need not be valid text. */
function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** Joins folded lines. Works on bytes, because a feed may fold a line in the middle of a character. */
export function unfold(bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length)
  let length = 0
  let copiedTo = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const next = bytes[at + 1]
    if (next !== SPACE && next !== TAB) continue
    // Some programs double line ends, which puts an empty line between the parts.
    let lineEnd = at
    while (lineEnd > copiedTo && isLineEnd(bytes[lineEnd - 1])) lineEnd -= 1
    if (lineEnd > copiedTo) {
      joined.set(bytes.subarray(copiedTo, lineEnd), length)
      length += lineEnd - copiedTo
    }
    copiedTo = at + 2
  }
  joined.set(bytes.subarray(copiedTo), length)
  return joined.subarray(0, length + bytes.length - copiedTo)
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN
}

/** Skips empty lines. */
export function* splitLines(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    if (line.trim() !== '') yield line
    start = end + 1
  }
}

const NAME = /^[A-Za-z0-9-]{1,100}/
const PARAMETER_NAME = /;([A-Za-z0-9-]{1,100})=/y
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/** Parses a line; null if it does not have the form `NAME;PARAMETER=value:value`. */
export function parseContentLine(line: string): ContentLine | null {
  const name = NAME.exec(line)?.[0]
  if (name === undefined) return null
  let position = name.length
  if (line[position] === ':') {
    return {
      name: name.toUpperCase(),
      parameters: NO_PARAMETERS,
      value: line.slice(position + 1),
    }
  }
  const parameters = new Map<string, string>()
  while (line[position] === ';') {
    PARAMETER_NAME.lastIndex = position
    const found = PARAMETER_NAME.exec(line)
    if (found === null) return null
    const [start, parameter = ''] = found
    const end = findParameterEnd(line, position + start.length)
    if (end === -1) return null
    const value = line.slice(position + start.length, end)
    parameters.set(parameter.toUpperCase(), value.replaceAll('"', ''))
    position = end
  }
  if (line[position] !== ':') return null
  return { name: name.toUpperCase(), parameters, value: line.slice(position + 1) }
}

/** Returns where the value of a parameter ends, or -1. In quotes, `:` and `;` are part of the value. */
function findParameterEnd(line: string, start: number): number {
  for (let position = start; position < line.length; position += 1) {
    const character = line[position]
    if (character === ':' || character === ';') return position
    if (character !== '"') continue
    position = line.indexOf('"', position + 1)
    if (position === -1) return -1
  }
  return -1
}

/**
 * Reads the calendars of a feed. Throws a `FeedError` if there is none or if a part is missing: an event that was lost
 * in the feed must not look like one that was removed from the calendar.
 */
export function readComponents(text: string, onUnreadableLine: () => void): Component[] {
  const calendars: Component[] = []
  const open: Component[] = []
  for (const line of splitLines(text)) {
    const content = parseContentLine(line)
    // Any text may precede a calendar. It has no effect, and a feed without a calendar is rejected below.
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

/** An END also closes inner parts without an END, except events and polls. An END without a BEGIN has no effect. */
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

import { nearest } from '../../lib/nearest.ts'

/** A stretch of time on which a zone keeps one distance to UTC; all in milliseconds, `end` not included. */
export type Span = { start: number; end: number; offset: number }

export type Zone = {
  /** The spans that hold all of a local date, given as days since 1970, with a day or more to spare. */
  spansAround(day: number): readonly Span[]
}

export const DAY_MS = 86_400_000

const MAX_NAME_LENGTH = 64
const NAME = /^[a-z][\w+-]*(?:\/[\w+-]+)*$/i
/** Names of one engine's own. Most stand for several zones in daily use, so that a guess would be wrong. */
const NOT_IANA =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

/** Some engines answer with the name a zone had when they first knew it. */
const TODAYS_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Bounds on memory: an instance uses few zones, a preview may be asked for all of them. */
const MAX_ZONES = 50
const MAX_DAYS = 200
const MAX_NAMES = 200
const zones = new Map<string, Zone>()
/** Asking Intl takes a hundred times as long as all the rest of reading a schedule. */
const canonicalNames = new Map<string, string | null>()

/** The one spelling under which a zone is kept, or null for what is no IANA name. */
export function canonicalTimeZone(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name) || NOT_IANA.test(name)) return null
  const known = canonicalNames.get(name)
  if (known !== undefined) return known
  if (canonicalNames.size >= MAX_NAMES) canonicalNames.clear()
  const canonical = askForName(name)
  canonicalNames.set(name, canonical)
  return canonical
}

function askForName(name: string): string | null {
  try {
    const found = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    return TODAYS_NAMES[found] ?? found
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The zone that somebody who wrote this most likely meant. */
export function similarTimeZone(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return null
  const known = Intl.supportedValuesOf('timeZone').map((zone) => TODAYS_NAMES[zone] ?? zone)
  return nearest(name, ['UTC', ...known])
}

export function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone)
  if (known !== undefined) return known
  if (zones.size >= MAX_ZONES) zones.clear()
  const zone = createZone(timeZone)
  zones.set(timeZone, zone)
  return zone
}

function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetAt = (time: number) => readOffset(format.format(time))
  const days = new Map<number, readonly Span[]>()
  return {
    spansAround(day) {
      const known = days.get(day)
      if (known !== undefined) return known
      if (days.size >= MAX_DAYS) days.clear()
      const spans = findSpans(offsetAt, day)
      days.set(day, spans)
      return spans
    },
  }
}

/** `GMT`, `GMT-03:30` or, long ago, `GMT-00:44:30`. */
function readOffset(text: string): number {
  const parts = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text)
  if (parts === null) throw new Error(`no distance to UTC in ${text}`)
  const [, sign, hours = 0, minutes = 0, seconds = 0] = parts
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

function findSpans(offsetAt: (time: number) => number, day: number): Span[] {
  const spans: Span[] = []
  let [start, offset] = [(day - 1) * DAY_MS, offsetAt((day - 1) * DAY_MS)]
  for (let next = day; next <= day + 2; next += 1) {
    const after = offsetAt(next * DAY_MS)
    if (after === offset) continue
    const change = findChange(offsetAt, (next - 1) * DAY_MS, next * DAY_MS)
    spans.push({ start, end: change, offset })
    ;[start, offset] = [change, after]
  }
  spans.push({ start, end: (day + 2) * DAY_MS, offset })
  return spans
}

/** The first second with the offset of the end. Zones change at whole seconds, once in a day at most. */
function findChange(offsetAt: (time: number) => number, from: number, to: number): number {
  const goal = offsetAt(to)
  let [low, high] = [from / 1000, to / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000) === goal) high = middle
    else low = middle
  }
  return high * 1000
}

import { HOUR_MS, MINUTE_MS, DAY_MS } from '../../../lib/time/durations.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import { listZoneNames } from '../../../lib/time/zone-data.ts'
import type { ProblemCounter } from '../problems.ts'
import type { Component } from '../text/content-lines.ts'
import { unescapeText, parseUtcOffset, parseWallTime } from '../text/values.ts'
import { findIanaForWindowsName } from './windows-zones.ts'
import { createIanaZone, UTC, type Zone } from './zone.ts'
import { createRuleBudget, expandRule } from '../recurrence/expand-rule.ts'
import { countTimesPerDay, parseRule, type Rule } from '../recurrence/parse-rule.ts'

/** No real feed defines more zones. Further ones are treated as unknown. */
const MAX_OWN_ZONES = 200

/** More names than exist. Looking up an unknown name takes long. */
const MAX_NAMES = 2_000

/** Zones for Windows display names that contain no city of an IANA zone. A Map, because names come from the feed. */
const IANA_BY_DISPLAY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'greenwich mean time': 'Europe/London',
    'pacific time (us & canada)': 'America/Los_Angeles',
    'mountain time (us & canada)': 'America/Denver',
    'central time (us & canada)': 'America/Chicago',
    'eastern time (us & canada)': 'America/New_York',
    'atlantic time (canada)': 'America/Halifax',
    alaska: 'America/Anchorage',
    'aleutian islands': 'America/Adak',
    arizona: 'America/Phoenix',
    'baja california': 'America/Tijuana',
    brasilia: 'America/Sao_Paulo',
    'cabo verde is.': 'Atlantic/Cape_Verde',
    'central america': 'America/Guatemala',
    ekaterinburg: 'Asia/Yekaterinburg',
    greenland: 'America/Nuuk',
    haiti: 'America/Port-au-Prince',
    hawaii: 'Pacific/Honolulu',
    'indiana (east)': 'America/Indiana/Indianapolis',
    newfoundland: 'America/St_Johns',
    "nuku'alofa": 'Pacific/Tongatapu',
    'saint pierre & miquelon': 'America/Miquelon',
    saskatchewan: 'America/Regina',
    'solomon is., new caledonia': 'Pacific/Guadalcanal',
    'sri jayawardenepura': 'Asia/Colombo',
    'turks & caicos': 'America/Grand_Turk',
    'west central africa': 'Africa/Lagos',
  }),
)

/** Further such names, of places where clocks do not change. The offset before the name is enough. */
const FIXED_DISPLAY_NAME =
  /^(?:astana|chetumal|chokurdakh|city of buenos aires|coordinated universal time(?:[+-]\d\d)?|international date line west|port louis|salvador|samoa|yukon)$/

/** `(UTC+01:00) Amsterdam, Berlin`, `(UTC) Dublin, Lisbon` or, as Exchange writes it, `(GMT+01.00) Sarajevo/Zagreb`. */
const DISPLAY_NAME = /^(\((?:utc|gmt)(?:([+-]\d{1,2})[:.](\d{2}))?\)\s*)?([^()].*)$/i

/** Both halves of a year, so that the smaller offset is standard time. */
const SEASONS = [Date.UTC(2026, 0), Date.UTC(2026, 6)]

/** Clock changes are computed for these years. Before and after, the nearest offset is used. */
const FIRST_CHANGE = Date.UTC(1970, 0)

const LAST_CHANGE = Date.UTC(2100, 0)

/** More than the history of any real zone. */
const MAX_PARTS = 200

type Change = { at: number; offsetBefore: number; offset: number }

/** How many rules the zones of a feed may have together. Each one takes some milliseconds. */
const MAX_RULES = 1_000

type ZoneBudget = { rules: number }

/**
 * A known name takes precedence over the feed's VTIMEZONE, because many feeds describe only one year of a zone, and
 * outdated rules are common. A VTIMEZONE is used for names that only the feed knows.
 */
export function createFeedZones(vtimezones: readonly Component[], problems: ProblemCounter) {
  const found = new Map<string, Zone | null>()
  const components = new Map(
    vtimezones.map((component) => [readValue(component, 'TZID'), component]),
  )
  const budget = createZoneBudget()
  let ownZones = 0
  const resolve = (tzid: string): Zone | null => {
    const iana = findIanaName(tzid)
    if (iana !== null) return createIanaZone(iana)
    const component = components.get(tzid)
    if (component !== undefined) {
      const location = findIanaName(readValue(component, 'X-LIC-LOCATION'))
      if (location !== null) return createIanaZone(location)
      ownZones += 1
      const zone =
        ownZones > MAX_OWN_ZONES ? null : createVtimezoneZone(component, tzid, budget, problems)
      if (zone !== null) return zone
    }
    return findZoneByDisplayName(tzid) ?? parseFixedOffset(tzid) ?? findHyphenatedZone(tzid)
  }
  return {
    /** Returns the zone for a TZID; null if it is unknown. */
    find(given: string): Zone | null {
      // Some feeds escape the commas in a name although they also quote it.
      const tzid = unescapeText(given).trim()
      const cached = found.get(tzid)
      if (cached !== undefined) return cached
      if (found.size >= MAX_NAMES) return null
      const zone = resolve(tzid)
      found.set(tzid, zone)
      return zone
    },
  }
}

/** The zones of the times in one feed. */
export type FeedZones = ReturnType<typeof createFeedZones>

/** The IANA name for a TZID: itself, a Windows name, or the end of a path such as `/vendor/2026/Europe/Berlin`. */
export function findIanaName(tzid: string): string | null {
  if (tzid === '' || tzid.length > 200) return null
  if (/^(?:z|utc|gmt)$/i.test(tzid)) return 'UTC'
  const known = canonicalTimeZone(tzid) ?? findIanaForWindowsName(tzid)
  if (known !== null) return known
  const segments = tzid.split('/').filter(Boolean)
  // Three, because of names such as America/Argentina/Salta.
  for (const length of [3, 2, 1]) {
    if (segments.length < length) continue
    const name = canonicalTimeZone(segments.slice(-length).join('/'))
    if (name !== null) return name
  }
  return null
}

/** A zone for `UTC+2` or `GMT-03:30`. */
function parseFixedOffset(tzid: string): Zone | null {
  const [, hours, minutes] = /^(?:utc|gmt)([+-]\d{1,2})(?::?(\d{2}))?$/i.exec(tzid) ?? []
  return hours === undefined ? null : createFixedZone(tzid, toOffset(hours, minutes))
}

/** The zone for a name such as `America-New_York`. */
function findHyphenatedZone(tzid: string): Zone | null {
  const name = canonicalTimeZone(tzid.replace('-', '/'))
  return name === null ? null : createIanaZone(name)
}

function createFixedZone(name: string, offset: number): Zone {
  return offset === 0 ? UTC : { name, offsetAt: () => offset }
}

/** The offset of hours with a sign, such as `-3`, and minutes. */
function toOffset(hours: string, minutes = '0'): number {
  const size = Math.abs(Number(hours)) * HOUR_MS + Number(minutes) * MINUTE_MS
  return hours.startsWith('-') ? -size : size
}

function readValue(component: Component, name: string): string {
  return unescapeText(component.properties.get(name)?.[0]?.value ?? '').trim()
}

/** The zone for a name that Windows shows to people; null if it is unknown. */
function findZoneByDisplayName(tzid: string): Zone | null {
  const [, prefix, hours = '+0', minutes, given = ''] = DISPLAY_NAME.exec(tzid) ?? []
  // Older versions of Office write “US and Canada”.
  const name = given.toLowerCase().replace(' and ', ' & ')
  const known = IANA_BY_DISPLAY_NAME.get(name)
  if (known !== undefined) return createIanaZone(known)
  if (prefix === undefined) return null
  const offset = toOffset(hours, minutes)
  if (FIXED_DISPLAY_NAME.test(name)) return createFixedZone(tzid, offset)
  // Several zones have a city with the same name, so the offset decides.
  const places = name.split(/[,:;/(]/).map(toPlace)
  const rank = (zone: string) => places.indexOf(toPlace(zone.split('/').at(-1) ?? ''))
  const [first] = listZoneNames()
    .filter((zone) => rank(zone) !== -1 && findOffset(zone) === offset)
    .toSorted((a, b) => rank(a) - rank(b))
  const iana = first === undefined ? null : canonicalTimeZone(first)
  return iana === null ? null : createIanaZone(iana)
}

/** The name of a place in the form of IANA names, which leave out “Islands”. */
function toPlace(text: string): string {
  const place = text.replaceAll('_', ' ').trim().toLowerCase()
  return place.replace(/ (?:islands?|is\.)$/, '')
}

function findOffset(zone: string): number {
  return Math.min(...SEASONS.map((instant) => createIanaZone(zone).offsetAt(instant)))
}

function createZoneBudget(): ZoneBudget {
  return { rules: MAX_RULES }
}

/** The zone that a VTIMEZONE describes; null if it is invalid or the budget is used up. */
function createVtimezoneZone(
  component: Component,
  name: string,
  budget: ZoneBudget,
  problems: ProblemCounter,
): Zone | null {
  const parts = component.children.slice(0, MAX_PARTS)
  budget.rules -= parts.flatMap(({ properties }) => properties.get('RRULE') ?? []).length
  if (budget.rules < 0) return null
  const changes = parts
    .flatMap((part) => {
      const listed = listChanges(part)
      if (!listed.isComplete) problems.add('unreadable_clock_change')
      return listed.changes
    })
    .toSorted((a, b) => a.at - b.at)
  const [first] = changes
  if (first === undefined) return null
  return {
    name,
    offsetAt(instant) {
      let [low, high] = [0, changes.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (instant < (changes[middle]?.at ?? Infinity)) high = middle
        else low = middle + 1
      }
      return changes[low - 1]?.offset ?? first.offsetBefore
    },
  }
}

/** When clocks change to the offset of a STANDARD or DAYLIGHT part. */
function listChanges({ properties }: Component): { changes: Change[]; isComplete: boolean } {
  const read = (name: string) => properties.get(name)?.[0]?.value ?? ''
  const start = parseWallTime(read('DTSTART'))
  const offsetBefore = parseUtcOffset(read('TZOFFSETFROM'))
  const offset = parseUtcOffset(read('TZOFFSETTO'))
  if (start === null || offsetBefore === null || offset === null) {
    return { changes: [], isComplete: false }
  }
  const list = (name: string) =>
    (properties.get(name) ?? []).map(({ value }) => value.trim()).filter(Boolean)
  const dates = list('RDATE')
    .flatMap((value) => value.split(','))
    .map((value) => parseWallTime(value)?.wall ?? null)
  const repeated = list('RRULE').map((rule) => listRepeated(rule, start.wall, offsetBefore))
  // The time of a change is in the local time before it.
  const walls = new Set([start.wall, ...dates, ...repeated.flat()])
  return {
    changes: [...walls]
      .filter((wall) => wall !== null)
      .map((wall) => ({ at: wall - offsetBefore, offsetBefore, offset })),
    isComplete: !walls.has(null),
  }
}

/** The times of a rule, or null in the list if it cannot be read. */
function listRepeated(text: string, start: number, offsetBefore: number): Array<number | null> {
  const rule = parseRule(text)
  if (rule === null || !isYearlyDate(rule)) return [null]
  const { until } = rule
  const end = until === null ? LAST_CHANGE : until.wall + (until.isDate ? DAY_MS - 1 : 0)
  const lastWall = until?.isUtc === true ? end + offsetBefore : end
  // Exchange starts its rules in 1601, long before any that a meeting needs.
  const yearly = moveToFirstChange(start)
  const last = Math.min(lastWall, LAST_CHANGE)
  const { times, problem } = expandRule(
    rule,
    { start: yearly, from: FIRST_CHANGE, to: last },
    createRuleBudget(),
  )
  return problem === null ? times : [null]
}

/**
 * True if a rule has one date a year, or some days in one month. Clocks do not change more often, and a rule with a
 * time for every hour of 130 years would take minutes.
 */
function isYearlyDate(rule: Rule): boolean {
  const { BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO } = rule.lists
  if (rule.frequency !== 'YEARLY' || countTimesPerDay(rule) > 1) return false
  if (BYYEARDAY !== undefined || BYWEEKNO !== undefined) return false
  const hasDays = BYMONTHDAY !== undefined || rule.weekdays !== null
  return BYMONTH === undefined ? !hasDays : BYMONTH.length === 1
}

/** A start with the same date and time of day, at most four years before the first change that is needed. */
function moveToFirstChange(start: number): number {
  const date = new Date(start)
  const year = 1966 + (date.getUTCFullYear() % 4)
  return date.getUTCFullYear() < 1966 ? date.setUTCFullYear(year) : start
}

import { HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import { listZoneNames } from '../../../lib/time/zone-data.ts'
import type { ProblemCounter } from '../problems.ts'
import type { Component } from '../text/content-lines.ts'
import { unescapeText } from '../text/values.ts'
import { createVtimezoneZone, createZoneBudget } from './vtimezone-zone.ts'
import { findIanaForWindowsName } from './windows-zones.ts'
import { createIanaZone, UTC, type Zone } from './zone.ts'

/** No real feed defines more zones. Further ones are treated as unknown. */
const MAX_OWN_ZONES = 200
/** More names than exist. Looking up an unknown name takes long. */
const MAX_NAMES = 2_000

/** The zones of the times in one feed. */
export type FeedZones = {
  /** Returns the zone for a TZID; null if it is unknown. */
  find(tzid: string): Zone | null
}

/** Zones for Windows display names that contain no city of an IANA zone. */
const IANA_BY_DISPLAY_NAME: Readonly<Record<string, string>> = {
  'coordinated universal time': 'UTC',
  'greenwich mean time': 'Europe/London',
  'pacific time (us & canada)': 'America/Los_Angeles',
  'mountain time (us & canada)': 'America/Denver',
  'central time (us & canada)': 'America/Chicago',
  'eastern time (us & canada)': 'America/New_York',
  'atlantic time (canada)': 'America/Halifax',
  alaska: 'America/Anchorage',
  arizona: 'America/Phoenix',
  'baja california': 'America/Tijuana',
  brasilia: 'America/Sao_Paulo',
  'cabo verde is.': 'Atlantic/Cape_Verde',
  'cape verde is.': 'Atlantic/Cape_Verde',
  'central america': 'America/Guatemala',
  ekaterinburg: 'Asia/Yekaterinburg',
  greenland: 'America/Nuuk',
  hawaii: 'Pacific/Honolulu',
  'indiana (east)': 'America/Indiana/Indianapolis',
  newfoundland: 'America/St_Johns',
  "nuku'alofa": 'Pacific/Tongatapu',
  saskatchewan: 'America/Regina',
  'solomon is., new caledonia': 'Pacific/Guadalcanal',
  'sri jayawardenepura': 'Asia/Colombo',
  'west central africa': 'Africa/Lagos',
}

const DISPLAY_NAME = /^(?:\((?:utc|gmt)(?:([+-])(\d{1,2}):(\d{2}))?\)\s*)?([^()].*)$/i
/** Both halves of a year, so that the smaller offset is standard time. */
const SEASONS = [Date.UTC(2026, 0), Date.UTC(2026, 6)]

/**
 * A known name takes precedence over the feed's VTIMEZONE, because many feeds describe only one year of a zone, and
 * outdated rules are common. A VTIMEZONE is used for names that only the feed knows.
 */
export function createFeedZones(
  vtimezones: readonly Component[],
  problems: ProblemCounter,
): FeedZones {
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
    return findZoneByDisplayName(tzid) ?? parseFixedOffset(tzid)
  }
  return {
    find(given) {
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

function findZoneByDisplayName(tzid: string): Zone | null {
  const name = findIanaForDisplayName(tzid)
  return name === null ? null : createIanaZone(name)
}

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
  const parts = /^(?:utc|gmt)([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(tzid)
  if (parts === null) return null
  const [, sign, hours, minutes = 0] = parts
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
  const offset = sign === '-' ? -size : size
  return offset === 0 ? UTC : { name: tzid, offsetAt: () => offset }
}

function readValue(component: Component, name: string): string {
  return unescapeText(component.properties.get(name)?.[0]?.value ?? '').trim()
}

/** The IANA zone for a name such as `(UTC+01:00) Amsterdam, Berlin`; null if it is unknown. */
function findIanaForDisplayName(tzid: string): string | null {
  const parts = DISPLAY_NAME.exec(tzid.trim())
  if (parts === null) return null
  const [, sign, hours, minutes, name = ''] = parts
  // Older versions of Office write “US and Canada”.
  const known = IANA_BY_DISPLAY_NAME[name.toLowerCase().replace(' and ', ' & ')]
  if (known !== undefined) return known
  if (hours === undefined || minutes === undefined) return null
  // Several zones have a city with the same name, so the offset decides.
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  const offset = sign === '-' ? -size : size
  const places = name.split(/[,:;(]/).map(toPlace)
  const rank = (zone: string) => places.indexOf(toPlace(zone.split('/').at(-1) ?? ''))
  const [first] = listZoneNames()
    .filter((zone) => rank(zone) !== -1 && findOffset(zone) === offset)
    .toSorted((a, b) => rank(a) - rank(b))
  return first === undefined ? null : canonicalTimeZone(first)
}

function toPlace(text: string): string {
  return text.replaceAll('_', ' ').trim().toLowerCase()
}

function findOffset(zone: string): number {
  return Math.min(...SEASONS.map((instant) => createIanaZone(zone).offsetAt(instant)))
}

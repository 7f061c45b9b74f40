import { MINUTE_MS } from '../../../lib/time/durations.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import { listZoneNames } from '../../../lib/time/zone-data.ts'
import { createIanaZone } from './zone.ts'

/** The zones of the names that Windows shows to people, where none of their places is the city of an IANA zone. */
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
/** Both halves of a year, so that the smaller offset is the one of standard time. */
const SEASONS = [Date.UTC(2026, 0), Date.UTC(2026, 6)]

/** The IANA zone for a name such as `(UTC+01:00) Amsterdam, Berlin`; null when it is not known. */
export function findIanaForDisplayName(tzid: string): string | null {
  const parts = DISPLAY_NAME.exec(tzid.trim())
  if (parts === null) return null
  const [, sign, hours, minutes, name = ''] = parts
  // Older versions of Office write “US and Canada”.
  const known = IANA_BY_DISPLAY_NAME[name.toLowerCase().replace(' and ', ' & ')]
  if (known !== undefined) return known
  if (hours === undefined || minutes === undefined) return null
  // Several zones have a city of the same name, so that the offset decides.
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

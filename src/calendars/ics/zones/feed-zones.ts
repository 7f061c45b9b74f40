import { HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import type { ProblemCounter } from '../problems.ts'
import type { Component } from '../text/components.ts'
import { unescapeText } from '../text/values.ts'
import { createVtimezoneZone, createZoneBudget } from './vtimezone-zone.ts'
import { findIanaForDisplayName } from './display-names.ts'
import { findIanaForWindowsName } from './windows-zones.ts'
import { createIanaZone, UTC, type Zone } from './zone.ts'

/** More zones of its own than any real feed has. The times in further ones count as in an unknown zone. */
const MAX_OWN_ZONES = 200
/** More names than there are. To look up one that nobody knows takes long. */
const MAX_NAMES = 2_000

/** The zones that the times of one feed are in. */
export type FeedZones = {
  /** The zone that a TZID names; null when it is unknown. */
  find(tzid: string): Zone | null
}

/**
 * A name that is known wins over the VTIMEZONE of the feed, because many feeds describe only one year of a zone, and
 * outdated rules are common. A VTIMEZONE is used for the names that only the feed knows.
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
      // Some feeds escape the commas of a name although they also quote it.
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

/** The IANA name that a TZID means: itself, a Windows name, or the end of a path such as `/vendor/2026/Europe/Berlin`. */
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

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { canonicalTimeZone } from './time-zone-name.ts'
import { findZoneHistory, findZoneName, listZoneNames, ZONE_DATA_VERSION } from './zone-data.ts'
import { formatLocalTimeWithoutOffset, getZoneOffsets } from './zone-offsets.ts'

const DAY_MS = 86_400_000
const FOUR_WEEKS_MS = 28 * DAY_MS
const NODE_VERSION = process.versions['tz'] ?? ''
/** Zones whose rules changed after the release that Node has. An empty list once Node has the same release. */
const NEWER_ZONES: Readonly<Record<string, readonly string[]>> = {
  '2026c': ['America/Havana', 'America/Inuvik', 'America/Winnipeg'],
}

/** Reads a UTC offset in milliseconds from Node's data. */
function createNodeOffsetReader(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (time) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(format.format(time)) ?? []
    return (
      (sign === '-' ? -1000 : 1000) *
      (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
    )
  }
}

/** Every fourth week, and the seconds before and after each clock change. */
function listSampleTimes(timeZone: string, from: number, to: number): number[] {
  const { changes } = findZoneHistory(timeZone) ?? { changes: [] }
  const weeks = Array.from(
    { length: Math.ceil((to - from) / FOUR_WEEKS_MS) },
    (_, i) => from + i * FOUR_WEEKS_MS,
  )
  return [...weeks, ...changes.flatMap((at) => [at - 1000, at])].filter(
    (at) => at >= from && at < to,
  )
}

test('the zone data is not older than that of Node', () => {
  assert.match(ZONE_DATA_VERSION, /^20\d\d[a-z]$/)
  assert.ok(ZONE_DATA_VERSION >= NODE_VERSION, `${ZONE_DATA_VERSION} is older than ${NODE_VERSION}`)
})

test('offsets differ from those of Node only in zones that changed in a newer release', () => {
  const differing = new Set<string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    assert.ok(findZoneHistory(zone), zone)
    const nodeOffsetAt = createNodeOffsetReader(zone)
    const { offsetAt } = getZoneOffsets(zone)
    const isSame = (at: number) => offsetAt(at) === nodeOffsetAt(at)
    if (!listSampleTimes(zone, Date.UTC(2020), Date.UTC(2038)).every(isSame)) differing.add(zone)
  }
  const expected = ZONE_DATA_VERSION > NODE_VERSION ? (NEWER_ZONES[NODE_VERSION] ?? []) : []
  assert.deepEqual([...differing].toSorted(), expected)
})

test('the canonical name of every zone is in the data', () => {
  const names = listZoneNames()
  assert.ok(names.length > 500)
  for (const name of names) {
    const canonical = canonicalTimeZone(name)
    assert.ok(canonical === null || findZoneName(canonical) === canonical, name)
  }
  assert.equal(findZoneName('america/winnipeg'), 'America/Winnipeg')
  assert.equal(findZoneName('Mars/Olympus'), null)
})

test('local times follow the newest rules', () => {
  const local = (at: string, zone: string) => formatLocalTimeWithoutOffset(new Date(at), zone)
  assert.equal(local('2026-11-15T15:00:00Z', 'America/Winnipeg'), '2026-11-15T10:00')
  assert.equal(local('2026-12-01T15:00:00Z', 'America/Havana'), '2026-12-01T11:00')
  assert.equal(local('2027-12-01T15:00:00Z', 'America/Havana'), '2027-12-01T10:00')
  assert.throws(() => formatLocalTimeWithoutOffset(new Date(), 'Mars/Olympus'), RangeError)
})

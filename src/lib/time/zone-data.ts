import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }

/** The release of the IANA time zone database in use, such as `2026f`. Node has its own, often older release. */
export const ZONE_DATA_VERSION: string = packed.version

/** A zone's UTC offsets. `offsets[i]` is valid before `changes[i]`, the last one after all changes. In milliseconds. */
export type ZoneHistory = { changes: readonly number[]; offsets: readonly number[] }

const BASE_60_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** The packed histories, keyed by lower-case zone name. Created on first use. */
let packedByName: Map<string, PackedZone> | null = null

type PackedZone = { name: string; history: string }

/** The UTC offsets of a zone. Null if the data has no zone of this name. Names are compared without case. */
export function findZoneHistory(timeZone: string): ZoneHistory | null {
  const zone = getPackedZones().get(timeZone.toLowerCase())
  return zone === undefined ? null : parseZoneHistory(zone.history)
}

export function parseZoneHistory(packedZone: string): ZoneHistory {
  const [, , offsetTexts = '', offsetIndexes = '', changeTexts = ''] = packedZone.split('|')
  const differentOffsets = offsetTexts.split(' ').map((text) => -roundToSecond(parseBase60(text)))
  const changes: number[] = []
  let change = 0
  for (const minutes of changeTexts.split(' ').filter(Boolean)) {
    change += roundToSecond(parseBase60(minutes))
    changes.push(change)
  }
  const offsets = Array.from(
    offsetIndexes,
    (digit) => differentOffsets[BASE_60_DIGITS.indexOf(digit)] ?? 0,
  )
  return { changes, offsets }
}

/** The data's spelling of a zone name. Null if there is no such zone. */
export function findZoneName(timeZone: string): string | null {
  return getPackedZones().get(timeZone.toLowerCase())?.name ?? null
}

/** The names of all zones, including names that only refer to another zone. */
export function listZoneNames(): string[] {
  return Array.from(getPackedZones().values(), ({ name }) => name)
}

function getPackedZones(): Map<string, PackedZone> {
  if (packedByName !== null) return packedByName
  const zones = new Map<string, PackedZone>()
  const nameOf = (history: string) => history.slice(0, history.indexOf('|'))
  for (const history of packed.zones) {
    const name = nameOf(history)
    zones.set(name.toLowerCase(), { name, history })
  }
  for (const link of packed.links) {
    const [target = '', name = ''] = link.split('|')
    const history = zones.get(target.toLowerCase())?.history
    if (history !== undefined) zones.set(name.toLowerCase(), { name, history })
  }
  packedByName = zones
  return zones
}

/** Parses a number such as `-1A.k`, with base 60 digits before and after the point. */
function parseBase60(text: string): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  let value = 0
  for (const digit of whole) value = value * 60 + BASE_60_DIGITS.indexOf(digit)
  let place = 1
  for (const digit of fraction) {
    place /= 60
    value += BASE_60_DIGITS.indexOf(digit) * place
  }
  return text.startsWith('-') ? -value : value
}

function roundToSecond(minutes: number): number {
  return Math.round((minutes * MINUTE_MS) / SECOND_MS) * SECOND_MS
}

import { parseZoneHistory } from '../../src/lib/time/zone-data.ts'

/** The time zone database as its package stores it: one text for each zone, and `target|name` for other names. */
export type PackedZoneData = { version: string; zones: readonly string[]; links: readonly string[] }

/** Runs are calculated for the future. A few past years stay, because a page can stay open and clocks can be wrong. */
const FIRST_CHANGE = Date.UTC(2020, 0, 1)
const MINUTE_MS = 60_000
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'

/**
 * The source of a module with the package's data, but without clock changes before 2020, and with changes that many
 * zones share stored only once. The package has 730 KB, because it lists every change from 1840 to 2499.
 */
export function createZoneDataModule({ version, zones, links }: PackedZoneData): string {
  const [indexes, changes] = [createTable(), createTable()]
  const rows = zones.map((zone) => {
    const { name, offsets, ...rest } = shortenZone(zone)
    return [name, offsets, indexes.add(rest.indexes), rest.firstChange, changes.add(rest.changes)]
  })
  return [
    `const indexes = ${JSON.stringify(indexes.texts)}`,
    `const changes = ${JSON.stringify(changes.texts)}`,
    `const rows = ${JSON.stringify(rows)}`,
    'const zones = rows.map(([name, offsets, i, first, c]) =>',
    '  `${name}||${offsets}|${indexes[i]}|${first} ${changes[c]}|`)',
    `export default { version: ${JSON.stringify(version)}, zones, links: ${JSON.stringify(links)} }`,
  ].join('\n')
}

/**
 * A zone is `name|abbreviations|offsets|indexes|changes|population`. An index selects the offset before the change at
 * the same position. The first change is in minutes since 1970, each further one in minutes since the previous, in base
 * 60.
 */
function shortenZone(zone: string) {
  const [name = '', , allOffsets = '', allIndexes = ''] = zone.split('|')
  const { changes } = parseZoneHistory(zone)
  const dropped = changes.filter((change) => change < FIRST_CHANGE).length
  const minutes = changes.slice(dropped).map((change) => change / MINUTE_MS)
  const used = Array.from(allIndexes.slice(dropped))
  const order = [...new Set(used)]
  const offsets = allOffsets.split(' ')
  return {
    name,
    offsets: order.map((index) => offsets[DIGITS.indexOf(index)]).join(' '),
    indexes: used.map((index) => DIGITS[order.indexOf(index)]).join(''),
    firstChange: minutes.slice(0, 1).map(formatBase60).join(''),
    changes: minutes
      .slice(1)
      .map((minute, i) => formatBase60(minute - (minutes[i] ?? 0)))
      .join(' '),
  }
}

/** Stores each text once and returns its position. */
function createTable() {
  const texts: string[] = []
  const places = new Map<string, number>()
  return {
    texts,
    add(text: string): number {
      const known = places.get(text)
      if (known !== undefined) return known
      places.set(text, texts.length)
      return texts.push(text) - 1
    },
  }
}

function formatBase60(minutes: number): string {
  if (!Number.isInteger(minutes) || minutes < 0) throw new Error(`cannot store ${minutes} minutes`)
  const rest = Math.floor(minutes / 60)
  return (rest === 0 ? '' : formatBase60(rest)) + (DIGITS[minutes % 60] ?? '')
}

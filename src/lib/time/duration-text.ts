import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'

const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
}

/** A duration with at most two units: `33 s`, `2 min 5 s`, `1 h 3 min`. At least one second. */
export function formatDurationWithUnits(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const units: Array<[amount: number, unit: string]> = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = units.findIndex(([amount]) => amount > 0)
  return units
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

/** Parses `90m`, `12h`, `7d` or `2w` into milliseconds. Null for any other text. */
export function parseDurationMs(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const unitMs = UNITS_MS[unit]
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs
}

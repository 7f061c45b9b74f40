const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Parses `90m`, `12h`, `7d` or `2w` into milliseconds. Null for anything else. */
export function parseDurationMs(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const unitMs = UNITS_MS[unit]
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs
}

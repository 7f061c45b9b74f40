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

/** A count with its noun: "1 line", "2 lines". */
export function formatCountWithNoun(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Seconds as a clock: 75 → "1:15", 3,725 → "1:02:05". */
export function formatSecondsAsClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** A duration with at most two units: "33 s", "2 min 5 s", "1 h 3 min". */
export function formatDurationMs(ms: number): string {
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

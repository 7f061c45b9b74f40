const ROUND_STEPS = [0.5, 1, 2, 5]
const MAX_STEPS = 4

/** Values for the lines of an axis: from zero in round steps, until a value is at least `max`. */
export function listAxisSteps(max: number): number[] {
  const unit = 10 ** Math.floor(Math.log10(Math.max(max, 1)))
  const step = unit * (ROUND_STEPS.find((round) => max <= MAX_STEPS * round * unit) ?? 5)
  const count = Math.max(Math.ceil(max / step), 1)
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** One line of the result: what was measured, and the goal if there is one. */
export type Figure = {
  name: string
  value: string
  goal?: string
  /** False if the goal is missed. Such a figure is only shown, unless `isCorrectness` is set. */
  isMet?: boolean
  isCorrectness?: boolean
}

/** A count that must be 0. */
export function mustBeZero(name: string, count: number): Figure {
  return { name, value: String(count), goal: '0', isMet: count === 0, isCorrectness: true }
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`  ${title}`)
  for (const { name, value, goal = '', isMet } of figures) {
    const verdict = isMet === undefined ? '' : isMet ? 'met' : 'MISSED'
    console.log(`    ${name.padEnd(46)} ${value.padStart(24)}  ${goal.padEnd(24)} ${verdict}`)
  }
  if (figures.some(({ isMet, isCorrectness }) => isMet === false && isCorrectness === true))
    process.exitCode = 1
}

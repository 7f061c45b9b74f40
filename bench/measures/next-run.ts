import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import { findNextRunTime } from '../../src/tasks/cron/next-run.ts'
import { parseSchedule } from '../../src/tasks/cron/parse-schedule.ts'

const EXPRESSIONS = ['*/5 * * * *', '30 2 * * 1-5', '0 0 1,31 * *', '0 12 29 2 *']
const ZONE = 'Europe/Berlin'
const TIMES = 2_000
const START = Date.parse('2026-11-15T12:00:00Z')

type Next = (after: Date) => unknown

/** Each parses an expression and returns a function that computes the schedule's next run after a given time. */
const CANDIDATES: Record<string, (expression: string) => Next> = {
  ours(expression) {
    const schedule = parseSchedule(expression, ZONE)
    if (Array.isArray(schedule)) throw new Error(expression)
    return (after) => findNextRunTime(schedule, after)
  },
  croner(expression) {
    const cron = new Cron(expression, { timezone: ZONE, mode: '5-part', paused: true })
    return (after) => cron.nextRun(after)
  },
  'cron-parser': (expression) => (after) =>
    CronExpressionParser.parse(expression, { tz: ZONE, currentDate: after }).next(),
}

export function measureNextRun(): void {
  for (const expression of EXPRESSIONS) {
    const figures = Object.entries(CANDIDATES).map(([name, make]) => {
      const next = make(expression)
      const runs = (count: number) => {
        for (let i = 0; i < count; i += 1) next(new Date(START + i * 3_600_000))
      }
      runs(TIMES / 10)
      const began = performance.now()
      runs(TIMES)
      return `${name} ${(((performance.now() - began) * 1000) / TIMES).toFixed(1)} µs`
    })
    console.log(`  next run ${expression.padEnd(14)} ${figures.join(', ')}`)
  }
}

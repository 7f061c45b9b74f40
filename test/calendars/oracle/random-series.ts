import { ORACLE_ZONES } from './zones.ts'

/** A repeatable source of random numbers below a limit. */
export type Random = (limit: number) => number

export function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export type RandomSeries = {
  zone: string
  /** Local times in milliseconds, as if they were UTC. */
  start: number
  rule: string
  added: number[]
}

const DAY = 86_400_000
const HOUR = 3_600_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** The frequencies of real meetings, most of them weekly or monthly. */
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'WEEKLY', 'MONTHLY'] as const

/** Days around a clock change in one of the zones. */
const CLOCK_CHANGES = [
  '2025-03-09',
  '2025-03-30',
  '2025-04-06',
  '2025-09-28',
  '2025-10-05',
  '2025-10-26',
  '2025-11-02',
  '2026-03-08',
  '2026-03-29',
].map((date) => Date.parse(date))

/** A series whose rule fits its start. Half of them start near a clock change, many in the hours of the change. */
export function createSeries(random: Random): RandomSeries {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
  const zone = pick(ORACLE_ZONES)
  const day =
    random(2) === 0
      ? pick(CLOCK_CHANGES) + (random(21) - 14) * DAY
      : Date.UTC(2019, 0, 1) + random(2_500) * DAY
  const time = random(3) === 0 ? random(16) * (HOUR / 4) : random(96) * (HOUR / 4)
  const start = day + time
  const rule = `${createRule(random, pick, start)}${createLimit(random, start)}`
  const addedCount = random(4) === 0 ? random(3) : 0
  // Twenty minutes later than the series, so that no added date coincides with its own dates.
  const added = Array.from({ length: addedCount }, () => start + random(400) * DAY + HOUR / 3)
  return { zone, start, rule, added: [...new Set(added)] }
}

type Pick = <T>(values: readonly T[]) => T

function createLimit(random: Random, start: number): string {
  const kind = random(4)
  if (kind === 0) return `;COUNT=${1 + random(60)}`
  if (kind > 1) return ''
  const until = new Date(start + random(600) * DAY + random(24) * HOUR)
  return `;UNTIL=${until.toISOString().replaceAll(/[-:]|\.000/g, '')}`
}

function createRule(random: Random, pick: Pick, start: number): string {
  const frequency = pick(FREQUENCIES)
  const interval = random(2) === 0 ? '' : `;INTERVAL=${1 + random(4)}`
  const parts = PARTS[frequency]({ random, pick, date: new Date(start) })
  const weekStart = random(3) === 0 ? `;WKST=${pick(WEEKDAYS)}` : ''
  return `FREQ=${frequency}${interval}${parts}${weekStart}`
}

type PartContext = { random: Random; pick: Pick; date: Date }

const PARTS: Record<(typeof FREQUENCIES)[number], (context: PartContext) => string> = {
  DAILY: (context) =>
    context.pick([
      () => '',
      () => `;BYDAY=${weekdays(context)}`,
      () => `;BYMONTH=${months(context)}`,
      () => `;BYMONTHDAY=${monthDays(context)}`,
      () => `;BYHOUR=${hours(context)}`,
    ])(),
  WEEKLY: (context) =>
    context.pick([
      () => '',
      () => `;BYDAY=${weekdays(context)}`,
      () => `;BYDAY=${weekdays(context)};BYMONTH=${months(context)}`,
      () => `;BYDAY=${weekdays(context)};BYHOUR=${hours(context)}`,
    ])(),
  MONTHLY: (context) =>
    context.pick([
      () => '',
      () => `;BYMONTHDAY=${monthDays(context)}`,
      () => `;BYDAY=${ordinalWeekday(context)}`,
      () => `;BYDAY=${weekdays(context)}`,
      () => `;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=${context.pick([1, 2, -1, -2])}`,
      () => `;BYDAY=${ordinalWeekday(context)};BYMONTH=${months(context)}`,
      () => `;BYDAY=${weekdays(context)};BYMONTHDAY=${monthDays(context)}`,
    ])(),
  YEARLY: (context) =>
    context.pick([
      () => '',
      () => `;BYMONTH=${months(context)}`,
      () => `;BYMONTH=${months(context)};BYDAY=${ordinalWeekday(context)}`,
      () => `;BYMONTH=${months(context)};BYMONTHDAY=${monthDays(context)}`,
      () => `;BYMONTH=${months(context)};BYDAY=${weekdays(context)}`,
      () => `;BYYEARDAY=${dayOfYear(context.date)},${1 + context.random(365)}`,
      () => `;BYWEEKNO=${isoWeek(context.date)};BYDAY=${weekdays(context)}`,
      () => `;BYDAY=${Math.ceil(dayOfYear(context.date) / 7)}${weekdayOf(context.date)}`,
    ])(),
}

function weekdayOf(date: Date): string {
  return WEEKDAYS[date.getUTCDay()] ?? ''
}

function weekdays({ random, date }: PartContext): string {
  const chosen = WEEKDAYS.filter((day) => day === weekdayOf(date) || random(3) === 0)
  return chosen.join(',')
}

function ordinalWeekday({ random, date }: PartContext): string {
  const day = date.getUTCDate()
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const isFromEnd = random(2) === 0
  const position = isFromEnd ? -Math.ceil((last - day + 1) / 7) : Math.ceil(day / 7)
  return `${position}${weekdayOf(date)}`
}

function months({ random, date }: PartContext): string {
  const own = date.getUTCMonth() + 1
  return Array.from({ length: 12 }, (_, index) => index + 1)
    .filter((month) => month === own || random(3) === 0)
    .join(',')
}

function monthDays({ random, date }: PartContext): string {
  const others = Array.from({ length: random(3) }, () => 1 + random(31))
  const fromEnd = random(3) === 0 ? [-1 - random(5)] : []
  return [...new Set([date.getUTCDate(), ...others, ...fromEnd])].join(',')
}

function hours({ random, date }: PartContext): string {
  return [...new Set([date.getUTCHours(), random(24)])].toSorted((a, b) => a - b).join(',')
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1
}

/** The week of the year that contains the Thursday of the same week. */
function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY)
  return Math.ceil(dayOfYear(thursday) / 7)
}

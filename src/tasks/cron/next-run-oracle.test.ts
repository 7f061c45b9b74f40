// Compares nextRuns with a slow, independent implementation that checks every minute and asks Intl for the local time.
import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { listNextRuns } from './next-run.ts'
import { parseSchedule } from './parse-schedule.ts'
import { scaleRuns } from '../../../test/support/test-size.ts'

const MINUTE = 60_000
const WINDOW_DAYS = 4
const CASES_PER_WINDOW = scaleRuns(120)

/** Days around a clock change in a time zone, and some ordinary days for comparison. */
const WINDOWS: ReadonlyArray<[timeZone: string, middle: string, hasChange: boolean]> = [
  ['Europe/Berlin', '2027-03-28', true],
  ['Europe/Berlin', '2027-10-31', true],
  ['America/New_York', '2027-03-14', true],
  ['America/New_York', '2027-11-07', true],
  ['Australia/Lord_Howe', '2027-04-04', true],
  ['Australia/Lord_Howe', '2027-10-03', true],
  ['Africa/Cairo', '2027-04-30', true],
  ['Africa/Cairo', '2027-10-29', true],
  ['Pacific/Chatham', '2027-04-04', true],
  ['Pacific/Chatham', '2027-09-26', true],
  ['America/Santiago', '2027-04-04', true],
  ['America/Santiago', '2027-09-05', true],
  ['America/Nuuk', '2027-03-28', true],
  ['America/Nuuk', '2027-10-31', true],
  ['America/St_Johns', '2010-03-14', true],
  ['America/St_Johns', '2010-11-07', true],
  ['Pacific/Apia', '2011-12-30', true],
  ['Asia/Kolkata', '2027-03-01', false],
  ['Asia/Kolkata', '2027-12-31', false],
  ['UTC', '2028-02-29', false],
  ['UTC', '2100-02-28', false],
  ['Europe/Berlin', '2027-03-01', false],
]

/** A minute as an instant (`at`) and as local wall-clock time, encoded as if it were UTC (`wall`). */
type Minute = { at: number; wall: number }
type Part = { text: string; has: (value: number) => boolean; isSingle: boolean }
type Expression = Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', Part>

function listMinutes(timeZone: string, middle: string): Minute[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const from = Date.parse(middle) - (WINDOW_DAYS / 2) * 24 * 60 * MINUTE
  return Array.from({ length: WINDOW_DAYS * 24 * 60 }, (_, index) => {
    const at = from + index * MINUTE
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (
      format.format(at).match(/\d+/g) ?? []
    ).map(Number)
    return { at, wall: Date.UTC(year, month - 1, day, hour, minute) }
  })
}

function matches(expression: Expression, wall: number): boolean {
  const { minute, hour, day, month, weekday } = expression
  const minutes = wall / MINUTE
  if (!minute.has(minutes % 60) || !hour.has(Math.floor(minutes / 60) % 24)) return false
  const date = new Date(wall)
  if (!month.has(date.getUTCMonth() + 1)) return false
  const isDay = day.has(date.getUTCDate())
  const isWeekday = weekday.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekday.has(7))
  const isEither = day.text !== '*' && weekday.text !== '*'
  return isEither ? isDay || isWeekday : isDay && isWeekday
}

function expectedRuns(expression: Expression, minutes: Minute[]): number[] {
  const isFixed = expression.minute.isSingle && expression.hour.isSingle
  const done = new Set<number>()
  let shown = minutes[0]?.wall ?? 0
  return minutes
    .filter(({ wall }) => {
      let isRun = matches(expression, wall) && !(isFixed && done.has(wall))
      if (isFixed) {
        for (let left = shown + MINUTE; left < wall; left += MINUTE) {
          isRun ||= matches(expression, left)
        }
      }
      if (isRun) done.add(wall)
      shown = wall
      return isRun
    })
    .map(({ at }) => at)
}

/** A pseudo-random generator with a fixed seed, so that every test run has the same cases. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

type Random = ReturnType<typeof createRandom>

function createItem(random: Random, min: number, max: number, near: () => number): Part {
  const kind = random(5)
  const [a, b] = [near(), near()].toSorted((x, y) => x - y) as [number, number]
  const step = 1 + random(Math.min(max - min, 20))
  if (kind === 0) {
    const has = (value: number) => (value - min) % step === 0
    return { text: `*/${step}`, has, isSingle: false }
  }
  if (kind === 1)
    return { text: `${a}-${b}`, has: (value) => value >= a && value <= b, isSingle: false }
  if (kind === 2) {
    const has = (value: number) => value >= a && value <= b && (value - a) % step === 0
    return { text: `${a}-${b}/${step}`, has, isSingle: false }
  }
  return { text: String(a), has: (value) => value === a, isSingle: true }
}

function createPart(
  random: Random,
  min: number,
  max: number,
  starChance: number,
  near: () => number,
): Part {
  if (random(10) < starChance) return { text: '*', has: () => true, isSingle: false }
  const items = Array.from({ length: random(3) === 0 ? 2 + random(2) : 1 }, () =>
    createItem(random, min, max, near),
  )
  return {
    text: items.map(({ text }) => text).join(','),
    has: (value) => items.some((item) => item.has(value)),
    isSingle: items.length === 1 && items[0]?.isSingle === true,
  }
}

/** Prefers times from 22:00 to 04:00, when clocks change, and dates inside the window. */
function createExpression(random: Random, minutes: Minute[]): Expression {
  const someDate = () => new Date(minutes[random(minutes.length)]?.wall ?? 0)
  const someMinute = () => (random(2) === 0 ? random(60) : random(4) * 15)
  const someHour = () => (random(3) === 0 ? random(24) : (random(6) + 22) % 24)
  return {
    minute: createPart(random, 0, 59, 2, someMinute),
    hour: createPart(random, 0, 23, 2, someHour),
    day: createPart(random, 1, 31, 6, () => someDate().getUTCDate()),
    month: createPart(random, 1, 12, 7, () => someDate().getUTCMonth() + 1),
    weekday: createPart(random, 0, 6, 6, () =>
      random(4) === 0 ? random(7) : someDate().getUTCDay(),
    ),
  }
}

function assertSame(
  expression: Expression,
  timeZone: string,
  minutes: Minute[],
  random: Random,
): number {
  const { minute, hour, day, month, weekday } = expression
  const text = [minute, hour, day, month, weekday].map((part) => part.text).join(' ')
  const schedule = parseSchedule(text, timeZone)
  assert.ok(!Array.isArray(schedule), `${text}: ${JSON.stringify(schedule)}`)
  const start = minutes[random(minutes.length - 12 * 60)]?.at ?? 0
  const after = start + random(3) * 20_000
  const end = minutes.at(-1)?.at ?? 0
  const expected = expectedRuns(expression, minutes).filter((at) => at > after)
  const found = listNextRuns(schedule, new Date(after), 12).map(({ at }) => at.getTime())
  assert.deepEqual(
    found.filter((at) => at <= end).map((at) => new Date(at)),
    expected.slice(0, 12).map((at) => new Date(at)),
    `${text} in ${timeZone} after ${new Date(after).toISOString()}`,
  )
  return expected.length
}

test('random schedules around clock changes run at the same times as in a minute-by-minute search', () => {
  const random = createRandom(20_270_328)
  let [cases, withRuns] = [0, 0]
  for (const [timeZone, middle, hasChange] of WINDOWS) {
    const minutes = listMinutes(timeZone, middle)
    const isChanging = minutes.some(
      ({ wall }, index) => index > 0 && wall - (minutes[index - 1]?.wall ?? 0) !== MINUTE,
    )
    assert.equal(isChanging, hasChange, `${timeZone} around ${middle}`)
    for (let index = 0; index < CASES_PER_WINDOW; index += 1) {
      const expression = createExpression(random, minutes)
      // `parseSchedule` refuses an expression whose month never has the day.
      if (expression.weekday.text === '*' && isImpossible(expression)) continue
      cases += 1
      withRuns += assertSame(expression, timeZone, minutes, random) > 0 ? 1 : 0
    }
  }
  assert.ok(cases >= WINDOWS.length * CASES_PER_WINDOW * 0.7, `${cases} cases`)
  assert.ok(withRuns >= cases / 2, `${withRuns} of ${cases} have a run in their window`)
})

function isImpossible({ day, month }: Expression): boolean {
  const leapYear = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(2028, 0, 1 + index)))
  return !leapYear.some((date) => month.has(date.getUTCMonth() + 1) && day.has(date.getUTCDate()))
}

import { neverRuns, type Dates } from './calendar.ts'
import { FieldProblem, FIELDS, parseField, shown, type Field } from './fields.ts'
import { canonicalTimeZone, similarTimeZone } from '../../lib/time-zone-name.ts'

/** When a task runs, on the clocks of a time zone. Made by `parseSchedule` alone. */
export type Schedule = Dates & {
  /** As given, with one space between the fields. */
  expression: string
  /** The zone's canonical IANA name. */
  timeZone: string
  /** Ascending, like the hours. */
  minutes: readonly number[]
  hours: readonly number[]
  /** One minute and one hour, each written as a number: a clock change neither loses nor doubles a run. */
  isFixedTime: boolean
}

/** `path` is the field of the request; the message names the field of the expression. */
export type ScheduleProblem = { path: 'cronExpression' | 'timezone'; message: string }

/** Longer than all values of all fields written out. */
const MAX_LENGTH = 500
const ORDER: readonly Field[] = Object.values(FIELDS)
const FIELD_NAMES = ORDER.map(({ name }) => name).join(', ')
const SINGLE_VALUE = /^\d+$/

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Reads a five-field cron expression and an IANA time zone, or says all that is wrong with them. */
export function parseSchedule(expression: string, timeZone: string): Schedule | ScheduleProblem[] {
  const zone = canonicalTimeZone(timeZone)
  const zoneProblems: ScheduleProblem[] =
    zone === null ? [{ path: 'timezone', message: zoneProblem(timeZone) }] : []
  const texts = splitFields(expression)
  if (!Array.isArray(texts)) return [expressionProblem(texts.problem), ...zoneProblems]
  const { values, problems } = readFields(texts)
  if (zone === null || problems.length > 0) return [...problems, ...zoneProblems]
  const schedule = assemble(texts, values, zone)
  return neverRuns(schedule) ? [expressionProblem(neverText(texts))] : schedule
}

function splitFields(expression: string): string[] | { problem: string } {
  if (expression.length > MAX_LENGTH) return { problem: `Longer than ${MAX_LENGTH} characters` }
  const texts = expression.split(/[ \t]+/).filter((text) => text !== '')
  const [first = ''] = texts
  if (first === '') return { problem: `Empty instead of five fields: ${FIELD_NAMES}` }
  if (first.startsWith('@')) {
    const instead = MACROS[first.toLowerCase()]
    return {
      problem: `${shown(first)} is not supported: write ${instead === undefined ? 'five fields' : `"${instead}"`}`,
    }
  }
  if (/^(?:CRON_)?TZ=/i.test(first)) {
    return { problem: 'The time zone is given in timezone, not here' }
  }
  if (/^\d{4}-\d\d/.test(first)) return { problem: `${shown(first)} is a date, not a schedule` }
  if (texts.length === ORDER.length) return texts
  const surplus = texts.length > ORDER.length ? '; seconds and years are not supported' : ''
  return {
    problem: `${texts.length} ${texts.length === 1 ? 'field' : 'fields'} instead of five: ${FIELD_NAMES}${surplus}`,
  }
}

function readFields(texts: string[]): { values: number[][]; problems: ScheduleProblem[] } {
  const problems: ScheduleProblem[] = []
  const values = ORDER.map((field, index) => {
    try {
      return parseField(field, texts[index] ?? '')
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      problems.push(expressionProblem(error.message))
      return []
    }
  })
  return { values, problems }
}

function assemble(texts: string[], values: number[][], timeZone: string): Schedule {
  const [minutes = [], hours = [], days, months, weekdays] = values
  const [minute = '', hour = '', day, , weekday] = texts
  return {
    expression: texts.join(' '),
    timeZone,
    minutes,
    hours,
    days: day === '*' ? null : new Set(days),
    months: new Set(months),
    weekdays: weekday === '*' ? null : new Set(weekdays),
    isFixedTime: SINGLE_VALUE.test(minute) && SINGLE_VALUE.test(hour),
  }
}

function neverText(texts: string[]): string {
  return `day-of-month: no month in ${shown(texts[3] ?? '')} has a day ${shown(texts[2] ?? '')}, so it would never run`
}

function zoneProblem(given: string): string {
  if (/^[+-]?\d/.test(given)) {
    return `${shown(given)} is an offset; an IANA name such as Europe/Berlin also knows when the clocks change`
  }
  const meant = similarTimeZone(given)
  const hint = meant === null ? 'one is Europe/Berlin' : `did you mean ${meant}?`
  return `${shown(given)} is not an IANA time zone name; ${hint}`
}

function expressionProblem(message: string): ScheduleProblem {
  return { path: 'cronExpression', message }
}

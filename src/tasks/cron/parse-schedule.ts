import { canonicalTimeZone, suggestTimeZone } from '../../lib/time/time-zone-name.ts'
import {
  hasOnlyImpossibleDates,
  type ScheduleDateFields,
  CronFieldError,
  CRON_FIELDS,
  parseCronField,
  quoteInput,
  type CronFieldDefinition,
} from './cron-fields.ts'

/** A parsed cron expression with its time zone. Only `parseSchedule` creates one. */
export type Schedule = ScheduleDateFields & {
  /** The caller's expression, with one space between the fields. */
  expression: string
  /** The zone's canonical IANA name. */
  timeZone: string
  /** The minutes of the hour at which the schedule runs, in ascending order. */
  minutes: readonly number[]
  /** The hours of the day in which the schedule runs, in ascending order. */
  hours: readonly number[]
  /** True if there is a single minute and a single hour. Then a clock change neither skips nor repeats a run. */
  isFixedTime: boolean
}

/** `path` is the field of the API request. The message names the field of the cron expression. */
export type ScheduleProblem = { path: 'cronExpression' | 'timezone'; message: string }

/** The longest cron expression that is parsed. Even one that lists all values of all fields is shorter. */
const MAX_LENGTH = 500
const FIELD_ORDER: readonly CronFieldDefinition[] = Object.values(CRON_FIELDS)
const FIELD_NAMES = FIELD_ORDER.map(({ name }) => name).join(', ')
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

/** Parses a five-field cron expression and an IANA time zone name, or returns all problems. */
export function parseSchedule(expression: string, timeZone: string): Schedule | ScheduleProblem[] {
  const zone = canonicalTimeZone(timeZone)
  const zoneProblems: ScheduleProblem[] =
    zone === null ? [{ path: 'timezone', message: zoneMessage(timeZone) }] : []
  const texts = splitFields(expression)
  if (!Array.isArray(texts)) return [toExpressionProblem(texts.problem), ...zoneProblems]
  const { values, problems } = parseFields(texts)
  if (zone === null || problems.length > 0) return [...problems, ...zoneProblems]
  const schedule = toSchedule(texts, values, zone)
  return hasOnlyImpossibleDates(schedule)
    ? [toExpressionProblem(neverRunsMessage(texts))]
    : schedule
}

function splitFields(expression: string): string[] | { problem: string } {
  if (expression.length > MAX_LENGTH) return { problem: `Longer than ${MAX_LENGTH} characters` }
  const texts = expression.split(/[ \t]+/).filter((text) => text !== '')
  const [first = ''] = texts
  if (first === '') return { problem: `Empty instead of five fields: ${FIELD_NAMES}` }
  if (first.startsWith('@')) {
    const equivalent = MACROS[first.toLowerCase()]
    return {
      problem: `${quoteInput(first)} is not supported: write ${equivalent === undefined ? 'five fields' : `"${equivalent}"`}`,
    }
  }
  if (/^(?:CRON_)?TZ=/i.test(first)) {
    return { problem: 'Put the time zone into the field timezone, not into the expression' }
  }
  if (/^\d{4}-\d\d/.test(first))
    return { problem: `${quoteInput(first)} is a date, not a schedule` }
  if (texts.length === FIELD_ORDER.length) return texts
  const hint = texts.length > FIELD_ORDER.length ? '; seconds and years are not supported' : ''
  return {
    problem: `${texts.length} ${texts.length === 1 ? 'field' : 'fields'} instead of five: ${FIELD_NAMES}${hint}`,
  }
}

function parseFields(texts: string[]): { values: number[][]; problems: ScheduleProblem[] } {
  const problems: ScheduleProblem[] = []
  const values = FIELD_ORDER.map((field, index) => {
    try {
      return parseCronField(field, texts[index] ?? '')
    } catch (error) {
      if (!(error instanceof CronFieldError)) throw error
      problems.push(toExpressionProblem(error.message))
      return []
    }
  })
  return { values, problems }
}

function toSchedule(texts: string[], values: number[][], timeZone: string): Schedule {
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

function neverRunsMessage(texts: string[]): string {
  return `day-of-month: no month in ${quoteInput(texts[3] ?? '')} has a day ${quoteInput(texts[2] ?? '')}, so it would never run`
}

function zoneMessage(input: string): string {
  if (/^[+-]?\d/.test(input)) {
    return `${quoteInput(input)} is an offset; use an IANA name such as Europe/Berlin, which includes clock changes`
  }
  const suggestion = suggestTimeZone(input)
  const hint = suggestion === null ? 'for example Europe/Berlin' : `did you mean ${suggestion}?`
  return `${quoteInput(input)} is not an IANA time zone name; ${hint}`
}

function toExpressionProblem(message: string): ScheduleProblem {
  return { path: 'cronExpression', message }
}

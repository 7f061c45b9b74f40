import { z } from 'zod'
import { findNearestName, MAX_SUGGESTIONS } from './nearest-name.ts'
import { shortenName } from './shorten-name.ts'

type RawIssue<Code extends z.core.$ZodIssue['code']> = Extract<z.core.$ZodRawIssue, { code: Code }>

export const MISSING_MESSAGE = 'Is missing'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  record: 'an object',
  object: 'an object',
  null: 'null',
}

/** Examples for string formats that have a name in zod. */
const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  email: 'Must be an email address such as ada@example.com',
  datetime: 'Must be a time such as 2026-11-15T08:30:00Z',
  date: 'Must be a date such as 2026-11-15',
  url: 'Must be a URL such as https://example.com/',
}

/** The unit of a value that is too small or too large. A number itself has no unit. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  object: ['field', 'fields'],
  file: ['byte', 'bytes'],
}

/** One sentence for each kind of problem that zod reports. */
const MESSAGES: { [Code in z.core.$ZodIssue['code']]: (issue: RawIssue<Code>) => string } = {
  invalid_type: ({ expected, input }) => {
    const isFraction = expected === 'int' && typeof input === 'number'
    return `Must be ${nameType(expected)}${isFraction ? '' : `, but is ${describeInput(input)}`}`
  },
  invalid_value: ({ values, input }) => describeChoice(values.map(String), input),
  too_small: ({ origin, minimum, inclusive }) => {
    const unit = UNITS[origin]
    if (unit !== undefined && Number(minimum) === 1) return 'Must not be empty'
    if (unit !== undefined) return `Must have at least ${countOf(minimum, unit)}`
    return `Must be ${inclusive === false ? 'more than' : 'at least'} ${String(minimum)}`
  },
  too_big: ({ origin, maximum, inclusive, input }) => {
    const unit = UNITS[origin]
    if (unit !== undefined) {
      const length = lengthOf(input)
      const actual = length === null ? '' : `, but has ${length}`
      return `Must have at most ${countOf(maximum, unit)}${actual}`
    }
    return `Must be ${inclusive === false ? 'less than' : 'at most'} ${String(maximum)}`
  },
  invalid_format: ({ format }) => FORMAT_MESSAGES[format] ?? 'Is not in the required format',
  not_multiple_of: ({ divisor }) => `Must be a multiple of ${String(divisor)}`,
  unrecognized_keys: ({ keys }) =>
    `Has ${keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${listNames(keys)}`,
  invalid_union: () => 'Is not one of the values that are allowed here',
  invalid_key: () => 'Has a name that is not allowed here',
  invalid_element: () => 'Has an item that is not allowed here',
  custom: () => 'Is not valid',
}

/** The limit of problems that one response names. */
export const MAX_PROBLEMS = 20

/** The rule of a browser's email field. A host without a dot is valid too, such as `localhost` on a local instance. */
export const EmailAddress = z.email({ pattern: z.regexes.html5Email })

/** Describes the problems of one text or body. Pass it to zod as `error`. The first problems get suggestions. */
export function createIssueDescriber(): (issue: z.core.$ZodRawIssue) => string {
  let described = 0
  return (issue) => {
    described += 1
    const { code, input } = issue
    if (code === 'invalid_value' && typeof input === 'string' && described > MAX_SUGGESTIONS)
      return 'Is not one of the values that are allowed here'
    return describeValidationIssue(issue)
  }
}

/** The sentence for a problem if its schema has none. Pass it to zod as `error`. */
export function describeValidationIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code !== 'custom' && issue.input === undefined) return MISSING_MESSAGE
  if (issue.code !== 'custom' && issue.input === null)
    return `${MISSING_MESSAGE}: null counts as not given`
  return (MESSAGES[issue.code] as (issue: z.core.$ZodRawIssue) => string)(issue)
}

function nameType(type: string): string {
  return TYPE_NAMES[type] ?? `of the type ${type}`
}

function describeInput(input: unknown): string {
  if (Array.isArray(input)) return nameType('array')
  if (typeof input === 'boolean') return String(input)
  return nameType(typeof input)
}

function describeChoice(values: readonly string[], input: unknown): string {
  if (values.length === 1) return `Must be ${values[0]}`
  const nearest = typeof input === 'string' ? findNearestName(input, values) : null
  const choice = `Must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
  return nearest === null ? choice : `${choice}; did you mean ${nearest}?`
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_PROBLEMS).map(shortenName).join(', ')
  return names.length > MAX_PROBLEMS ? `${shown} and ${names.length - MAX_PROBLEMS} more` : shown
}

function countOf(count: number | bigint, [one, many]: readonly [string, string]): string {
  return `${String(count)} ${Number(count) === 1 ? one : many}`
}

function lengthOf(input: unknown): number | null {
  return typeof input === 'string' || Array.isArray(input) ? input.length : null
}

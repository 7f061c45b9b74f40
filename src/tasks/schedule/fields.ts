export type Field = {
  name: 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week'
  min: number
  max: number
  /** How many different values it has: 0 and 7 are one day. */
  size: number
  /** What may be written for the numbers from `min` on. */
  names: readonly string[]
}

/** In the order in which they are written. */
export const FIELDS = {
  minute: { name: 'minute', min: 0, max: 59, size: 60, names: [] },
  hour: { name: 'hour', min: 0, max: 23, size: 24, names: [] },
  dayOfMonth: { name: 'day-of-month', min: 1, max: 31, size: 31, names: [] },
  month: {
    name: 'month',
    min: 1,
    max: 12,
    size: 12,
    names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  },
  dayOfWeek: {
    name: 'day-of-week',
    min: 0,
    max: 7,
    size: 7,
    names: 'SUN MON TUE WED THU FRI SAT'.split(' '),
  },
} as const satisfies Record<string, Field>

/** Why a field cannot be read; the text names it. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem'

  constructor(field: Field, text: string) {
    super(`${field.name}: ${text}`)
  }
}

const ITEM = /^(?:\*|(?<from>\w+)(?:-(?<to>\w+))?)(?:\/(?<step>\w+))?$/
/** What other schedulers add to the five fields; `JUL` and `WED` are none of it. */
const EXTENSION = /[?#]|^h(?:$|[/(])|^l(?:$|w$|-)|^\d+[lw]$|^(?:sun|mon|tue|wed|thu|fri|sat)l$/i
const SHOWN_LENGTH = 24

/** The values of one field in ascending order; throws a FieldProblem. */
export function parseField(field: Field, text: string): number[] {
  const values = new Set(text.split(',').flatMap((item) => parseItem(field, item)))
  return [...values].toSorted((a, b) => a - b)
}

/** What was given, short and with nothing that could harm a log or a terminal. */
export function shown(text: string): string {
  const start = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
  return JSON.stringify(start.toWellFormed().replace(/[^\x20-\x7e…]/gu, '\ufffd'))
}

function parseItem(field: Field, item: string): number[] {
  if (item === '') throw new FieldProblem(field, 'a list has an empty place')
  if (EXTENSION.test(item)) {
    throw new FieldProblem(
      field,
      `${shown(item)} is not supported: L, W, #, ? and H are no part of the five fields`,
    )
  }
  const groups = ITEM.exec(item)?.groups
  if (groups === undefined) {
    throw new FieldProblem(field, `${shown(item)} is neither *, a value, a range nor a step`)
  }
  const { from, to, step } = groups
  const [first, last] = from === undefined ? [field.min, field.max] : rangeOf(field, from, to)
  if (step === undefined) return sequence(field, first, last, 1)
  if (from !== undefined && to === undefined) {
    const range = `${from}-${field.max}/${step}`
    throw new FieldProblem(
      field,
      `a step follows * or a range: write ${shown(range)} rather than ${shown(item)}`,
    )
  }
  return sequence(field, first, last, stepOf(field, step))
}

function rangeOf(field: Field, from: string, to: string | undefined): [number, number] {
  const first = valueOf(field, from)
  const last = to === undefined ? first : valueOf(field, to)
  if (first <= last) return [first, last]
  const instead = `${written(first, field.max)},${written(field.min, last)}`
  throw new FieldProblem(
    field,
    `the range ${shown(`${from}-${to}`)} ends before it begins: write "${instead}"`,
  )
}

function written(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`
}

function valueOf(field: Field, text: string): number {
  const named = field.names.indexOf(text.toUpperCase())
  if (named >= 0) return field.min + named
  if (!/^\d+$/.test(text)) throw new FieldProblem(field, `${shown(text)} is not ${wanted(field)}`)
  const value = Number(text)
  if (value > field.max) throw new FieldProblem(field, `${shown(text)} is above ${field.max}`)
  if (value < field.min) throw new FieldProblem(field, `${shown(text)} is below ${field.min}`)
  return value
}

function wanted({ min, max, names }: Field): string {
  const numbers = `a number from ${min} to ${max}`
  return names.length === 0 ? numbers : `${numbers} or a name from ${names[0]} to ${names.at(-1)}`
}

function stepOf(field: Field, text: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new FieldProblem(field, `the step ${shown(text)} is not a number from 1 on`)
  }
  // It would quietly mean "once an hour" to who wrote it for "every 90 minutes".
  if (Number(text) > field.size) {
    throw new FieldProblem(
      field,
      `the step ${shown(text)} is larger than the field, which has ${field.size} values`,
    )
  }
  return Number(text)
}

function sequence(field: Field, first: number, last: number, step: number): number[] {
  const values = []
  for (let value = first; value <= last; value += step) {
    values.push(field.name === 'day-of-week' ? value % 7 : value)
  }
  return values
}

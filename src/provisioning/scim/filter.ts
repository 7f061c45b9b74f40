import { ScimError, type ScimErrorType } from './scim-error.ts'

/** Parses the filters and paths of RFC 7644, sections 3.4.2.2 and 3.5.2. Length, depth and terms are limited. */

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type CompareOperator = (typeof OPERATORS)[number]
export type FilterValue = string | number | boolean | null

/** `path` is in lower case, such as `name.givenname`, and has no URN of a core schema. */
export type Filter =
  | { kind: 'compare'; path: string; operator: CompareOperator; value: FilterValue }
  | { kind: 'present'; path: string }
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  /** True if one value of a list fulfils the filter, whose paths begin in that value. */
  | { kind: 'some'; path: string; part: Filter }

/** What an operation of a PATCH changes: `emails[type eq "work"].value`. */
export type Path = { attribute: string; filter: Filter | null; sub: string | null }

export const MAX_FILTER_LENGTH = 2_000
const MAX_DEPTH = 10
const MAX_TERMS = 50

const TOKEN =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.:])|([A-Za-z$][\w.:$-]*)|(\.))/y
const CORE_URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

type Token = { kind: 'mark' | 'string' | 'number' | 'word'; text: string }

type Reader = {
  peek(): string | undefined
  take(): Token
  fail(detail: string): never
  isDone(): boolean
}

export function parseFilter(text: string): Filter {
  const reader = createReader(text, 'invalidFilter')
  const filter = readOr(reader, { depth: 0, terms: 0 })
  if (!reader.isDone()) reader.fail('something follows the end of the filter')
  return filter
}

export function parsePath(text: string): Path {
  const reader = createReader(text, 'invalidPath')
  const { text: name, kind } = reader.take()
  if (kind !== 'word') reader.fail('it must begin with an attribute')
  const path = toPath(name)
  let filter: Filter | null = null
  let sub: string | null = null
  if (reader.peek() === '[') {
    reader.take()
    filter = readOr(reader, { depth: 1, terms: 0 })
    if (reader.take().text !== ']') reader.fail('a bracket is not closed')
    if (reader.peek() === '.') {
      reader.take()
      const next = reader.take()
      if (next.kind !== 'word' || next.text.includes('.')) reader.fail('an attribute is missing')
      sub = next.text.toLowerCase()
    }
  }
  if (!reader.isDone()) reader.fail('something follows its end')
  // The name of an extension's attribute contains dots.
  const dot = path.startsWith('urn:') ? -1 : path.indexOf('.')
  if (dot === -1) return { attribute: path, filter, sub }
  if (filter !== null) reader.fail('a filter must follow an attribute with several values')
  return { attribute: path.slice(0, dot), filter, sub: path.slice(dot + 1) }
}

type Budget = { depth: number; terms: number }

function readOr(reader: Reader, budget: Budget): Filter {
  return readList(reader, 'or', () => readList(reader, 'and', () => readTerm(reader, budget)))
}

function readList(reader: Reader, kind: 'and' | 'or', read: () => Filter): Filter {
  const parts = [read()]
  while (reader.peek()?.toLowerCase() === kind) {
    reader.take()
    parts.push(read())
  }
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { kind, parts }
}

function readTerm(reader: Reader, budget: Budget): Filter {
  budget.terms += 1
  if (budget.terms > MAX_TERMS) reader.fail(`it has more than ${MAX_TERMS} comparisons`)
  const token = reader.take()
  if (token.text === '(' && token.kind === 'mark') return readInner(reader, budget, ')')
  if (token.kind !== 'word') reader.fail('an attribute is missing')
  if (token.text.toLowerCase() === 'not' && reader.peek() === '(') {
    reader.take()
    return { kind: 'not', part: readInner(reader, budget, ')') }
  }
  const path = toPath(token.text)
  if (reader.peek() === '[') {
    reader.take()
    return { kind: 'some', path, part: readInner(reader, budget, ']') }
  }
  return readComparison(reader, path)
}

function readInner(reader: Reader, budget: Budget, end: ')' | ']'): Filter {
  budget.depth += 1
  if (budget.depth > MAX_DEPTH) reader.fail(`it is nested more than ${MAX_DEPTH} times`)
  const inner = readOr(reader, budget)
  if (reader.take().text !== end) reader.fail('a bracket is not closed')
  budget.depth -= 1
  return inner
}

function readComparison(reader: Reader, path: string): Filter {
  const word = reader.take()
  const name = word.text.toLowerCase()
  if (word.kind === 'word' && name === 'pr') return { kind: 'present', path }
  const operator = OPERATORS.find((one) => word.kind === 'word' && one === name)
  if (operator === undefined) return reader.fail('an operator such as eq is missing')
  return { kind: 'compare', path, operator, value: toValue(reader) }
}

function toValue(reader: Reader): FilterValue {
  const { kind, text } = reader.take()
  if (kind === 'number') return Number(text)
  if (kind === 'string') {
    try {
      return JSON.parse(text) as string
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return reader.fail('a text has an invalid escape')
    }
  }
  const literals: Record<string, boolean | null> = { true: true, false: false, null: null }
  const literal = text.toLowerCase()
  if (kind === 'word' && Object.hasOwn(literals, literal)) return literals[literal] ?? null
  return reader.fail('a value is missing: write texts in double quotes')
}

function toPath(text: string): string {
  return text.toLowerCase().replace(CORE_URN, '')
}

function createReader(text: string, scimType: ScimErrorType): Reader {
  const what = scimType === 'invalidPath' ? 'path' : 'filter'
  const fail = (detail: string): never => {
    throw new ScimError(scimType, `The ${what} is not valid: ${detail}`)
  }
  if (text.length > MAX_FILTER_LENGTH) fail(`it has more than ${MAX_FILTER_LENGTH} characters`)
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  const source = text.trimEnd()
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex
    const match = pattern.exec(source)
    if (match === null) return fail(`character ${at + 1} is unexpected`)
    const [, mark, string, number, word, dot] = match
    if (string !== undefined) tokens.push({ kind: 'string', text: string })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else tokens.push({ kind: 'mark', text: mark ?? dot ?? '' })
  }
  let next = 0
  return {
    peek: () => tokens[next]?.text,
    take: () => {
      const token = tokens[next]
      next += 1
      return token ?? fail('it ends too early')
    },
    fail,
    isDone: () => next >= tokens.length,
  }
}

/** True if the value of a list, with keys in lower case, fulfils the filter. */
export function matchesFilter(filter: Filter, item: ReadonlyMap<string, unknown>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(part, item))
    case 'or':
      return filter.parts.some((part) => matchesFilter(part, item))
    case 'not':
      return !matchesFilter(filter.part, item)
    case 'present':
      return ![undefined, null, ''].includes(item.get(filter.path) as null)
    case 'some':
      throw new ScimError('invalidFilter', `${filter.path} has no values to filter`)
    case 'compare':
      return compare(filter.operator, item.get(filter.path), filter.value)
  }
}

function compare(operator: CompareOperator, actual: unknown, wanted: FilterValue): boolean {
  if (typeof actual !== 'string' || typeof wanted !== 'string') {
    // A value without `primary` is not the primary one.
    const isEqual = (actual ?? (typeof wanted === 'boolean' ? false : null)) === wanted
    if (operator === 'eq') return isEqual
    if (operator === 'ne') return !isEqual
    return false
  }
  const [left, right] = [actual.toLowerCase(), wanted.toLowerCase()]
  const results: Record<CompareOperator, boolean> = {
    eq: left === right,
    ne: left !== right,
    co: left.includes(right),
    sw: left.startsWith(right),
    ew: left.endsWith(right),
    gt: left > right,
    ge: left >= right,
    lt: left < right,
    le: left <= right,
  }
  return results[operator]
}

/** The values of `attribute eq "…"`, joined by `or`. Null for any other filter. */
export function listEqualValues(filter: Filter, attribute: string): string[] | null {
  if (filter.kind === 'or') {
    const lists = filter.parts.map((part) => listEqualValues(part, attribute))
    return lists.includes(null) ? null : lists.flatMap((list) => list ?? [])
  }
  const isEqual = filter.kind === 'compare' && filter.operator === 'eq' && filter.path === attribute
  return isEqual && typeof filter.value === 'string' ? [filter.value] : null
}

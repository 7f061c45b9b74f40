import { sql, type RawBuilder } from 'kysely'
import { toContainsPattern } from '../../db/query-helpers.ts'
import type { CompareOperator, Filter, FilterValue } from './filter.ts'
import { ScimError } from './scim-error.ts'

/** An attribute that filters can name: its SQL and how its values are compared. */
export type FilterColumn =
  | { type: 'text' | 'exact text' | 'time' | 'boolean'; sql: RawBuilder<unknown> }
  /** A list. `rows` selects it as `item`, and `columns` are the attributes of an item. */
  | { type: 'list'; rows: RawBuilder<unknown>; columns: FilterColumns; default: string }

/** By path in lower case. */
export type FilterColumns = ReadonlyMap<string, FilterColumn>

const ORDER: Partial<Record<CompareOperator, RawBuilder<unknown>>> = {
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

/** SQL condition for a filter. Every value is a parameter, and every column comes from the table of columns. */
export function toCondition(filter: Filter, columns: FilterColumns): RawBuilder<unknown> {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => toCondition(part, columns))
      return sql`(${sql.join(parts, filter.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`(not coalesce(${toCondition(filter.part, columns)}, false))`
    case 'some': {
      const list = columns.get(filter.path)
      if (list?.type !== 'list') throw unsupportedError(filter.path)
      return sql`exists (${list.rows} where ${toCondition(filter.part, list.columns)})`
    }
    case 'present':
    case 'compare':
      return toComparison(filter, columns)
  }
}

function toComparison(
  filter: Extract<Filter, { path: string; kind: 'present' | 'compare' }>,
  columns: FilterColumns,
): RawBuilder<unknown> {
  const { path } = filter
  const column = columns.get(path)
  if (column === undefined) {
    // `emails.value eq "…"` and `members eq "…"` are about any value of the list.
    const [name = '', sub] = path.split('.', 2)
    const list = columns.get(name)
    if (list?.type !== 'list' || sub === undefined) throw unsupportedError(path)
    return sql`exists (${list.rows} where ${toComparison({ ...filter, path: sub }, list.columns)})`
  }
  if (column.type === 'list') {
    if (filter.kind === 'present') return sql`exists (${column.rows})`
    const inner = { ...filter, path: column.default }
    return sql`exists (${column.rows} where ${toComparison(inner, column.columns)})`
  }
  if (filter.kind === 'present')
    return column.type === 'time' || column.type === 'boolean'
      ? sql`(${column.sql} is not null)`
      : sql`(coalesce(${column.sql}, '') <> '')`
  return compareColumn(column, filter)
}

function compareColumn(
  { type, sql: column }: Exclude<FilterColumn, { type: 'list' }>,
  { operator, value, path }: { operator: CompareOperator; value: FilterValue; path: string },
): RawBuilder<unknown> {
  if (value === null && operator === 'eq') return sql`(${column} is null)`
  if (value === null && operator === 'ne') return sql`(${column} is not null)`
  const order = ORDER[operator]
  if (type === 'boolean' || type === 'time') {
    const typed = type === 'boolean' ? toBoolean(value) : toTime(value)
    const cast = type === 'boolean' ? sql`${typed}::boolean` : sql`${typed}::timestamptz`
    const isOrdered = type === 'time' && order !== undefined
    if (typed === null || (operator !== 'eq' && operator !== 'ne' && !isOrdered))
      throw unsupportedError(`${path} ${operator}`)
    if (isOrdered) return sql`(${column} ${order} ${cast})`
    return operator === 'eq'
      ? sql`(${column} = ${cast})`
      : sql`(${column} is distinct from ${cast})`
  }
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed())
    throw unsupportedError(`${path} ${operator}`)
  const isExact = type === 'exact text'
  const [left, right] = isExact
    ? [column, sql`${value}::text`]
    : [sql`lower(${column})`, sql`lower(${value}::text)`]
  if (operator === 'eq') return sql`(${left} = ${right})`
  if (operator === 'ne') return sql`(${left} is distinct from ${right})`
  if (order !== undefined) return sql`(${left} collate "C" ${order} ${right})`
  const contains = toContainsPattern(isExact ? value : value.toLowerCase())
  const pattern = contains.slice(operator === 'sw' ? 1 : 0, operator === 'ew' ? -1 : undefined)
  return sql`(${left} like ${pattern})`
}

/** Microsoft Entra ID also sends booleans as texts. */
function toBoolean(value: FilterValue): boolean | null {
  const text = String(value).toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : null
}

function toTime(value: FilterValue): Date | null {
  const time = typeof value === 'string' ? new Date(value) : null
  // PostgreSQL has a shorter calendar. The comparison is false for a time without a year.
  return time !== null && time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999 ? time : null
}

function unsupportedError(what: string): ScimError {
  return new ScimError('invalidFilter', `Filters with ${what.slice(0, 100)} are not supported`)
}

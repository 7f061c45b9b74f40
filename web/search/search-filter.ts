import { RESULT_KINDS, type ResultKind } from '../../src/http/shapes/values.ts'
import { parseTextParameter } from '../api/url-parameters.ts'

/** The URL parameters of the search page. Days are in the user's time zone. */
export type SearchFilter = {
  q?: string | undefined
  project?: string | undefined
  speaker?: string | undefined
  from?: string | undefined
  to?: string | undefined
  kind?: ResultKind | undefined
}

export function parseSearchFilter(search: Record<string, unknown>): SearchFilter {
  return {
    q: parseTextParameter(search['q'], 1_000),
    project: parseTextParameter(search['project'], 300),
    speaker: parseTextParameter(search['speaker'], 200),
    from: asDay(search['from']),
    to: asDay(search['to']),
    kind: RESULT_KINDS.find((kind) => kind === search['kind']),
  }
}

/** The API's query parameters: days become instants, and `to` is exclusive. */
export function searchFilterToApiParams({
  from,
  to,
  ...otherFields
}: SearchFilter): Record<string, string | undefined> {
  return { ...otherFields, from: startOfDay(from, 0), to: startOfDay(to, 1) }
}

function asDay(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  return isDay && startOfDay(value, 0) !== undefined ? value : undefined
}

function startOfDay(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined) return undefined
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + daysLater)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

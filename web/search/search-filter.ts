import type { SearchFindQuery } from '../../client/index.js'
import { type ResultKind, RESULT_KINDS } from '../../src/http/shapes/values.ts'
import { parseTextParameter } from '../api/url-parameters.ts'
import { dayToInstant, parseDayParameter } from '../ui/format/time.tsx'

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
    from: parseDayParameter(search['from']),
    to: parseDayParameter(search['to']),
    kind: RESULT_KINDS.find((kind) => kind === search['kind']),
  }
}

/** The API's query parameters. Days become instants, and `to` is exclusive. */
export function searchFilterToApiParams({
  from,
  to,
  q = '',
  ...otherFields
}: SearchFilter): SearchFindQuery {
  return { ...otherFields, q, from: dayToInstant(from, 0), to: dayToInstant(to, 1) }
}

import type { ApiAskBody } from '../../src/http/shapes/ask.ts'
import { parseTextParameter } from '../api/url-parameters.ts'
import { dayToInstant, parseDayParameter } from '../ui/format/time.tsx'

export const MAX_QUESTION_LENGTH = 2_000

/** The URL parameters of the questions page. Days are in the user's time zone. */
export type AskFilter = {
  q?: string | undefined
  project?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export function parseAskFilter(search: Record<string, unknown>): AskFilter {
  return {
    q: parseTextParameter(search['q'], MAX_QUESTION_LENGTH),
    project: parseTextParameter(search['project'], 300),
    from: parseDayParameter(search['from']),
    to: parseDayParameter(search['to']),
  }
}

/** The question in the URL, in the API's form. Null if there is none. */
export function askFilterToQuestion({ q = '', project, from, to }: AskFilter): ApiAskBody | null {
  const question = q.trim()
  if (question === '') return null
  const [since, before] = [dayToInstant(from, 0), dayToInstant(to, 1)]
  return {
    question,
    ...(project !== undefined && { project }),
    ...(since !== undefined && { from: since }),
    ...(before !== undefined && { to: before }),
  }
}

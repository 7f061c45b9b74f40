import type { DecisionsListQuery } from '../../client/index.js'
import { parseTextParameter } from '../api/url-parameters.ts'
import { dayToInstant, parseDayParameter } from '../ui/format/time.tsx'
import { mondayOf } from '../ui/format/weeks.ts'

/** The URL parameters of the page of decisions. */
export type DecisionFilter = {
  project?: string | undefined
  /** The Monday of the week in which the meeting began, such as 2026-11-16. */
  week?: string | undefined
  /** Part of the name of the speaker. */
  person?: string | undefined
}

export function parseDecisionFilter(search: Record<string, unknown>): DecisionFilter {
  const day = parseDayParameter(search['week'])
  return {
    project: parseTextParameter(search['project'], 64),
    week: day === undefined ? undefined : mondayOf(day),
    person: parseTextParameter(search['person'], 200),
  }
}

/** A week begins and ends at midnight in the time zone of the reader. */
export function decisionFilterToApiParams({
  project,
  week,
  person,
}: DecisionFilter): DecisionsListQuery {
  return { project, speaker: person, from: dayToInstant(week, 0), to: dayToInstant(week, 7) }
}

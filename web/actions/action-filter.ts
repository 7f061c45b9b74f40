import type { ActionsListQuery } from '../../client/index.js'
import { type ActionItemState, ACTION_ITEM_STATES } from '../../src/http/shapes/values.ts'
import { parseChoice, parseTextParameter } from '../api/url-parameters.ts'
import { formatLocalDay } from '../ui/format/time.tsx'
import { type ActionGrouping, ACTION_GROUPINGS } from './group-actions.ts'

/** The URL parameters of the page of action items. */
export type ActionFilter = {
  /** Undefined for open items. */
  state?: ActionItemState | undefined
  owner?: string | undefined
  /** Only the signed-in user's items. */
  mine?: true | undefined
  project?: string | undefined
  /** Only items with a due date in the past. */
  overdue?: true | undefined
  /** Undefined for one list. */
  group?: ActionGrouping | undefined
}

export function parseActionFilter(search: Record<string, unknown>): ActionFilter {
  const state = ACTION_ITEM_STATES.find((known) => known === search['state'])
  return {
    state: state === 'open' ? undefined : state,
    owner: parseTextParameter(search['owner'], 200),
    mine: search['mine'] === true ? true : undefined,
    project: parseTextParameter(search['project'], 64),
    overdue: search['overdue'] === true ? true : undefined,
    group: parseChoice(ACTION_GROUPINGS, search['group']),
  }
}

export function actionFilterToApiParams({
  overdue,
  mine,
  ...fields
}: Omit<ActionFilter, 'group'>): ActionsListQuery {
  return { ...fields, mine: mine && 'true', dueBefore: overdue && formatLocalDay(new Date()) }
}

import type { ApiListedAction } from '../../src/http/shapes/meetings/actions.ts'
import { formatWeek, mondayOf } from '../ui/format/weeks.ts'

/** How the page of action items can be grouped. */
export const ACTION_GROUPINGS = ['project', 'person', 'week'] as const
export type ActionGrouping = (typeof ACTION_GROUPINGS)[number]

type ActionGroup<Item> = { title: string; actions: Item[] }
type GroupedFields = Pick<ApiListedAction, 'project' | 'owner' | 'dueDate'>

/** The value by which an item is grouped. Null if it has none. */
const VALUES: Record<ActionGrouping, (action: GroupedFields) => string | null> = {
  project: ({ project }) => project,
  person: ({ owner }) => owner,
  week: ({ dueDate }) => (dueDate === null ? null : mondayOf(dueDate)),
}
const TITLES_WITHOUT_VALUE: Record<ActionGrouping, string> = {
  project: 'No project',
  person: 'No owner',
  week: 'No due date',
}

/** Groups items in the order of their values, and those without one last. Inside a group their order stays. */
export function groupActions<Item extends GroupedFields>(
  actions: readonly Item[],
  grouping: ActionGrouping,
  today: string,
): ActionGroup<Item>[] {
  const groups = [...Map.groupBy(actions, VALUES[grouping])]
  return groups
    .toSorted(([a], [b]) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a.localeCompare(b)
    })
    .map(([value, items]) => ({
      title:
        value === null
          ? TITLES_WITHOUT_VALUE[grouping]
          : grouping === 'week'
            ? formatWeek(value, today)
            : value,
      actions: items,
    }))
}

import type { ActionItemState } from '../../src/http/shapes/values.ts'

/** The states of an action item, in the order of the filter. */
export const ACTION_STATE_LABELS: Record<ActionItemState, string> = {
  open: 'Open',
  done: 'Done',
  deleted: 'Deleted',
}

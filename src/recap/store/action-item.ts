import type { RecapMethod } from '../recap.ts'

export const ACTION_ITEM_STATES = ['open', 'done', 'deleted'] as const
export type ActionItemState = (typeof ACTION_ITEM_STATES)[number]

/** `recap`: those of the newest recap first. `due`: by due date, those without one last. */
export const ACTION_ORDERS = ['recap', 'due'] as const
export type ActionOrder = (typeof ACTION_ORDERS)[number]

/** An action item of a recap, as it is stored. */
export type ActionItem = {
  id: string
  meetingId: string
  /** Position in the recap, from 1. */
  number: number
  text: string
  owner: string | null
  dueText: string | null
  dueDate: string | null
  segmentNumbers: number[]
  state: ActionItemState
  source: RecapMethod
  createdAt: Date
  editedAt: Date | null
}

/** What a person may change. An absent field stays as it is. */
export type ActionItemChange = {
  text?: string
  owner?: string | null
  dueDate?: string | null
  state?: ActionItemState
}

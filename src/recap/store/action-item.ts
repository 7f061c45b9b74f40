import type { RecapItemSource } from './recap-item.ts'

export const ACTION_ITEM_STATES = ['open', 'done', 'deleted'] as const
export type ActionItemState = (typeof ACTION_ITEM_STATES)[number]

/** `recap`: newest recap first. `due`: by due date, items without one last. */
export const ACTION_ORDERS = ['recap', 'due'] as const
export type ActionOrder = (typeof ACTION_ORDERS)[number]

export type ActionItem = {
  id: string
  meetingId: string
  /** Position in the recap, starting at 1. */
  number: number
  text: string
  owner: string | null
  dueText: string | null
  dueDate: string | null
  segmentNumbers: number[]
  state: ActionItemState
  source: RecapItemSource
  createdAt: Date
  editedAt: Date | null
}

/** What a person may change. Absent fields stay unchanged. */
export type ActionItemChange = {
  text?: string
  owner?: string | null
  dueDate?: string | null
  state?: ActionItemState
  segmentNumbers?: number[]
}

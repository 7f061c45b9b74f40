import { RECAP_METHODS, type RecapContent } from '../recap.ts'

/** The kinds of statements in a recap that people can add, change and delete. */
export const RECAP_ITEM_KINDS = ['summary', 'decision', 'action', 'question'] as const
export type RecapItemKind = (typeof RECAP_ITEM_KINDS)[number]

/** Action items have their own table. */
export type StatementKind = Exclude<RecapItemKind, 'action'>

/** The list of a recap's content that has the statements of a kind. */
export const STATEMENT_LISTS = {
  summary: 'summary',
  decision: 'decisions',
  question: 'openQuestions',
} as const satisfies Record<StatementKind, keyof RecapContent>
export const STATEMENT_KINDS = Object.keys(STATEMENT_LISTS) as StatementKind[]

/** Who found or added an entry of a recap. */
export const RECAP_ITEM_SOURCES = [...RECAP_METHODS, 'person'] as const
export type RecapItemSource = (typeof RECAP_ITEM_SOURCES)[number]

/** The maximum number of items of one kind that people can add to a meeting, including those that they deleted. */
export const MAX_ADDED_ITEMS = 100
/** The maximum number of statements of one kind that people can add, change and delete, over all recaps of a meeting. */
export const MAX_STATEMENT_ROWS = 300
export const MAX_PERSON_CHARS = 200

/** A statement of a recap as people read it. */
export type ListedStatement = {
  id: string
  text: string
  speaker: string | null
  segmentNumbers: number[]
  /** Why it was decided. Absent or null if nobody said it, for other kinds, and after a person changed the text. */
  reason?: string | null
  /** When a person added or changed it. Null if never. */
  editedAt: Date | null
}

/** The content of a recap, with what people added, changed and deleted. */
export type EditedContent = Omit<RecapContent, (typeof STATEMENT_LISTS)[StatementKind]> &
  Record<(typeof STATEMENT_LISTS)[StatementKind], ListedStatement[]>

/** An entry of a recap that a person has added or changed. */
export type RecapItem = ListedStatement & {
  kind: RecapItemKind
  owner: string | null
  dueDate: string | null
}

/** What a person may change. Absent fields stay unchanged. */
export type RecapItemChange = {
  text?: string | undefined
  /** Not for action items. */
  speaker?: string | null | undefined
  /** Only for action items, like `dueDate`. */
  owner?: string | null | undefined
  dueDate?: string | null | undefined
  segmentNumbers?: number[] | undefined
}

export type NewRecapItem = RecapItemChange & {
  kind: RecapItemKind
  text: string
  segmentNumbers: number[]
}

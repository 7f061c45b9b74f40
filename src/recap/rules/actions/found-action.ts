import type { TaskOwner } from '../languages/language-rules.ts'

/** An action item in one sentence, before it is merged with what other turns say about it. */
export type FoundAction = {
  segmentIndex: number
  /** Other segments that accept or repeat it, as many as a recap cites. */
  furtherSegmentIndexes: number[]
  /** The last segment that is about it, also when it is not cited. */
  lastSegmentIndex: number
  text: string
  owner: string | null
  ownerKind: TaskOwner
  dueText: string | null
  dueDate: string | null
  /** Stems of the words that carry meaning, without names. */
  stems: ReadonlySet<string>
  /** Numbers that are not part of the due date: "ticket 12" and "ticket 15" are two tasks. */
  numbers: ReadonlySet<string>
  /** Number of words that carry meaning in `text` itself, without those of merged actions. */
  ownStemCount: number
}

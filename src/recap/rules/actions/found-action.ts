import type { TaskOwner } from '../languages/language-rules.ts'

/** An action item in one sentence, before it is merged with what other turns say about it. */
export type FoundAction = {
  segmentIndex: number
  /** Other segments that accept or repeat it. */
  furtherSegmentIndexes: number[]
  text: string
  owner: string | null
  ownerKind: TaskOwner
  dueText: string | null
  dueDate: string | null
  /** Stems of the words that carry meaning, without names. */
  stems: ReadonlySet<string>
  /** Number of such words in `text` itself, without those of merged actions. */
  ownStemCount: number
}

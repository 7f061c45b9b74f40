import type { ColumnType, Generated } from 'kysely'
import type { DocumentKind } from '../../projects/index/index-entry.ts'
import type { Immutable } from './column.ts'

/** A folder of projects that is there. Its name is in the front matter of its README.md. */
export interface ProjectTable {
  id: Immutable<string>
}

/** A file in a project, as it was when it was last read: the file is the truth, this row follows it. */
export interface DocumentTable {
  id: Generated<string>
  project: Immutable<string>
  /** From the project's folder on, with `/`. */
  path: Immutable<string>
  /** The path without the file's name; empty: directly in the project. */
  folder: Immutable<string>
  kind: Immutable<DocumentKind>
  /** From the front matter; null: the file's name has to do. */
  title: string | null
  date: Date
  meeting_id: string | null
  status: string | null
  participants: string[]
  size: number
  modified_at: Date
  /** Size, times and number of the file: whether it is still the one that was read. */
  stamp: string
  warning: string | null
}

/** A piece of a document's text, in which search finds something. */
export interface PassageTable {
  document_id: Immutable<string>
  number: Immutable<number>
  project: Immutable<string>
  at: Immutable<Date>
  /** Of the file, from 1: where the passage begins. */
  line: Immutable<number>
  text: Immutable<string>
  words: Immutable<string>
}

/** Words that were said or written, so that a misspelt one finds its neighbours. */
export interface WordTable {
  word: Immutable<string>
  grams: Immutable<string[]>
  checked_at: ColumnType<Date, never, Date>
}

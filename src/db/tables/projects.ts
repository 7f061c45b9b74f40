import type { ColumnType, Generated } from 'kysely'
import type { DocumentKind } from '../../projects/index/index-entry.ts'
import type { Immutable } from './column.ts'

/** An existing project folder. The display name is in the front matter of the project's README.md. */
export interface ProjectTableColumns {
  id: Immutable<string>
}

/** Index entry of a file in a project, as of the last time it was read. The file is the source of truth. */
export interface DocumentTableColumns {
  id: Generated<string>
  project: Immutable<string>
  /** Path relative to the project's folder, with `/` as separator. */
  path: Immutable<string>
  /** The path without the file name; empty when the file is directly in the project. */
  folder: Immutable<string>
  kind: Immutable<DocumentKind>
  /** Title from the front matter; when null, the file name is shown. */
  title: string | null
  date: Date
  meeting_id: string | null
  status: string | null
  participants: string[]
  size: number
  modified_at: Date
  /** Size, times and inode of the file when it was read; a different stamp means that the file has changed. */
  stamp: string
  warning: string | null
}

/** A piece of a document's text, the unit that search finds and shows. */
export interface PassageTableColumns {
  document_id: Immutable<string>
  number: Immutable<number>
  project: Immutable<string>
  at: Immutable<Date>
  /** Line of the file at which the passage begins, counted from 1. */
  line: Immutable<number>
  text: Immutable<string>
  words: Immutable<string>
}

/** All words of a document without their positions, to find words in different passages. */
export interface DocumentSearchIndexColumns {
  document_id: Immutable<string>
  words: Immutable<string>
}

/** The last version of a document that was saved through the API or the console, for tasks that start then. */
export interface DocumentSaveTableColumns {
  project: Immutable<string>
  /** Path relative to the project's folder, with `/` as separator. */
  path: Immutable<string>
  /** Identifies the saved version. */
  save_id: string
  etag: string
  saved_at: Date
  /** Whether the tasks that start with this version were started. */
  tasks_started: Generated<boolean>
}

/** All words in transcripts and documents, so that search can find similar words for a misspelt one. */
export interface SearchVocabularyTableColumns {
  word: Immutable<string>
  grams: Immutable<string[]>
  checked_at: ColumnType<Date, never, Date>
}

/** A file of users that is in the database: a document or a prompt. */
export interface StoredFileTableColumns {
  /** Relative to the data folder, as if the file were there. */
  path: Immutable<string>
  /** Identifies the chunks of the file. A file that is replaced gets other chunks; one that grows keeps them. */
  content_id: string
  /** The driver returns it as text. */
  size: ColumnType<string, number, number>
  modified_at: Date
  /** Differs after every change. */
  version: Generated<string>
}

/** A piece of a stored file, which begins at a byte position. */
export interface StoredFileChunkTableColumns {
  content_id: Immutable<string>
  position: Immutable<number>
  bytes: Buffer
}

/** Where the files of users are; the table has at most one row. */
export interface DocumentPlaceTableColumns {
  is_only_row: Generated<boolean>
  place: 'folder' | 'database'
  /** The id in the folder with the documents that was used last. */
  folder_id: string | null
}

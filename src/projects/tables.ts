import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { DocumentKind } from './index/index-entry.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** An existing project folder. The display name is in the front matter of the project's README.md. */
    project: {
      id: Immutable<string>
    }
    /** A name or term of a project, with which recognized speech is corrected. */
    vocabulary_term: {
      project: Immutable<string>
      term: Immutable<string>
      added_at: Immutable<Date>
    }
    /** Index entry of a file in a project, as it was when last read. The file is the source of truth. */
    document: {
      id: Generated<string>
      project: Immutable<string>
      /** Path relative to the project's folder, with `/` as separator. */
      path: Immutable<string>
      /** The path without the file name. Empty if the file is directly in the project. */
      folder: Immutable<string>
      kind: Immutable<DocumentKind>
      /** Title from the front matter. If null, the file name is shown. */
      title: string | null
      date: Date
      meeting_id: string | null
      status: string | null
      participants: string[]
      size: number
      modified_at: Date
      /** Size, times and inode of the file when it was read. A different stamp means that the file has changed. */
      stamp: string
      warning: string | null
    }
    /** A piece of a document's text, the unit that search finds and shows. */
    passage: {
      document_id: Immutable<string>
      number: Immutable<number>
      project: Immutable<string>
      at: Immutable<Date>
      /** Line of the file where the passage begins, from 1. */
      line: Immutable<number>
      text: Immutable<string>
      words: Immutable<string>
    }
    /** All words of a document without their positions, to find words in different passages. */
    document_words: {
      document_id: Immutable<string>
      words: Immutable<string>
    }
    /** The last version of a document that was saved through the API or the console, for tasks that it triggers. */
    document_save: {
      project: Immutable<string>
      /** Path relative to the project's folder, with `/` as separator. */
      path: Immutable<string>
      /** Identifies the saved version. */
      save_id: string
      etag: string
      saved_at: Date
      /** True if the tasks that this version triggers were started. */
      tasks_started: Generated<boolean>
    }
    /** All words in transcripts and documents, so that search can find similar words for a misspelt one. */
    word: {
      word: Immutable<string>
      grams: Immutable<string[]>
      checked_at: ColumnType<Date, never, Date>
    }
    /** A document or a prompt that is in the database. */
    stored_file: {
      /** Relative to the data folder, as if the file were there. */
      path: Immutable<string>
      /** Identifies the file's chunks. A replaced file gets other chunks, a growing file keeps them. */
      content_id: string
      /** The driver returns it as text. */
      size: ColumnType<string, number, number>
      modified_at: Date
      /** Differs after every change. */
      version: Generated<string>
    }
    /** A piece of a stored file, from a byte position on. */
    stored_file_chunk: {
      content_id: Immutable<string>
      position: Immutable<number>
      bytes: Buffer
    }
    /** Where people's files are. The table has at most one row. */
    document_place: {
      is_only_row: Generated<boolean>
      place: 'folder' | 'database'
      /** The id in the documents folder that was used last. */
      folder_id: string | null
    }
  }
}

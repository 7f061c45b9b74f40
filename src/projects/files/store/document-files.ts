import type { Readable } from 'node:stream'
import type { Tx } from '../../../db/database.ts'
import type { DocumentRef } from '../../document-ref.ts'
import type { FileInfo } from '../walk-project.ts'

export const DOCUMENT_PLACES = ['folder', 'database'] as const
/** Where an instance keeps its projects' documents and its prompts. */
export type DocumentPlace = (typeof DOCUMENT_PLACES)[number]

export type NewDocument = {
  project: string
  /** Folders inside the project. Default: the `meetings` folder. */
  within?: readonly string[]
  /** Returns a different file name for each attempt. Attempts are numbered from 1. */
  fileNameFor: (attempt: number) => string
  header: string
  heading: string
}

export type CreatedDocument = {
  /** Relative to the data folder, with `/` on every system. */
  documentPath: string
  /** The size in bytes. Pass it to the first append as `expectedSize`. */
  size: number
}

type TextChunks = Iterable<string> | AsyncIterable<string>

/** A file as it was when it was opened. Dispose of it, or read or destroy its stream. */
export type OpenedFile = AsyncDisposable & {
  size: number
  modifiedAt: Date
  /** Reads up to this many bytes from the start, or the whole file without a limit. */
  read(maxBytes?: number): Promise<Buffer>
  /** Streams the file and closes it at the end. */
  stream(): Readable
}

/** The files of all projects. `folder` and `database` behave the same for everything that the service does. */
export interface DocumentFileOperations {
  /** For use inside a transaction. In the database, changes are then part of it. */
  inTransaction(tx: Tx): DocumentFiles
  /** Opens a document. Null if there is no regular file. `firstBytes` is how much the caller is likely to read. */
  open(ref: DocumentRef, firstBytes?: number): Promise<OpenedFile | null>
  /** The metadata of a file; null if there is nothing or a folder at its path. */
  readInfo(ref: DocumentRef): Promise<FileInfo | null>
  /** Runs work that reads many files. Null if their folders changed during the work, so the result is not reliable. */
  readMany<T>(work: (files: Pick<DocumentFiles, 'open'>) => Promise<T>): Promise<T | null>
  /** Creates a document under the first unused name. Never changes an existing file. */
  create(document: NewDocument): Promise<CreatedDocument>
  /** Creates or replaces a person's document. Throws `path_taken` if something else has its name. */
  save(ref: DocumentRef, text: string): Promise<void>
  /**
   * Creates or replaces a document and returns its size. Readers see either the old or the new text. A failure leaves
   * the old document unchanged.
   */
  replace(ref: DocumentRef, chunks: TextChunks): Promise<number>
  /** Replaces a document if its bytes are still these. Otherwise returns null and leaves it. */
  replaceIfUnchanged(ref: DocumentRef, before: Buffer, chunks: TextChunks): Promise<number | null>
  /**
   * Appends at `expectedSize`, which the previous write returned, and returns the new size. First removes any bytes
   * beyond it, left by a crash or a full disk. Throws `DocumentDamaged` if the document is missing or shorter.
   */
  truncateAndAppend(ref: DocumentRef, text: string, expectedSize: number): Promise<number>
  /** Appends text to a document. A new document gets the header first. */
  appendOrCreate(ref: DocumentRef, header: string, text: string): Promise<void>
  /** Removes a document. False if there is none. */
  remove(ref: DocumentRef): Promise<boolean>
  /** Removes the document's parent folders that are empty after its removal. */
  removeEmptyFolders(ref: DocumentRef): Promise<void>
  /** True if nothing is left of the project after this document changed. */
  isProjectGone(ref: DocumentRef): Promise<boolean>
}

/** Documents as files in the data folder. People and other programs may change them. */
export type FolderDocuments = DocumentFileOperations & {
  readonly place: 'folder'
  /** The data folder. */
  readonly root: string
}

/** Documents in the database. Only the service changes them. */
export type DatabaseDocuments = DocumentFileOperations & { readonly place: 'database' }

export type DocumentFiles = FolderDocuments | DatabaseDocuments

/** A file's decoded text, and why it is empty or incomplete. `cut`: the file is longer than the limit. */
export type FileText = { text: string; problem: 'binary' | 'encoding' | 'cut' | null }

const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads up to `maxBytes`. The text of a longer file ends after its last complete line. Does not close the file. */
export async function readFileText(file: OpenedFile, maxBytes: number): Promise<FileText> {
  // One byte more than the limit shows if the file is longer.
  const bytes = await file.read(maxBytes + 1)
  return decode(bytes.subarray(0, maxBytes), bytes.length <= maxBytes)
}

function decode(bytes: Buffer, isWhole: boolean): FileText {
  if (bytes.includes(0)) return { text: '', problem: 'binary' }
  const whole = isWhole ? bytes : bytes.subarray(0, findCutPosition(bytes))
  try {
    return { text: UTF8_DECODER.decode(whole), problem: isWhole ? null : 'cut' }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { text: '', problem: 'encoding' }
  }
}

/** The position after the last line break or, if there is none, after the last complete UTF-8 character. */
function findCutPosition(bytes: Buffer): number {
  const end = bytes.lastIndexOf(10) + 1
  if (end > 0) return end
  let cut = bytes.length
  while (cut > bytes.length - 4 && ((bytes[cut] ?? bytes[cut - 1] ?? 0) & 0xc0) === 0x80) cut -= 1
  return Math.max(0, cut - 1)
}

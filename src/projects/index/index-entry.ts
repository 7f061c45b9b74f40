import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '../../lib/error-code.ts'
import type { DocumentRef } from '../document-ref.ts'
import {
  readFileText,
  type FileText,
  type DocumentFiles,
  type OpenedFile,
} from '../files/store/document-files.ts'
import { isFileAccessError, type FileInfo } from '../files/walk-project.ts'
import { findFrontMatter } from '../front-matter.ts'

/** `meeting`: a transcript in the folder `meetings`. `document`: all other files. */
export const DOCUMENT_KINDS = ['meeting', 'document'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** A piece of a document that is indexed, and shown as one search result. */
type Passage = {
  /** The line in the file where the passage begins, starting at 1. */
  line: number
  text: string
}

/** The minimum length of a passage. Shorter paragraphs are joined with the next one. */
const MIN_PASSAGE_CHARS = 300
const MAX_PASSAGE_CHARS = 1_000
const MAX_PASSAGES = 2_000

/** The index row of a file, with its searchable passages. */
export type IndexEntry = DocumentRef & {
  folder: string
  kind: DocumentKind
  title: string | null
  date: Date
  meetingId: string | null
  status: string | null
  participants: string[]
  size: number
  modifiedAt: Date
  stamp: string
  /** Why the file is not fully searchable; null if it is. */
  warning: string | null
  /** The text in pieces, without the title. */
  passages: Passage[]
}

const MAX_INDEXED_BYTES = 1024 * 1024
const MAX_FIELD_CHARS = 500
const MAX_PARTICIPANTS = 500
/** A file on disk that changed this recently may change again without a new modification time. */
const SETTLED_MS = 50
const DATE_LABEL = /^(\d{4}-\d{2}-\d{2}) (\d{2})(\d{2}) - /

/**
 * Reads a file for the index; null if there is none. Problems with its content become a warning. With
 * `isMeetingTranscript` the text is left out, because the search already covers the meeting's segments.
 */
export async function createIndexEntryFromFile(
  files: DocumentFiles,
  ref: DocumentRef,
  isMeetingTranscript: boolean,
  reader: Pick<DocumentFiles, 'open'> = files,
): Promise<IndexEntry | null> {
  const fileInfo = await files.readInfo(ref)
  if (fileInfo === null) return null
  const content = fileInfo.isRegularFile ? await readContentOrWarning(reader, ref) : NOT_A_FILE
  if (content === null) return null
  // A different stamp means that the file changed while it was read, so the text may mix two versions.
  const infoAfter = await files.readInfo(ref)
  const isSettled =
    infoAfter?.stamp === fileInfo.stamp &&
    (files.place === 'database' || Date.now() - fileInfo.modifiedAt.getTime() >= SETTLED_MS)
  const entry = await toIndexEntry(ref, fileInfo, content, isMeetingTranscript)
  return isSettled ? entry : { ...entry, stamp: `${fileInfo.stamp} unsettled` }
}

type FileContent = { text: string; warning: string | null }

const NOT_A_FILE: FileContent = { text: '', warning: 'Not a regular file; links are not followed' }
const WARNINGS_BY_PROBLEM: Readonly<Record<NonNullable<FileText['problem']>, string>> = {
  binary: 'Not a text file: it contains zero bytes',
  encoding: 'Not a text file in UTF-8',
  cut: 'Too large: only the first 1 MiB is searchable',
}

async function readContentOrWarning(
  files: Pick<DocumentFiles, 'open'>,
  ref: DocumentRef,
): Promise<FileContent | null> {
  try {
    return await readContent(await files.open(ref, MAX_INDEXED_BYTES + 1))
  } catch (error) {
    const code = errorCode(error)
    if (!isFileAccessError(error) && code !== 'EISDIR') throw error
    return { text: '', warning: `The file cannot be read (${code})` }
  }
}

async function readContent(opened: OpenedFile | null): Promise<FileContent | null> {
  await using file = opened
  if (file === null) return null
  const { text, problem } = await readFileText(file, MAX_INDEXED_BYTES)
  return { text, warning: problem === null ? null : WARNINGS_BY_PROBLEM[problem] }
}

async function toIndexEntry(
  ref: DocumentRef,
  fileInfo: FileInfo,
  content: FileContent,
  isMeetingTranscript: boolean,
): Promise<IndexEntry> {
  const { path } = ref
  const folder = posix.dirname(path)
  const header = findFrontMatter(content.text)
  // The largest header and the largest text take too long for one turn of the event loop.
  await setImmediate()
  const fields = header?.fields ?? {}
  const title = parseText(fields['title'])
  const bodyStart = header?.bodyStart ?? 0
  const isHeaderInvalid = header === null && /^\ufeff?---/.test(content.text)
  const body = isMeetingTranscript
    ? []
    : splitIntoPassages(
        content.text.slice(bodyStart),
        countLinesBefore(content.text, bodyStart) + 1,
      )
  return {
    ...ref,
    folder: folder === '.' ? '' : folder,
    kind: folder === 'meetings' && /\.md$/i.test(path) ? 'meeting' : 'document',
    title,
    date: parseDate(fields['date']) ?? parseDateLabel(path) ?? fileInfo.modifiedAt,
    meetingId: parseText(fields['meetingId']),
    status: fields['status'] === 'in_progress' ? 'in_progress' : 'completed',
    participants: parseNames(fields['participants']),
    size: fileInfo.size,
    modifiedAt: fileInfo.modifiedAt,
    stamp: fileInfo.stamp,
    warning: content.warning ?? (isHeaderInvalid ? 'The front matter cannot be read' : null),
    passages: body,
  }
}

function parseText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.toWellFormed().replaceAll('\0', '').trim().slice(0, MAX_FIELD_CHARS)
  return text === '' ? null : text.toWellFormed()
}

function parseNames(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, MAX_PARTICIPANTS)
    .map(parseText)
    .filter((name) => name !== null)
}

/** Only accepts years from 1900 to 9998, because some API clients cannot parse others. */
function parseDate(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null
  const date = new Date(value)
  const year = date.getUTCFullYear()
  return year >= 1900 && year <= 9998 ? date : null
}

function parseDateLabel(path: string): Date | null {
  const [, day, hours, minutes] = DATE_LABEL.exec(posix.basename(path)) ?? []
  return parseDate(`${day}T${hours}:${minutes}:00.000Z`)
}

function countLinesBefore(text: string, end: number): number {
  return text.slice(0, end).split(/\r\n|\n|\r/).length - 1
}

/** Splits a text at paragraph ends. `firstLine` is the line in the file where the text begins. */
export function splitIntoPassages(source: string, firstLine = 1): Passage[] {
  // Several times as fast as a pattern for a text of line breaks.
  const text = source.replaceAll('\r\n', '\n').split('\r').join('\n')
  const passages: Passage[] = []
  /** Where the current passage begins; -1 between two passages. */
  let begin = -1
  let beginLine = firstLine
  const endPassage = (end: number) => {
    const passage = begin === -1 ? '' : text.slice(begin, end).trimEnd()
    if (passage !== '') passages.push({ line: beginLine, text: passage })
    begin = -1
  }
  let line = firstLine
  for (let start = 0; start <= text.length && passages.length < MAX_PASSAGES; line += 1) {
    const lineBreak = text.indexOf('\n', start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const lineText = text.slice(start, end)
    const isBlank = lineText.trim() === ''
    const length = begin === -1 ? 0 : start - begin
    const endsBefore = isBlank
      ? length >= MIN_PASSAGE_CHARS
      : length + lineText.length > MAX_PASSAGE_CHARS || isHeading(lineText)
    if (endsBefore) endPassage(start)
    if (begin === -1 && !isBlank) {
      begin = start
      beginLine = line
    }
    // A longer line begins its passage, unless it is blank.
    while (begin !== -1 && end - begin > MAX_PASSAGE_CHARS) {
      const cut = findCut(text, begin)
      endPassage(cut)
      begin = cut
    }
    start = end + 1
  }
  endPassage(text.length)
  return passages.slice(0, MAX_PASSAGES)
}

function isHeading(line: string): boolean {
  return line.startsWith('#') && /^#{1,6} /.test(line)
}

/** Where a line that is longer than a passage is cut: after a space if possible, and never inside a character. */
function findCut(text: string, begin: number): number {
  const piece = text.slice(begin, begin + MAX_PASSAGE_CHARS)
  const space = piece.lastIndexOf(' ')
  if (space > MAX_PASSAGE_CHARS / 2) return begin + space + 1
  return begin + (piece.isWellFormed() ? piece.length : piece.length - 1)
}

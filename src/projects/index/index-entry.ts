import type { FileHandle } from 'node:fs/promises'
import { posix } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { isFileAccessError } from '../files/file-access-errors.ts'
import { readFileInfo, type FileInfo } from '../files/walk-project.ts'
import { readFrontMatter } from '../front-matter.ts'
import { absolutePath, openDocumentAt, type hasNoLinks, type DocumentRef } from '../document-ref.ts'
import { readFileText, type FileText } from '../files/file-text.ts'
import { splitIntoPassages, type Passage } from './passages.ts'

/** `meeting`: a transcript in the folder `meetings`; `document`: everything else. */
export const DOCUMENT_KINDS = ['meeting', 'document'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** What the index keeps of one file. */
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
  /** Why not all of the file is in the index. */
  warning: string | null
  passages: Passage[]
}

const MAX_INDEXED_BYTES = 1024 * 1024
const MAX_FIELD_CHARS = 500
const MAX_PARTICIPANTS = 500
/** A file that changed so shortly before it was read may change again without a sign of it. */
const SETTLED_MS = 50
const DATE_LABEL = /^(\d{4}-\d{2}-\d{2}) (\d{2})(\d{2}) - /

/**
 * Reads a file for the index; null: there is none. Whatever is wrong with it becomes a warning. `isKnown`:
 * it is the transcript of a meeting whose segments are searched, so that its text need not be.
 */
export async function readIndexEntry(
  root: string,
  place: DocumentRef,
  isKnown: boolean,
  isWayPlain?: typeof hasNoLinks,
): Promise<IndexEntry | null> {
  const file = absolutePath(root, place)
  const facts = await readFileInfo(file, place.path)
  if (facts === null) return null
  const content = facts.isRegularFile
    ? await readContentOrWarning(root, place, isWayPlain)
    : NOT_A_FILE
  if (content === null) return null
  // Read while it changed: what was read is neither the one nor the other.
  const after = await readFileInfo(file, place.path)
  const isSettled =
    after?.stamp === facts.stamp && Date.now() - facts.modifiedAt.getTime() >= SETTLED_MS
  const entry = toIndexEntry(place, facts, content, isKnown)
  return isSettled ? entry : { ...entry, stamp: `${facts.stamp} unsettled` }
}

type FileContent = { text: string; warning: string | null }

const NOT_A_FILE: FileContent = { text: '', warning: 'Not a plain file; links are not followed' }
const WARNINGS_BY_PROBLEM: Readonly<Record<NonNullable<FileText['problem']>, string>> = {
  binary: 'Not a text: it holds bytes that are zero',
  encoding: 'Not a text in UTF-8',
  cut: 'Too large: only the first 1 MiB can be found',
}
const UNREADABLE_FILE: FileContent = { text: '', warning: 'The file cannot be read' }
async function readContentOrWarning(
  root: string,
  place: DocumentRef,
  isWayPlain?: typeof hasNoLinks,
): Promise<FileContent | null> {
  try {
    return await readContent(await openDocumentAt(root, place, isWayPlain))
  } catch (error) {
    if (isFileAccessError(error) || errorCode(error) === 'EISDIR') return UNREADABLE_FILE
    throw error
  }
}

async function readContent(opened: FileHandle | null): Promise<FileContent | null> {
  await using handle = opened
  if (handle === null) return null
  const { text, problem } = await readFileText(handle, MAX_INDEXED_BYTES)
  return { text, warning: problem === null ? null : WARNINGS_BY_PROBLEM[problem] }
}

function toIndexEntry(
  place: DocumentRef,
  facts: FileInfo,
  content: FileContent,
  isKnown: boolean,
): IndexEntry {
  const { path } = place
  const folder = posix.dirname(path)
  const header = readFrontMatter(content.text)
  const fields = header?.fields ?? {}
  const title = parseText(fields['title'])
  const bodyStart = header?.bodyStart ?? 0
  const isBroken = header === null && /^\ufeff?---/.test(content.text)
  const body = isKnown
    ? []
    : splitIntoPassages(
        content.text.slice(bodyStart),
        countLinesBefore(content.text, bodyStart) + 1,
      )
  return {
    ...place,
    folder: folder === '.' ? '' : folder,
    kind: folder === 'meetings' && /\.md$/i.test(path) ? 'meeting' : 'document',
    title,
    date: parseDate(fields['date']) ?? parseDateLabel(path) ?? facts.modifiedAt,
    meetingId: parseText(fields['meetingId']),
    status: fields['status'] === 'in_progress' ? 'in_progress' : 'completed',
    participants: parseNames(fields['participants']),
    size: facts.size,
    modifiedAt: facts.modifiedAt,
    stamp: facts.stamp,
    warning: content.warning ?? (isBroken ? 'The front matter cannot be read' : null),
    passages: [...(title === null ? [] : [{ line: 1, text: title }]), ...body],
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

/** Years that every reader of the answer understands. */
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

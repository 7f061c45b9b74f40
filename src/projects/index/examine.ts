import type { FileHandle } from 'node:fs/promises'
import { posix } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { isOutOfReach } from '../files/out-of-reach.ts'
import { factsOf, type FileFacts } from '../files/walk.ts'
import { readFrontMatter } from '../front-matter.ts'
import { absolutePath, openPlace, type isWithoutLinks, type Place } from '../place.ts'
import { readText, type FileText } from '../text.ts'
import { passagesOf, type Passage } from './passages.ts'

/** `meeting`: a transcript in the folder `meetings`; `document`: everything else. */
export const DOCUMENT_KINDS = ['meeting', 'document'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** What the index keeps of one file. */
export type Entry = Place & {
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

const MAX_READ = 1024 * 1024
const MAX_TEXT = 500
const MAX_PARTICIPANTS = 500
/** A file that changed so shortly before it was read may change again without a sign of it. */
const SETTLED_MS = 50
const DATE_LABEL = /^(\d{4}-\d{2}-\d{2}) (\d{2})(\d{2}) - /

/**
 * Reads a file for the index; null: there is none. Whatever is wrong with it becomes a warning. `isKnown`:
 * it is the transcript of a meeting whose segments are searched, so that its text need not be.
 */
export async function examine(
  root: string,
  place: Place,
  isKnown: boolean,
  isWayPlain?: typeof isWithoutLinks,
): Promise<Entry | null> {
  const file = absolutePath(root, place)
  const facts = await factsOf(file, place.path)
  if (facts === null) return null
  const content = facts.isPlain ? await read(root, place, isWayPlain) : NO_FILE
  if (content === null) return null
  // Read while it changed: what was read is neither the one nor the other.
  const after = await factsOf(file, place.path)
  const isSettled = after?.stamp === facts.stamp && Date.now() - facts.at.getTime() >= SETTLED_MS
  const entry = describe(place, facts, content, isKnown)
  return isSettled ? entry : { ...entry, stamp: `${facts.stamp} unsettled` }
}

type Content = { text: string; warning: string | null }

const NO_FILE: Content = { text: '', warning: 'Not a plain file; links are not followed' }
const FLAWS: Readonly<Record<NonNullable<FileText['flaw']>, string>> = {
  binary: 'Not a text: it holds bytes that are zero',
  encoding: 'Not a text in UTF-8',
  cut: 'Too large: only the first 1 MiB can be found',
}
const NOT_READ: Content = { text: '', warning: 'The file cannot be read' }
async function read(
  root: string,
  place: Place,
  isWayPlain?: typeof isWithoutLinks,
): Promise<Content | null> {
  try {
    return await readContent(await openPlace(root, place, isWayPlain))
  } catch (error) {
    if (isOutOfReach(error) || errorCode(error) === 'EISDIR') return NOT_READ
    throw error
  }
}

async function readContent(opened: FileHandle | null): Promise<Content | null> {
  await using handle = opened
  if (handle === null) return null
  const { text, flaw } = await readText(handle, MAX_READ)
  return { text, warning: flaw === null ? null : FLAWS[flaw] }
}

function describe(place: Place, facts: FileFacts, content: Content, isKnown: boolean): Entry {
  const { path } = place
  const folder = posix.dirname(path)
  const header = readFrontMatter(content.text)
  const fields = header?.fields ?? {}
  const title = textOf(fields['title'])
  const bodyStart = header?.bodyStart ?? 0
  const isBroken = header === null && /^\ufeff?---/.test(content.text)
  const body = isKnown
    ? []
    : passagesOf(content.text.slice(bodyStart), linesBefore(content.text, bodyStart) + 1)
  return {
    ...place,
    folder: folder === '.' ? '' : folder,
    kind: folder === 'meetings' && /\.md$/i.test(path) ? 'meeting' : 'document',
    title,
    date: dateOf(fields['date']) ?? labelDate(path) ?? facts.at,
    meetingId: textOf(fields['meetingId']),
    status: fields['status'] === 'in_progress' ? 'in_progress' : 'completed',
    participants: namesIn(fields['participants']),
    size: facts.size,
    modifiedAt: facts.at,
    stamp: facts.stamp,
    warning: content.warning ?? (isBroken ? 'The front matter cannot be read' : null),
    passages: [...(title === null ? [] : [{ line: 1, text: title }]), ...body],
  }
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.toWellFormed().replaceAll('\0', '').trim().slice(0, MAX_TEXT)
  return text === '' ? null : text.toWellFormed()
}

function namesIn(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, MAX_PARTICIPANTS)
    .map(textOf)
    .filter((name) => name !== null)
}

/** Years that every reader of the answer understands. */
function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null
  const date = new Date(value)
  const year = date.getUTCFullYear()
  return year >= 1900 && year <= 9998 ? date : null
}

function labelDate(path: string): Date | null {
  const [, day, hours, minutes] = DATE_LABEL.exec(posix.basename(path)) ?? []
  return dateOf(`${day}T${hours}:${minutes}:00.000Z`)
}

function linesBefore(text: string, end: number): number {
  return text.slice(0, end).split(/\r\n|\n|\r/).length - 1
}

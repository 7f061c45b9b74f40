import { isUtf8 } from 'node:buffer'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { parsePathInDataFolder, type DocumentRef } from '../../projects/document-ref.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { findFrontMatter } from '../../projects/front-matter.ts'
import { updateMeeting } from './meeting-store.ts'

export const RECAP_HEADING = '## Recap'
/** Separates the recap from the transcript below it, which stays unchanged. */
export const TRANSCRIPT_HEADING = '## Transcript'

/** A section between the title of a transcript document and its transcript. */
export type DocumentSection = {
  /** The first line, such as `## Recap`. */
  heading: string
  /** The last line. The transcript follows it. */
  lastLine: string
  /** The whole section, from its heading to its last line; null to have none. */
  text: string | null
  /** True if this service wrote the section and nobody changed it. */
  isOwn(section: string): boolean
}

/**
 * `written`: the document has the section. `none`: the meeting has no document, or its file was removed. `edited`: a
 * person changed the document, so it was not touched.
 */
export type DocumentSectionOutcome = 'written' | 'none' | 'edited'
export type DocumentSectionResult = {
  outcome: DocumentSectionOutcome
  /** The file's path if it was changed, else null. The meeting may have been moved before it was locked. */
  changedPath: string | null
}

/** How often a file is read again if a person saves it at the same time. */
const MAX_WRITE_ATTEMPTS = 3

/**
 * Writes or replaces a section in the document of an ended meeting. The rest of the file stays the same, byte for byte.
 * The meeting stays locked, so that it is not removed. Throws `meeting_not_found` if it was.
 */
export function writeDocumentSection(
  db: Db,
  files: DocumentFiles,
  meetingId: string,
  section: DocumentSection,
): Promise<DocumentSectionResult> {
  return db.transaction().execute(async (tx) => {
    const meeting = await lockEndedMeeting(tx, meetingId)
    const place = parsePathInDataFolder(meeting.document_path ?? '')
    if (place === null) return { outcome: 'none', changedPath: null }
    const { outcome, size } = await writeSectionAt(
      files.inTransaction(tx),
      place,
      section,
      meeting.document_size,
    )
    if (size !== null) {
      await updateMeeting(tx, meetingId, { document_size: size })
    }
    return { outcome, changedPath: size === null ? null : meeting.document_path }
  })
}

/** Returns the new size if the file was changed. */
async function writeSectionAt(
  files: DocumentFiles,
  place: DocumentRef,
  section: DocumentSection,
  expectedSize: number,
): Promise<{ outcome: DocumentSectionOutcome; size: number | null }> {
  const { outcome, sizes } = await replaceDocumentText(files, place, (text) =>
    replaceSection(text, section, expectedSize),
  )
  return { outcome, size: sizes?.after ?? null }
}

/** `sizes`: the bytes of the file before and after; null if it was not changed. */
export type ReplacedText = {
  outcome: DocumentSectionOutcome
  sizes: { before: number; after: number } | null
}

/**
 * Replaces a document's text with the result of `change`. Null means that a person changed the document, so it stays as
 * it is. The meeting must be locked.
 */
export async function replaceDocumentText(
  files: DocumentFiles,
  place: DocumentRef,
  change: (text: string) => string | null,
): Promise<ReplacedText> {
  for (let attempt = 1; attempt <= MAX_WRITE_ATTEMPTS; attempt += 1) {
    const before = await readFileAt(files, place)
    if (before === null) return { outcome: 'none', sizes: null }
    // Bytes that are not UTF-8 come from a person's editor, and would be changed by a rewrite.
    if (!isUtf8(before)) return { outcome: 'edited', sizes: null }
    const text = before.toString('utf8')
    const after = change(text)
    if (after === null) return { outcome: 'edited', sizes: null }
    if (after === text) return { outcome: 'written', sizes: null }
    const size = await files.replaceIfUnchanged(place, before, [after])
    if (size !== null) return { outcome: 'written', sizes: { before: before.length, after: size } }
  }
  throw new Error('the document was changed by another program during every attempt to write it')
}

async function lockEndedMeeting(tx: Tx, meetingId: string) {
  const row = await tx
    .selectFrom('meeting')
    .select(['document_path', 'document_size'])
    .where('id', '=', meetingId)
    .where('ended_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('meeting_not_found')
  return row
}

async function readFileAt(files: DocumentFiles, place: DocumentRef): Promise<Buffer | null> {
  await using file = await files.open(place)
  return file === null ? null : await file.read()
}

/** Returns the document with the section; null if a person changed the document or the section. */
export function replaceSection(
  text: string,
  { heading, lastLine, text: section, isOwn }: DocumentSection,
  expectedSize: number,
): string | null {
  const start = findEndOfTitle(text)
  if (start === null) return null
  if (!text.startsWith(`\n${heading}\n`, start)) {
    const isUnchanged = Buffer.byteLength(text) === expectedSize
    return isUnchanged ? `${text.slice(0, start)}${section ?? ''}${text.slice(start)}` : null
  }
  const last = `\n${lastLine}\n`
  const lastStart = text.indexOf(last, start)
  if (lastStart === -1) return null
  const end = lastStart + last.length
  if (!isOwn(text.slice(start, end))) return null
  return `${text.slice(0, start)}${section ?? ''}${text.slice(end)}`
}

/** The position of the recap: from its heading to the transcript's heading. Null if there is none. */
export function findRecapSection(text: string): { start: number; end: number } | null {
  const start = findEndOfTitle(text)
  if (start === null || !text.startsWith(`\n${RECAP_HEADING}\n`, start)) return null
  const last = `\n${TRANSCRIPT_HEADING}\n`
  const lastStart = text.indexOf(last, start)
  return lastStart === -1 ? null : { start, end: lastStart + last.length }
}

/** The position after the front matter and the title; null if they are not as the service writes them. */
export function findEndOfTitle(text: string): number | null {
  const frontMatter = findFrontMatter(text)
  if (frontMatter === null) return null
  const title = /\n# [^\n]*\n/y
  title.lastIndex = frontMatter.bodyStart
  return title.test(text) ? title.lastIndex : null
}

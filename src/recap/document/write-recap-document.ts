import { createHash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import {
  writeDocumentSection,
  type DocumentSectionOutcome,
} from '../../meetings/record/document-section.ts'
import type { RecapSource } from '../recap.ts'
import { readActionItemsOfMeeting } from '../store/action-items.ts'
import type { RecapLease } from '../store/recap-claims.ts'
import { addDocumentPart, type StoredRecap } from '../store/stored-recap.ts'
import { formatRecapSection, RECAP_HEADING, TRANSCRIPT_HEADING } from './recap-section.ts'

type Parts = { db: Db; root: string }

/** Writes the stored recap into the document of its meeting, above the transcript. */
export async function writeRecapIntoDocument(
  { db, root }: Parts,
  lease: RecapLease,
  stored: StoredRecap,
  source: RecapSource,
): Promise<DocumentSectionOutcome> {
  const { meetingId } = lease
  if (stored.content === null) return 'none'
  const starts = new Map(source.segments.map(({ number, startMs }) => [number, startMs]))
  const actions = await readActionItemsOfMeeting(db, meetingId)
  const text = formatRecapSection(stored.content, actions, (number) => starts.get(number) ?? null)
  const own = new Set(stored.documentParts)
  if (text !== null) {
    own.add(hashOf(text))
    await addDocumentPart(db, lease, hashOf(text))
  }
  return writeDocumentSection(db, root, meetingId, {
    heading: RECAP_HEADING,
    lastLine: TRANSCRIPT_HEADING,
    text,
    isOwn: (section) => own.has(hashOf(section)),
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

import type { Db } from '../../db/database.ts'
import { sha256 } from '../../lib/crypto/digest.ts'
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
    const hash = hashSection(text)
    own.add(hash)
    await addDocumentPart(db, lease, hash)
  }
  return writeDocumentSection(db, root, meetingId, {
    heading: RECAP_HEADING,
    lastLine: TRANSCRIPT_HEADING,
    text,
    isOwn: (section) => own.has(hashSection(section)),
  })
}

function hashSection(text: string): string {
  return sha256(text).toString('hex')
}

import type { Db } from '../../db/database.ts'
import { sha256 } from '../../lib/crypto/digest.ts'
import {
  RECAP_HEADING,
  TRANSCRIPT_HEADING,
  writeDocumentSection,
  type DocumentSectionResult,
} from '../../meetings/record/document-section.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { readSegmentStarts } from '../../meetings/transcript/read-transcript.ts'
import { calculateSegmentOffsetMs } from '../../meetings/transcript/source.ts'
import { readActionItemsOfMeeting } from '../store/action-items.ts'
import type { RecapLease } from '../store/recap-claims.ts'
import { addDocumentPart, type StoredRecap } from '../store/stored-recap.ts'
import { formatRecapSection } from './recap-section.ts'

type Parts = { db: Db; files: DocumentFiles }

/** Writes the stored recap into the document of its meeting, above the transcript. */
export async function writeRecapIntoDocument(
  { db, files }: Parts,
  lease: RecapLease,
  stored: StoredRecap,
  meetingStartedAt: Date,
): Promise<DocumentSectionResult> {
  const { meetingId } = lease
  const { content } = stored
  if (content === null) return { outcome: 'none', changedPath: null }
  const actions = await readActionItemsOfMeeting(db, meetingId)
  const entries = [...content.summary, ...content.decisions, ...actions, ...content.openQuestions]
  const cited = new Set(entries.flatMap(({ segmentNumbers }) => segmentNumbers))
  const starts = await readSegmentStarts(db, meetingId, [...cited])
  const text = formatRecapSection(content, actions, (number) => {
    const startedAt = starts.get(number)
    return startedAt === undefined
      ? null
      : calculateSegmentOffsetMs({ startedAt }, meetingStartedAt)
  })
  const own = new Set(stored.documentParts)
  if (text !== null) {
    const hash = hashSection(text)
    own.add(hash)
    await addDocumentPart(db, lease, hash)
  }
  return writeDocumentSection(db, files, meetingId, {
    heading: RECAP_HEADING,
    lastLine: TRANSCRIPT_HEADING,
    text,
    isOwn: (section) => own.has(hashSection(section)),
  })
}

function hashSection(text: string): string {
  return sha256(text).toString('hex')
}

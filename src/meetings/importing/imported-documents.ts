import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import { rewriteTranscriptDocument } from '../record/transcript-document.ts'
import {
  repairDocuments,
  type DocumentParts,
  type RepairParts,
} from '../record/repair-documents.ts'

/**
 * Writes the document of an imported meeting, unless it is written. Its row is locked meanwhile, so that the meeting is
 * neither moved nor removed. Returns the path of the document; null if there was nothing to write.
 */
export function writeImportedDocument(
  { db, files }: DocumentParts,
  meetingId: string,
): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('meeting')
      .select('document_path as path')
      .where('id', '=', meetingId)
      .where('platform', '=', IMPORTED_PLATFORM)
      .where('document_size', '=', 0)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined || row.path === null) return null
    const size = await rewriteTranscriptDocument(tx, files, meetingId, null)
    await tx
      .updateTable('meeting')
      .set({ document_size: size })
      .where('id', '=', meetingId)
      .execute()
    return row.path
  })
}

/** Writes the documents of imports that a crash or a full disk interrupted after they were stored. */
export async function writeMissingImportedDocuments(parts: RepairParts): Promise<void> {
  const rows = await parts.db
    .selectFrom('meeting')
    .select('id')
    .where('platform', '=', IMPORTED_PLATFORM)
    .where('document_path', 'is not', null)
    .where('document_size', '=', 0)
    .execute()
  await repairDocuments(parts, {
    meetingIds: rows.map(({ id }) => id),
    write: (meetingId) => writeImportedDocument(parts, meetingId),
    failure: 'failed to write the document of an import',
  })
}

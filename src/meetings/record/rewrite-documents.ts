import type { Db } from '../../db/database.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { ACTIVE_STATUSES } from '../status.ts'
import { rewriteTranscriptDocument } from './transcript-document.ts'

/**
 * Writes the documents of unfinished meetings again from their segments, after a restore. The backed-up files may contain
 * more than the rows know.
 */
export async function rewriteDocumentsOfActiveMeetings(
  db: Db,
  files: DocumentFiles,
): Promise<void> {
  const unfinished = await db
    .selectFrom('meeting')
    .select(['id', 'segment_count'])
    .where('status', 'in', ACTIVE_STATUSES)
    .where('document_path', 'is not', null)
    .execute()
  for (const { id, segment_count: count } of unfinished) {
    const size = await rewriteTranscriptDocument(db, files, id, null)
    await db
      .updateTable('meeting')
      .set({ document_size: size, flushed_count: count })
      .where('id', '=', id)
      .execute()
  }
}

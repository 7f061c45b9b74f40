import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import { limitFileWork } from '../record/meeting-store.ts'
import { rewriteTranscriptDocument } from '../record/transcript-document.ts'

type Parts = {
  db: Db
  /** Path of the data folder. */
  root: string
}

/**
 * Writes the document of an imported meeting, unless it is written. Its row is locked meanwhile, so that the meeting is
 * neither moved nor removed. Returns the path of the document; null if there was nothing to write.
 */
export function writeImportedDocument(
  { db, root }: Parts,
  meetingId: string,
): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    await limitFileWork(tx)
    const row = await tx
      .selectFrom('meeting')
      .select('document_path as path')
      .where('id', '=', meetingId)
      .where('platform', '=', IMPORTED_PLATFORM)
      .where('document_size', '=', 0)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined || row.path === null) return null
    const size = await rewriteTranscriptDocument(tx, root, meetingId, null)
    await tx
      .updateTable('meeting')
      .set({ document_size: size })
      .where('id', '=', meetingId)
      .execute()
    return row.path
  })
}

/** Writes the documents of imports that a crash or a full disk interrupted after they were stored. */
export async function writeMissingImportedDocuments(
  parts: Parts & { log: Log; documentChanged(documentPath: string): Promise<void> },
): Promise<void> {
  const rows = await parts.db
    .selectFrom('meeting')
    .select('id')
    .where('platform', '=', IMPORTED_PLATFORM)
    .where('document_path', 'is not', null)
    .where('document_size', '=', 0)
    .execute()
  for (const { id: meetingId } of rows) {
    try {
      const path = await writeImportedDocument(parts, meetingId)
      if (path !== null) await parts.documentChanged(path)
    } catch (error) {
      // One that cannot be written does not hold up the others.
      parts.log.error({ err: error, meetingId }, 'failed to write the document of an import')
    }
  }
}

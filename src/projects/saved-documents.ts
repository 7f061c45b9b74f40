import { sql } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { newId } from '../lib/crypto.ts'
import type { DocumentRef } from './document-ref.ts'

/** A version of a document that was saved through the API or the console. */
export type SavedDocument = DocumentRef & { saveId: string; savedAt: Date }

/**
 * Records that a document was saved, so that tasks start for it. A recorded version is recorded again only if the save
 * changed the file, so a request that is repeated after a crash neither loses nor doubles a task.
 */
export async function recordDocumentSave(
  db: Db,
  { project, path }: DocumentRef,
  { etag, hasChangedFile }: { etag: string; hasChangedFile: boolean },
): Promise<void> {
  const save = {
    save_id: newId('save'),
    etag,
    saved_at: sql<Date>`clock_timestamp()`,
    tasks_started: false,
  }
  await db
    .insertInto('document_save')
    .values({ project, path, ...save })
    .onConflict((conflict) =>
      conflict
        .columns(['project', 'path'])
        .doUpdateSet(save)
        .where((eb) => eb.or([eb.lit(hasChangedFile), eb('document_save.etag', '<>', etag)])),
    )
    .execute()
}

/** Deletes the record of a removed document. Tasks that were not started yet will not start. */
export async function deleteDocumentSave(db: Db, { project, path }: DocumentRef): Promise<void> {
  await db
    .deleteFrom('document_save')
    .where('project', '=', project)
    .where('path', '=', path)
    .execute()
}

function selectSavedDocuments(db: Db) {
  return db
    .selectFrom('document_save')
    .select(['project', 'path', 'save_id as saveId', 'saved_at as savedAt'])
}

/** The last saved documents that the viewer may read. */
export async function listNewestSavedDocuments(
  db: Db,
  viewer: Viewer,
  limit: number,
): Promise<SavedDocument[]> {
  return selectSavedDocuments(db)
    .where(readsProject(viewer, 'document_save.project'))
    .orderBy('saved_at', 'desc')
    .limit(limit)
    .execute()
}

/** Saved documents whose tasks were not started yet, oldest first. */
export async function findDocumentsAwaitingTasks(db: Db, limit: number): Promise<SavedDocument[]> {
  return selectSavedDocuments(db)
    .where('tasks_started', '=', false)
    .orderBy('saved_at')
    .limit(limit)
    .execute()
}

/**
 * Marks a saved version's tasks as started, in the transaction that starts them. False if another node has done so, or
 * the document was saved again or removed.
 */
export async function claimSavedDocumentForTasks(tx: Tx, saved: SavedDocument): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('document_save')
    .set({ tasks_started: true })
    .where('project', '=', saved.project)
    .where('path', '=', saved.path)
    .where('save_id', '=', saved.saveId)
    .where('tasks_started', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

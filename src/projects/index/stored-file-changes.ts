import { sql } from 'kysely'
import { parsePathInDataFolder, PROJECTS_ROOT } from '../document-ref.ts'
import { formatStoredFileStamp } from '../files/walk-project.ts'
import type { ChangeSource } from './change-source.ts'
import { excludeActiveTranscripts } from './reconcile.ts'
import { updateIndex, type IndexUpdateDependencies } from './update-index.ts'

/** Only what a node that ended early did not index has to be found: every node indexes what it writes. */
const MIN_PAUSE_MS = 30_000

/** Compares documents in the database with the index. Nothing is watched, because only the service changes them. */
export function createDatabaseChangeSource(parts: IndexUpdateDependencies): ChangeSource {
  return {
    minPauseMs: MIN_PAUSE_MS,
    reconcile: () => reconcileStoredFiles(parts),
    applyChanges: async () => {},
    unreadableFolderCount: () => 0,
    [Symbol.dispose]() {},
  }
}

async function reconcileStoredFiles(parts: IndexUpdateDependencies): Promise<void> {
  const folder = `${PROJECTS_ROOT}/`
  const { rows } = await sql<{ path: string }>`
    with indexed as (
      select (${folder} || project || '/' || path) collate "C" as path, stamp from document
    ), stored as (
      select path, ${formatStoredFileStamp('')} || version as stamp from stored_file
      where path > ${folder} and path < ${`${PROJECTS_ROOT}0`}
    )
    select path from stored full join indexed using (path)
    where stored.stamp is distinct from indexed.stamp
    order by path`.execute(parts.db)
  const refs = rows.map(({ path }) => parsePathInDataFolder(path)).filter((ref) => ref !== null)
  await updateIndex(parts, await excludeActiveTranscripts(parts, refs))
}

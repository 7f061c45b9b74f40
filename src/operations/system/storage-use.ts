import { sql } from 'kysely'
import { needsDiskSpace, type Config } from '../../config/config.ts'
import { findLastAuditEntryByAction } from '../../accounts/audit.ts'
import { readFreeDiskMb } from '../../lib/files/free-disk.ts'
import type { Db } from '../../db/database.ts'
import { countMeetingsAndMeasureEvidence } from '../../meetings/reading/meeting-usage.ts'
import { readDocumentCountAndSize } from '../../projects/index/document-usage.ts'

/** How much the instance stores, and how much disk space is left. */
export type StorageUsage = {
  folder: string
  database: string
  freeDiskMb: number
  documentPlace: Config['documents']
  /** With less free disk space than this, no meeting is started. */
  minFreeDiskMb: number
  databaseBytes: number
  meetings: number
  documents: { count: number; bytes: number }
  evidence: { count: number; bytes: number }
  /** The last backup made with the command line; `file` is null when it was written to standard output. */
  lastBackup: { at: Date; file: string | null } | null
}

type Parts = { db: Db; config: Config; database: string }

export async function readStorageUsage(parts: Parts): Promise<StorageUsage> {
  const { db, config, database } = parts
  const { data: folder, documents: documentPlace } = config
  const { rows } = await sql<{ bytes: string }>`
    select pg_database_size(current_database()) as bytes`.execute(db)
  const backup = await findLastAuditEntryByAction(db, 'backup made')
  return {
    folder,
    database,
    freeDiskMb: readFreeDiskMb(folder),
    documentPlace,
    minFreeDiskMb: needsDiskSpace(config) ? config.minFreeDiskMb : 0,
    databaseBytes: Number(rows[0]?.bytes ?? 0),
    ...(await countMeetingsAndMeasureEvidence(db)),
    documents: await readDocumentCountAndSize(db),
    lastBackup: backup && { at: backup.at, file: backup.object },
  }
}

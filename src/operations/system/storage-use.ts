import { sql } from 'kysely'
import { findLastAuditEntry } from '../../accounts/audit.ts'
import { freeDiskMb } from '../../lib/files/free-disk.ts'
import type { Db } from '../../db/database.ts'

/** What is kept, and how much room there is for more. */
export type StorageUsage = {
  folder: string
  database: string
  freeDiskMb: number
  /** With less than this no meeting is started. */
  minFreeDiskMb: number
  databaseBytes: number
  meetings: number
  documents: { count: number; bytes: number }
  evidence: { count: number; bytes: number }
  /** The newest made with the command line; `file` is null when it went through a pipe. */
  lastBackup: { at: Date; file: string | null } | null
}

type Parts = { db: Db; folder: string; database: string; minFreeDiskMb: number }

type StorageUsageRow = {
  databaseBytes: string
  meetings: number
  documents: number
  documentBytes: string
  evidence: number
  evidenceBytes: string
}

export async function readStorageUsage(parts: Parts): Promise<StorageUsage> {
  const { db, folder, database, minFreeDiskMb } = parts
  const { rows } = await sql<StorageUsageRow>`
    select pg_database_size(current_database()) as "databaseBytes",
      (select count(*)::int from meeting) as meetings,
      d.count as documents, d.bytes as "documentBytes",
      e.count as evidence, e.bytes as "evidenceBytes"
    from (select count(*)::int, coalesce(sum(size), 0) as bytes from document) as d,
      (select count(*)::int, coalesce(sum(octet_length(screenshot)), 0) as bytes from evidence) as e`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  const backup = await findLastAuditEntry(db, 'backup made')
  return {
    folder,
    database,
    freeDiskMb: freeDiskMb(folder),
    minFreeDiskMb,
    databaseBytes: Number(row.databaseBytes),
    meetings: row.meetings,
    documents: { count: row.documents, bytes: Number(row.documentBytes) },
    evidence: { count: row.evidence, bytes: Number(row.evidenceBytes) },
    lastBackup: backup && { at: backup.at, file: backup.object },
  }
}

import { z } from 'zod'
import { isKnownMigration, isMigrationHistory } from '../../db/migrate.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { listPossibleBackupTables, type BackupTable } from './backup-tables.ts'

/** Increases when older versions of Hansard can no longer read the backup format. */
const FORMAT_VERSION = 1

const Table = z.object({ name: z.string(), columns: z.array(z.string()) })

/** The first entry of a backup. It describes the contents, so that a restore can check that it supports them. */
export const BackupManifest = z.object({
  format: z.literal('hansard-backup'),
  formatVersion: z.literal(FORMAT_VERSION),
  /** The version of Hansard that wrote the backup. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  /** The tables in the backup, in an order in which each table references only earlier tables. */
  tables: z.array(Table),
  /** True if the backup contains the master key. */
  hasMasterKey: z.boolean(),
})
export type BackupManifest = z.output<typeof BackupManifest>

/** The last entry of a backup, with the expected contents of all entries before it. */
export const BackupTotalsAndChecksum = z.object({
  rows: z.record(z.string(), z.int()),
  files: z.int(),
  /** Checksum of all earlier entries, including their names and sizes. */
  sha256: z.string(),
})
export type BackupTotalsAndChecksum = z.output<typeof BackupTotalsAndChecksum>

export const BACKUP_FORMAT_AND_VERSION = {
  format: 'hansard-backup',
  formatVersion: FORMAT_VERSION,
} as const

const FormatMarker = z.object({ format: z.literal('hansard-backup'), formatVersion: z.number() })

/** Parses a manifest. Throws if this version can't restore the backup. */
export async function parseManifest(text: string, file: string): Promise<BackupManifest> {
  const json = tryParseJson(text)
  const version = FormatMarker.safeParse(json)
  if (!version.success) throw new OperatorError(`${file} is not a Hansard backup`)
  const parsed = BackupManifest.safeParse(json)
  const unknown = parsed.data?.migrations.filter((name) => !isKnownMigration(name)) ?? []
  if (version.data.formatVersion > FORMAT_VERSION || unknown.length > 0) {
    throw new OperatorError(
      `${file} was created by a newer version of Hansard`,
      'Restore it with that version or a newer one',
    )
  }
  if (!parsed.success) throw new OperatorError(`${file} is damaged: its manifest cannot be read`)
  const { migrations, tables } = parsed.data
  if (!isMigrationHistory(migrations) || !(await areBackupTables(tables, migrations))) {
    throw new OperatorError(`${file} is not a Hansard backup: its manifest lists other tables`)
  }
  return parsed.data
}

/** True if all tables belong to Hansard after these migrations, so that a restore writes into no other table. */
async function areBackupTables(
  tables: readonly BackupTable[],
  migrations: readonly string[],
): Promise<boolean> {
  const possible = await listPossibleBackupTables(migrations)
  return (
    hasNoDuplicates(tables.map(({ name }) => name)) &&
    tables.every(({ name, columns }) => possible.has(name) && hasNoDuplicates(columns))
  )
}

function hasNoDuplicates(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

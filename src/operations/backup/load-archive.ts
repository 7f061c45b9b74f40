import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { OperatorError } from '../../errors.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { damagedError, printableName, type ArchiveEntry } from './read-archive.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { listBackupTables, quoteIdentifier, type BackupTable } from './tables.ts'
import type { VerifiedBackup } from './verify-backup.ts'

/** Error codes of names that this file system does not support, or of two names that it takes for one. */
const UNSUPPORTED_NAME_CODES = new Set([
  'EEXIST',
  'EISDIR',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EINVAL',
  'EILSEQ',
])

/**
 * Loads the rows of a backup into the caller's open transaction, where the tables are new and empty, and its files into
 * the folder `fresh`.
 */
export async function loadBackup(
  client: PoolClient,
  { file, maxExpandedBytes }: VerifiedBackup,
  fresh: string,
): Promise<BackupContents> {
  return readBackup(file, maxExpandedBytes, {
    onManifest: ({ tables }) => checkColumns(client, file, tables),
    onRows: (table, entry) => copyRows(client, table, entry),
    onFile: (path, entry) => writeEntryFile(file, join(fresh, path), entry),
  })
}

/** Refuses columns that a backup never contains, such as transaction ids of another server. */
async function checkColumns(
  client: PoolClient,
  file: string,
  tables: readonly BackupTable[],
): Promise<void> {
  const names = tables.map(({ name }) => name)
  const known = new Map<string, string[]>()
  for (const { name, columns } of await listBackupTables(client, names)) known.set(name, columns)
  for (const { name, columns } of tables) {
    const unknown = columns.find((column) => known.get(name)?.includes(column) !== true)
    if (unknown !== undefined || columns.length === 0)
      throw damagedError(file, `unexpected column ${name}.${printableName(unknown ?? '')}`)
  }
}

async function copyRows(
  client: PoolClient,
  { name, columns }: BackupTable,
  { body }: ArchiveEntry,
): Promise<number> {
  const list = columns.map(quoteIdentifier).join(', ')
  const into = client.query(copyFrom(`copy public.${quoteIdentifier(name)} (${list}) from stdin`))
  await pipeline(body, into)
  return into.rowCount
}

async function writeEntryFile(
  file: string,
  path: string,
  { name, mtime, body }: ArchiveEntry,
): Promise<void> {
  try {
    createOwnedFoldersSync(dirname(path), 0o755)
    await using handle = await open(path, 'wx', 0o644)
    inheritOwnerSync(path, handle)
    for await (const chunk of body) await handle.appendFile(chunk)
    if (mtime !== undefined && !Number.isNaN(mtime.getTime())) await handle.utimes(mtime, mtime)
    await handle.sync()
  } catch (error) {
    if (!UNSUPPORTED_NAME_CODES.has(errorCode(error))) throw error
    throw new OperatorError(
      `${file} cannot be restored here: ${printableName(name)}: ${errorMessageOf(error)}`,
      'Restore into a data folder on another file system',
      error,
    )
  }
}

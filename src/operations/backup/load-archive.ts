import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { OperatorError } from '../../errors.ts'
import { createFoldersSync } from '../../lib/files/create-folders.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import {
  MANIFEST_ENTRY_NAME,
  MASTER_KEY_ENTRY_NAME,
  readArchive,
  parseTableEntryName,
  readEntryText,
  type ArchiveEntry,
} from './archive.ts'
import type { BackupManifest, BackupTotalsAndChecksum } from './manifest.ts'
import { quoteIdentifier } from './tables.ts'

/**
 * Loads the rows of a backup into the caller's open transaction and its files into the folder `fresh`. The caller
 * commits the transaction and moves the files.
 */
export async function loadArchiveRowsAndFiles(
  client: PoolClient,
  file: string,
  manifest: BackupManifest,
  fresh: string,
): Promise<BackupTotalsAndChecksum & { masterKey: string | null }> {
  const entries = readArchive(file)
  const rows = new Map<string, number>()
  let masterKey: string | null = null
  for (;;) {
    const { done, value } = await entries.next()
    if (done) {
      for (const [name, count] of Object.entries(value.rows)) {
        if ((rows.get(name) ?? 0) !== count)
          throw new OperatorError(`${file} is damaged: rows of ${name} are missing`)
      }
      return { ...value, masterKey }
    }
    const table = parseTableEntryName(value.name)
    if (value.name === MANIFEST_ENTRY_NAME) await readEntryText(value.body)
    else if (value.name === MASTER_KEY_ENTRY_NAME) masterKey = await readEntryText(value.body)
    else if (table === null) await writeEntryFile(fresh, value)
    else rows.set(table, (rows.get(table) ?? 0) + (await copyRows(client, table, manifest, value)))
  }
}

async function copyRows(
  client: PoolClient,
  table: string,
  { tables }: BackupManifest,
  { body }: ArchiveEntry,
): Promise<number> {
  const columns = tables.find(({ name }) => name === table)?.columns ?? []
  const into = client.query(
    copyFrom(
      `copy ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')}) from stdin`,
    ),
  )
  await pipeline(body, into)
  return into.rowCount
}

async function writeEntryFile(fresh: string, { name, mtime, body }: ArchiveEntry): Promise<void> {
  const path = join(fresh, name.slice('files/'.length))
  for (const created of createFoldersSync(dirname(path), 0o755)) inheritOwnerSync(created)
  await using handle = await open(path, 'wx', 0o644)
  inheritOwnerSync(path, handle)
  for await (const chunk of body) await handle.appendFile(chunk)
  if (mtime !== undefined) await handle.utimes(mtime, mtime)
  await handle.sync()
}

import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { writeBackup } from '../../src/operations/backup/write-backup.ts'
import { restoreBackup } from '../../src/operations/backup/restore.ts'
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts'
import { connectToDatabase, DATABASE_TIME_LIMIT_PRESETS } from '../../src/db/database.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { createLog } from '../../src/log.ts'

export function writeFileIn(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Backs up to a file and returns the skipped paths. */
export async function backUpTo(url: string, root: string, target: string): Promise<string[]> {
  const paths: string[] = []
  const { db, pool, close } = await connectToDatabase(
    { connectionString: url },
    { max: 2, log: createLog('silent'), timeLimits: DATABASE_TIME_LIMIT_PRESETS.command },
  )
  const onSkipped = (path: string) => void paths.push(path)
  const parts = { db, pool, root, version: '0', now: new Date(), masterKey: null, onSkipped }
  await writeBackup(parts, createWriteStream(target))
  await close()
  return paths
}

export async function restoreTo(
  url: string,
  data: string,
  from: string,
  isForced = false,
  now = new Date(),
  documents: 'folder' | 'database' = 'folder',
) {
  mkdirSync(data, { recursive: true })
  const backup = await verifyBackup(from)
  const { pool, close } = await connectToDatabase(
    { connectionString: url },
    { max: 2, log: createLog('silent'), timeLimits: DATABASE_TIME_LIMIT_PRESETS.command },
  )
  try {
    return await restoreBackup({ pool, root: data, backup, now, documents, isForced })
  } finally {
    await close()
  }
}

/** Every row of every table as text, without values that differ between servers and data folders. */
export async function readAllRows(url: string): Promise<Map<string, string[]>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not like 'kysely%' and relname not in ('node', 'dead_node', 'document_place', 'stored_file', 'stored_file_chunk')
      and relname not in ('recording', 'recording_chunk', 'recording_line') order by 1`,
  )
  const all = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select (to_jsonb(t) - 'written_by' - 'document_size' - 'flushed_count')::text as row from "${name}" t`,
    )
    all.set(name, rows.map(({ row }) => row).toSorted())
  }
  await client.end()
  return all
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.folder-id')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

export const isOperatorError = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorError && pattern.test(error.message)

import { createWriteStream } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../db/database.ts'
import { listTablesCreatedByMigrations, readAppliedMigrations } from '../../db/migrate.ts'
import type { Database } from '../../db/schema.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { createFoldersSync } from '../../lib/files/folders.ts'
import { readCommentsOfMeeting } from '../../meetings/line-notes.ts'
import { writeMarkdown } from '../../meetings/transcript/markdown-format.ts'
import { readTranscript } from '../../meetings/transcript/read-transcript.ts'
import { readRecordedPlace } from '../../projects/document-place.ts'
import { readActionItemsOfMeeting } from '../../recap/store/action-items.ts'
import { findStoredRecap } from '../../recap/store/stored-recap.ts'
import { createFolderFiles, createDatabaseFiles, type UserFiles } from './data-files.ts'
import { FILE_TABLES } from './backup-tables.ts'

export type ExportCounts = { meetings: number; screenshots: number; tables: number; files: number }

const README = `# Export of a Hansard instance

| Folder | Contents |
|---|---|
| \`meetings/\` | each meeting: its transcript as \`.md\`, and all its data with its recap, action items and comments as \`.json\` |
| \`evidence/\` | screenshots of meeting pages where a bot failed: \`<meeting>-<number>.jpg\`; details are in \`tables/evidence.jsonl\` |
| \`tables/\` | every table of the database, one row of JSON per line; keys, passwords and secrets are left out |
| \`deployed-md-files/\`, \`scheduled-prompts/\` | documents and prompts, as in the data folder |

Callback URLs of meetings are included in full and may contain secrets, so keep this folder private.

These are plain files to read or to use elsewhere. To move an instance, use \`hansard backup\`.
`

/** Secret columns that are not exported, in addition to all columns of type bytea. */
const SECRET_COLUMNS = ['password_hash']
const ROWS_PER_FETCH = 500
/** Access for this account only, as in the data folder. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Exports all data of the instance except secrets, as plain files, into a new or empty folder. Reads one consistent
 * snapshot of the database.
 */
export async function exportInstance(
  db: Db,
  dataFolder: string,
  outputFolder: string,
): Promise<ExportCounts> {
  await createEmptyFolder(outputFolder)
  await writeFile(join(outputFolder, 'README.md'), README, { mode: FILE_MODE })
  const { place } = await readRecordedPlace(db)
  const counts = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      meetings: await exportMeetings(tx, join(outputFolder, 'meetings')),
      screenshots: await exportScreenshots(tx, join(outputFolder, 'evidence')),
      tables: await exportTables(tx, join(outputFolder, 'tables')),
      files: place === 'database' ? await exportFiles(createDatabaseFiles(tx), outputFolder) : 0,
    }))
  if (place === 'database') return counts
  return { ...counts, files: await exportFiles(createFolderFiles(dataFolder), outputFolder) }
}

async function createEmptyFolder(folder: string): Promise<void> {
  try {
    createFoldersSync(folder, FOLDER_MODE)
  } catch (error) {
    throw new OperatorError(
      `${folder} could not be created: ${errorMessageOf(error)}`,
      'Choose a new or empty folder',
      error,
    )
  }
  const [first] = await readdir(folder)
  if (first !== undefined) {
    throw new OperatorError(`${folder} is not empty (${first})`, 'Choose a new or empty folder')
  }
}

async function exportMeetings(tx: Transaction<Database>, folder: string): Promise<number> {
  await mkdir(folder, { mode: FOLDER_MODE })
  let count = 0
  for await (const { id } of streamRows<{ id: string }>(tx, sql`select id from meeting`)) {
    const { meeting, segments, source } = await readTranscript(tx, id)
    const { participants, gaps, insights } = source
    const recap = await readRecap(tx, id)
    const comments = await readCommentsOfMeeting(tx, id)
    const data = { ...meeting, participants, segments, gaps, insights, recap, comments }
    const json = JSON.stringify(data, null, 2)
    await writeFile(join(folder, `${id}.json`), `${json}\n`, { mode: FILE_MODE })
    await writeFile(join(folder, `${id}.md`), Readable.from(writeMarkdown(source)), {
      mode: FILE_MODE,
    })
    count += 1
  }
  return count
}

async function readRecap(tx: Transaction<Database>, meetingId: string): Promise<object | null> {
  const stored = await findStoredRecap(tx, meetingId)
  if (stored === null || stored.content === null) return null
  const { content, method, model, error, madeAt } = stored
  const actions = await readActionItemsOfMeeting(tx, meetingId)
  return { method, model, error, madeAt, ...content, actions }
}

/** Reads screenshots one at a time, because each can be several megabytes. */
async function exportScreenshots(tx: Transaction<Database>, folder: string): Promise<number> {
  await mkdir(folder, { mode: FOLDER_MODE })
  let count = 0
  const query = sql`select meeting_id as id, number from evidence where screenshot is not null`
  for await (const { id, number } of streamRows<{ id: string; number: number }>(tx, query)) {
    const { screenshot } = await tx
      .selectFrom('evidence')
      .select('screenshot')
      .where('meeting_id', '=', id)
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    if (screenshot === null) continue
    await writeFile(join(folder, `${id}-${number}.jpg`), screenshot, { mode: FILE_MODE })
    count += 1
  }
  return count
}

async function exportTables(tx: Transaction<Database>, folder: string): Promise<number> {
  await mkdir(folder, { mode: FOLDER_MODE })
  const applied = await readAppliedMigrations(tx)
  const created = await listTablesCreatedByMigrations(applied)
  const names = created.filter((name) => !FILE_TABLES.includes(name))
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname = any(${names}) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid <> 'bytea'::regtype and a.attname <> all(${SECRET_COLUMNS})
    group by c.relname order by c.relname`.execute(tx)
  for (const { name, columns } of rows) {
    const list = sql.join(columns.map((column) => sql.ref(column)))
    const query = sql`select row_to_json(row) as json from (select ${list} from ${sql.table(name)}) row`
    const lines = toJsonLines(streamRows<{ json: unknown }>(tx, query))
    await pipeline(lines, createWriteStream(join(folder, `${name}.jsonl`), { mode: FILE_MODE }))
  }
  return rows.length
}

async function* toJsonLines(rows: AsyncIterable<{ json: unknown }>): AsyncGenerator<string> {
  for await (const { json } of rows) yield `${JSON.stringify(json)}\n`
}

/** Streams the rows of a query through a cursor, so that they need not fit into memory. */
async function* streamRows<T>(
  tx: Transaction<Database>,
  query: ReturnType<typeof sql>,
): AsyncGenerator<T, void, undefined> {
  await sql`declare rows no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<T>`fetch ${sql.lit(ROWS_PER_FETCH)} from rows`.execute(tx)
    yield* rows
    if (rows.length < ROWS_PER_FETCH) break
  }
  await sql`close rows`.execute(tx)
}

async function exportFiles(files: UserFiles, folder: string): Promise<number> {
  let count = 0
  for await (const { path, isFile } of files.walk()) {
    await using file = isFile ? await files.open(path) : null
    if (file === null) continue
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE })
    try {
      await pipeline(file.chunks(), createWriteStream(target, { flags: 'wx', mode: FILE_MODE }))
      count += 1
    } catch (error) {
      // On a case-insensitive disk, skips a file whose name differs from another one only in case.
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  return count
}

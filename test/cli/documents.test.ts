import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase, DATABASE_TIME_LIMIT_PRESETS } from '../../src/db/database.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { createLog } from '../../src/log.ts'
import { moveDocuments, type MoveOptions } from '../../src/operations/documents/move-documents.ts'
import { readRecordedPlace, recordPlace } from '../../src/projects/document-place.ts'
import { listStoredFiles, openStoredFile } from '../../src/projects/files/store/stored-files.ts'
import { listFiles } from '../backup/backup-helpers.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { runLoadedCommand, startLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { startService } from '../support/service/start-service.ts'

const FILES = 40

/** A data folder with documents and prompts, like that of a service in folder mode, and an empty database. */
async function openInstance(files = FILES) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const folder = stack.use(createTestDataFolder())
  const handle = await connectToDatabase(
    { connectionString: database.url },
    { max: 4, log: createLog('silent'), timeLimits: DATABASE_TIME_LIMIT_PRESETS.command },
  )
  stack.defer(() => handle.close())
  await migrateDatabase(handle.db)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder.data, path)), { recursive: true })
    writeFileSync(join(folder.data, path), text)
  }
  for (let n = 0; n < files; n += 1)
    write(`deployed-md-files/docs/api/${n % 7}/note ${n}.md`, `# Ünïcode ${n}\n`.repeat(n + 1))
  write('deployed-md-files/docs/api/empty.md', '')
  write('deployed-md-files/docs/api/large.bin', '\0x'.repeat(400_000))
  write('scheduled-prompts/team/mine.md', 'Mine\n')
  const options: MoveOptions = {
    ...handle,
    root: folder.data,
    to: 'database',
    skipsUnsupported: false,
    now: new Date('2026-11-16T12:00:00Z'),
    onProgress: () => undefined,
  }
  const env = { ...folder.env, DATABASE_URL: database.url }
  const opened = stack.move()
  return {
    data: folder.data,
    env,
    write,
    options,
    db: handle.db,
    url: database.url,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

type Instance = Awaited<ReturnType<typeof openInstance>>

function readFolder(data: string): Map<string, string> {
  const paths = listFiles(data).filter((path) =>
    /^(?:deployed-md-files|scheduled-prompts)\//.test(path),
  )
  return new Map(paths.map((path) => [path, readFileSync(join(data, path), 'latin1')]))
}

async function readStored({ db }: Instance): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const folder of ['deployed-md-files', 'scheduled-prompts'])
    for await (const { path } of listStoredFiles(db, folder))
      found.set(path, (await (await openStoredFile(db, path))?.read())?.toString('latin1') ?? '')
  return found
}

/** Kills a move's process as soon as it reports progress. */
async function killDuringMove({ env }: Instance, to: string): Promise<void> {
  await using move = startLoadedCommand(['documents', 'move', '--to', to], env)
  await move.waitForOutput(/copied and compared/)
  move.kill('SIGKILL')
  await move.waitForEnd()
}

test('a move is killed and continued, to the database and back, and every byte arrives', async () => {
  await using instance = await openInstance()
  const { data, env, db } = instance
  const before = readFolder(data)
  await killDuringMove(instance, 'database')
  const moved = await runLoadedCommand(['documents', 'move', '--to', 'database', '--json'], env)
  assert.equal(moved.code, 0, moved.stderr)
  assert.deepEqual(await readStored(instance), before)
  assert.equal((await readRecordedPlace(db)).place, 'database')
  assert.equal(existsSync(join(data, 'deployed-md-files')), false)
  const { kept } = JSON.parse(moved.stdout) as { kept: string[] }
  assert.equal(kept.length, 2)

  await killDuringMove(instance, 'folder')
  const back = await runLoadedCommand(['documents', 'move', '--to', 'folder'], env)
  assert.equal(back.code, 0, back.stderr)
  assert.match(back.stdout, new RegExp(`${FILES + 3} files|already are in the folder`))
  assert.deepEqual(readFolder(data), before)
  assert.equal((await readStored(instance)).size, 0)
  const status = await runLoadedCommand(['documents', 'status', '--json'], env)
  assert.partialDeepStrictEqual(JSON.parse(status.stdout), {
    place: 'folder',
    setting: 'folder',
    files: FILES + 3,
  })
})

test('a move that loses its lock stops before it changes where the documents are', async () => {
  await using instance = await openInstance(3)
  const { db, options } = instance
  let terminated = Promise.resolve()
  const endLock = async () => {
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  }
  const onProgress = ({ done }: { done: number }) => {
    if (done === 1) terminated = endLock()
  }
  await assert.rejects(
    moveDocuments({ ...options, onProgress }),
    /keeps nodes from starting was lost/,
  )
  await terminated
  assert.equal((await readRecordedPlace(db)).place, 'folder')
})

test('a move that is interrupted at any file is continued and follows what changed meanwhile', async () => {
  await using instance = await openInstance(6)
  const { data, options, write } = instance
  const interruptAfter = (count: number) => ({
    onProgress: ({ done }: { done: number }) => {
      if (done === count) throw new RangeError('interrupted')
    },
  })
  for (const count of [1, 4, 9])
    await assert.rejects(moveDocuments({ ...options, ...interruptAfter(count) }), RangeError)
  assert.equal((await readRecordedPlace(instance.db)).place, 'folder')
  write('deployed-md-files/docs/api/empty.md', 'no more')
  rmSync(join(data, 'deployed-md-files/docs/api/0/note 0.md'))
  const before = readFolder(data)
  const { files, alreadyCopied } = await moveDocuments(options)
  assert.deepEqual([files, alreadyCopied], [8, 7])
  assert.deepEqual(await readStored(instance), before)
  // A move that was killed after its last transaction leaves the old folders in place.
  write('scheduled-prompts/team/mine.md', 'left')
  const { wasMoved, kept } = await moveDocuments({ ...options, now: new Date() })
  assert.deepEqual([wasMoved, kept.length], [false, 1])

  const back = { ...options, to: 'folder' as const }
  await assert.rejects(moveDocuments({ ...back, ...interruptAfter(3) }), RangeError)
  write('deployed-md-files.part/docs/api/no such.md', 'of an earlier move')
  const report = await moveDocuments(back)
  assert.deepEqual([report.files, report.alreadyCopied], [8, 3])
  assert.deepEqual(readFolder(data), before)
})

test('a copy that was tampered with is copied again, and nothing is switched while one differs', async () => {
  await using instance = await openInstance(3)
  const { data, options, db } = instance
  const before = readFolder(data)
  await assert.rejects(
    moveDocuments({
      ...options,
      onProgress({ done }) {
        if (done === 6) throw new RangeError('before the switch')
      },
    }),
    RangeError,
  )
  await db
    .updateTable('stored_file_chunk')
    .set({ bytes: Buffer.from('x') })
    .execute()
  await moveDocuments(options)
  assert.deepEqual(await readStored(instance), before)
})

test('links are listed and refused before anything changes, or left behind on request', async () => {
  await using instance = await openInstance(1)
  const { data, options } = instance
  symlinkSync('/etc/hostname', join(data, 'deployed-md-files/docs/api/link.md'))
  await assert.rejects(moveDocuments(options), /api\/link\.md/)
  assert.equal((await readStored(instance)).size, 0)
  const { skipped } = await moveDocuments({ ...options, skipsUnsupported: true })
  assert.deepEqual(skipped, ['deployed-md-files/docs/api/link.md'])
})

test('documents are not moved from another data folder than that of the nodes', async () => {
  await using instance = await openInstance(2)
  await recordPlace(instance.db, { place: 'folder', folderId: 'id of the shared folder' })
  await assert.rejects(moveDocuments(instance.options), /not in .*: its id is not the one/)
  instance.write('deployed-md-files/docs/.folder-id', 'id of the shared folder\n')
  assert.equal((await moveDocuments(instance.options)).files, 5)
})

test('documents are not moved while a node runs', async () => {
  await using instance = await openInstance(1)
  const env = { DATABASE_URL: instance.url, HANSARD_DATA: instance.data }
  {
    await using _ = await startService(env)
    await assert.rejects(moveDocuments(instance.options), /Nodes of this instance are running/)
  }
  await moveDocuments(instance.options)
  await using moved = await startService({ ...env, HANSARD_DOCUMENTS: 'database' })
  assert.ok(moved.port > 0)
})

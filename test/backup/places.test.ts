import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectToDatabase, DATABASE_TIME_LIMIT_PRESETS } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { exportInstance } from '../../src/operations/backup/export.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { createProjectsClient } from '../support/projects-service.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { startService } from '../support/service/start-service.ts'
import { backUpTo, isOperatorError, readAllRows, restoreTo } from './backup-helpers.ts'

const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
const NOTE = 'deployed-md-files/docs/api/notes/a.md'

test('a backup of documents in the database is restored into a folder, and back into a database', async () => {
  const scratch = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'crossing-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const [first, second, third] = [
    stack.use(await createTestDatabase()),
    stack.use(await createTestDatabase()),
    stack.use(await createTestDatabase()),
  ]
  const [toFolder, toDatabase] = [join(scratch, 'one.tar.gz'), join(scratch, 'two.tar.gz')]
  const start = (url: string, data: string, documents: string) =>
    startService({
      DATABASE_URL: url,
      HANSARD_DATA: join(scratch, data),
      HANSARD_DOCUMENTS: documents,
      HANSARD_MASTER_KEY: MASTER_KEY,
    })
  let key: Record<string, string> = {}
  {
    await using service = await start(first.url, 'a', 'database')
    const program = await openMeetingsClient(service)
    key = program.key
    await createProjectsClient(service, key).put('/projects/api/documents/notes/a.md', '# Quinces')
    await backUpTo(first.url, join(scratch, 'a'), toFolder)
    await exportAndCheck(first.url, join(scratch, 'a'), join(scratch, 'export'))
  }
  const { files } = await restoreTo(second.url, join(scratch, 'b'), toFolder)
  assert.ok(files > 1)
  assert.equal(readFileSync(join(scratch, 'b', NOTE), 'utf8'), '# Quinces')
  assert.ok(existsSync(join(scratch, 'b/scheduled-prompts/daily-digest.md')))
  {
    await using service = await start(second.url, 'b', 'folder')
    await createProjectsClient(service, key).waitForResults('quinces', 1)
  }
  await backUpTo(second.url, join(scratch, 'b'), toDatabase)
  const restore = (isForced: boolean) =>
    restoreTo(third.url, join(scratch, 'c'), toDatabase, isForced, new Date(), 'database')
  assert.equal((await restore(false)).files, files)
  assert.equal(existsSync(join(scratch, 'c/deployed-md-files')), false)
  await assert.rejects(restore(false), isOperatorError(/not empty/))
  assert.equal((await restore(true)).files, files)
  await using service = await start(third.url, 'c', 'database')
  const projects = createProjectsClient(service, key)
  assert.equal((await projects.get('/projects/api/documents/notes/a.md')).text, '# Quinces')
  await projects.waitForResults('quinces', 1)
  const rows = await readAllRows(third.url)
  assert.equal(rows.get('document')?.length, 1)
})

async function exportAndCheck(url: string, data: string, folder: string): Promise<void> {
  const { db, close } = await connectToDatabase(
    { connectionString: url },
    { max: 2, log: createLog('silent'), timeLimits: DATABASE_TIME_LIMIT_PRESETS.command },
  )
  await exportInstance(db, data, folder)
  await close()
  assert.equal(readFileSync(join(folder, NOTE), 'utf8'), '# Quinces')
  assert.ok(existsSync(join(folder, 'tables/document.jsonl')))
  assert.equal(existsSync(join(folder, 'tables/stored_file.jsonl')), false)
}

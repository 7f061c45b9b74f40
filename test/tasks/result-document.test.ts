import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWriteLock, type WithWriteLock } from '../../src/projects/files/concurrent-writes.ts'
import { createDatabaseDocuments } from '../../src/projects/files/store/database-documents.ts'
import type { DocumentFiles } from '../../src/projects/files/store/document-files.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { saveResultDocument } from '../../src/tasks/running/result-document.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'

const REF = { project: 'api', path: 'log.md' }
const SETTINGS = {
  project: 'api',
  output: { save: true, path: 'log.md', mode: 'append' as const },
}

function resultOf(executionId: string, text: string) {
  const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, isEstimated: false }
  const at = new Date('2026-11-18T08:00:00Z')
  const rest = { model: 'm', usage, timezone: 'UTC', at, truncatedBy: null, sources: [] }
  return { taskName: 'daily', executionId, text, ...rest }
}

async function openPlaces() {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'result-'))
  stack.defer(() => rmSync(root, { recursive: true }))
  const places: DocumentFiles[] = [createFolderDocuments(root), createDatabaseDocuments(db)]
  const opened = stack.move()
  return { db, places, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function readText(files: DocumentFiles): Promise<string> {
  await using file = await files.open(REF)
  return file === null ? '' : (await file.read()).toString('utf8')
}

test('a result whose commit is not confirmed is appended once', async () => {
  await using opened = await openPlaces()
  const lock = createWriteLock(opened.db)
  let attempts = 0
  const unconfirmed: WithWriteLock = async (name, work) => {
    const result = await lock(name, work)
    attempts += 1
    if (attempts % 2 === 1) throw new Error('Connection terminated unexpectedly')
    return result
  }
  for (const files of opened.places) {
    for (const id of ['exec_1', 'exec_2'])
      await saveResultDocument(
        { files, withWriteLock: unconfirmed },
        SETTINGS,
        resultOf(id, `result of ${id}`),
      )
    assert.equal((await readText(files)).match(/result of exec_[12]/g)?.length, 2)
  }
  assert.equal(attempts, 8)
})

test('a task waits for the write lock of the document to which it appends', async () => {
  await using opened = await openPlaces()
  const withWriteLock = createWriteLock(opened.db)
  for (const files of opened.places) {
    const isLocked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const person = withWriteLock('api/log.md', async (tx) => {
      isLocked.resolve()
      await release.promise
      await files.inTransaction(tx).save(REF, 'of a person\n')
    })
    await isLocked.promise
    const task = saveResultDocument({ files, withWriteLock }, SETTINGS, resultOf('exec_1', 'text'))
    await waitForLockWaiters(opened.db, 'advisory', 1)
    release.resolve()
    await Promise.all([person, task])
    assert.match(
      await readText(files),
      /^of a person\n\n# daily .*\n<!-- executionId: exec_1 -->\n\ntext\n$/,
    )
  }
})

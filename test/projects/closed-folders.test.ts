import { strict as assert } from 'node:assert'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { connectToDatabase, type Db } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { openDocumentIndex } from '../../src/projects/index/document-index.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'

const UNPRIVILEGED_UID = 65_534

/** Drops root privileges, because root can read every folder, and creates a temporary folder. */
function runUnprivileged(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hansard-closed-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
    process.seteuid?.(UNPRIVILEGED_UID)
  }
  return {
    path,
    [Symbol.dispose]() {
      if (isRoot) process.seteuid?.(0)
      rmSync(path, { recursive: true })
    },
  }
}

async function listIndexed(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('document').select(['project', 'path']).execute()
  return rows.map(({ project, path }) => `${project}/${path}`).toSorted()
}

test('an unreadable folder stays in the index and does not affect other folders', async () => {
  await using database = await createTestDatabase()
  const log = createLog('silent')
  // A single permanent connection: the unprivileged process cannot open another one to the test server.
  const address = { connectionString: database.url, idleTimeoutMillis: 0 }
  const { db, close } = await connectToDatabase(address, { max: 1, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  using folder = runUnprivileged()
  const docs = join(folder.path, 'deployed-md-files/docs')
  const writeFile = (path: string) => {
    mkdirSync(dirname(join(docs, path)), { recursive: true })
    writeFileSync(join(docs, path), 'turnip')
  }
  for (const path of ['aaa/1.md', 'bbb/2.md', 'bbb/shut/in/3.md', 'bbb/dim/4.md', 'ccc/5.md']) {
    writeFile(path)
  }
  const setMode = (path: string, mode: number) => chmodSync(join(docs, path), mode)
  setMode('bbb/shut', 0)
  // File names can be listed, but the files cannot be read.
  setMode('bbb/dim', 0o400)
  {
    await using index = await openDocumentIndex({
      db,
      log,
      files: createFolderDocuments(folder.path),
      learnWords: () => undefined,
    })
    await index.ready
    assert.deepEqual(await listIndexed(db), ['aaa/1.md', 'bbb/2.md', 'ccc/5.md'])
    assert.equal(index.unreadableFolderCount(), 2)

    setMode('bbb/shut', 0o755)
    setMode('bbb/dim', 0o755)
    const all = ['aaa/1.md', 'bbb/2.md', 'bbb/dim/4.md', 'bbb/shut/in/3.md', 'ccc/5.md']
    await index.reconcile()
    assert.deepEqual(await listIndexed(db), all)
    assert.equal(index.unreadableFolderCount(), 0)

    setMode('bbb/shut', 0)
    setMode('aaa', 0)
    writeFile('ccc/6.md')
    await index.documentChanged({ project: 'bbb', path: 'shut/in/3.md' })
    await index.reconcile()
    assert.deepEqual(await listIndexed(db), [...all, 'ccc/6.md'])
    assert.equal(index.unreadableFolderCount(), 2)
  }
  for (const path of ['bbb/shut', 'aaa']) setMode(path, 0o755)
})

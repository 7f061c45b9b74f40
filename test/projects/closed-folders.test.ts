import { strict as assert } from 'node:assert'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openDatabase, type Db } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { openDocumentIndex } from '../../src/projects/index/document-index.ts'
import { createTestDatabase } from '../support/database/test-database.ts'

const NOBODY = 65_534

/** Runs this process without the rights of root, to whom every folder is open, and gives it a folder of its own. */
function asNobody(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hansard-closed-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chownSync(path, NOBODY, NOBODY)
    process.seteuid?.(NOBODY)
  }
  return {
    path,
    [Symbol.dispose]() {
      if (isRoot) process.seteuid?.(0)
      rmSync(path, { recursive: true })
    },
  }
}

async function documentsIn(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('document').select(['project', 'path']).execute()
  return rows.map(({ project, path }) => `${project}/${path}`).toSorted()
}

test('a folder that cannot be read costs neither the others their place nor itself what the index has', async () => {
  await using database = await createTestDatabase()
  const log = createLog('silent')
  // One connection that stays: nobody may open another one to the server of the tests.
  const address = { connectionString: database.url, idleTimeoutMillis: 0 }
  const { db, close } = await openDatabase(address, { max: 1, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  using folder = asNobody()
  const docs = join(folder.path, 'deployed-md-files/docs')
  const drop = (path: string) => {
    mkdirSync(dirname(join(docs, path)), { recursive: true })
    writeFileSync(join(docs, path), 'turnip')
  }
  for (const path of ['aaa/1.md', 'bbb/2.md', 'bbb/shut/in/3.md', 'bbb/dim/4.md', 'ccc/5.md']) {
    drop(path)
  }
  const shut = (path: string, mode: number) => chmodSync(join(docs, path), mode)
  shut('bbb/shut', 0)
  // Names can be read, and nothing else.
  shut('bbb/dim', 0o400)
  {
    await using index = await openDocumentIndex({
      db,
      log,
      root: folder.path,
      learnWords: () => undefined,
    })
    await index.ready
    assert.deepEqual(await documentsIn(db), ['aaa/1.md', 'bbb/2.md', 'ccc/5.md'])
    assert.equal(index.unreadableFolderCount(), 2)

    shut('bbb/shut', 0o755)
    shut('bbb/dim', 0o755)
    const all = ['aaa/1.md', 'bbb/2.md', 'bbb/dim/4.md', 'bbb/shut/in/3.md', 'ccc/5.md']
    await index.reconcile()
    assert.deepEqual(await documentsIn(db), all)
    assert.equal(index.unreadableFolderCount(), 0)

    shut('bbb/shut', 0)
    shut('aaa', 0)
    drop('ccc/6.md')
    await index.documentChanged({ project: 'bbb', path: 'shut/in/3.md' })
    await index.reconcile()
    assert.deepEqual(await documentsIn(db), [...all, 'ccc/6.md'])
    assert.equal(index.unreadableFolderCount(), 2)
  }
  for (const path of ['bbb/shut', 'aaa']) shut(path, 0o755)
})

import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '../../src/log.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import {
  readProjectIds,
  createUnreadableFolderTracker,
} from '../../src/projects/index/index-store.ts'
import { reconcileIndex } from '../../src/projects/index/reconcile.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'

test('a reconciliation that is aborted looks at no further project', async () => {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'abort-'))
  stack.defer(() => rmSync(root, { recursive: true }))
  const files = createFolderDocuments(root)
  for (const project of ['a', 'b', 'c']) await files.replace({ project, path: 'x.md' }, ['text'])
  const log = createLog('silent')
  const aborting = new AbortController()
  await reconcileIndex({
    db,
    log,
    files,
    root,
    signal: aborting.signal,
    learnWords: () => {},
    unreadableFolders: createUnreadableFolderTracker(log),
    onFolder: (folder) => folder === 'a' && aborting.abort(),
  })
  assert.deepEqual(await readProjectIds(db), ['a'])
})

import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { connectToDatabase, DATABASE_TIME_LIMIT_PRESETS, type Db } from '../../src/db/database.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { createDocumentStore } from '../../src/projects/documents.ts'
import { createDatabaseDocuments } from '../../src/projects/files/store/database-documents.ts'
import type { DocumentFiles } from '../../src/projects/files/store/document-files.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { openDocumentIndex } from '../../src/projects/index/document-index.ts'
import { createPromptStore } from '../../src/tasks/prompts/editing/prompt-store.ts'
import { createDatabasePrompts } from '../../src/tasks/prompts/store/database-prompts.ts'
import { createFolderPrompts } from '../../src/tasks/prompts/store/folder-prompts.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'

const UNCONDITIONALLY = { ifMatch: undefined, ifNoneMatch: undefined }
const ACTOR = { name: 'test', ip: null }

/** A node whose pool has one connection. A caller that needs a second one is refused, because none becomes free. */
async function openSmallNode() {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await createTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'lock-'))
  stack.defer(() => rmSync(root, { recursive: true }))
  const log = createLog('silent')
  const timeLimits = { ...DATABASE_TIME_LIMIT_PRESETS.service, connect: 20_000 }
  const { db, close } = await connectToDatabase(
    { connectionString: url },
    { max: 1, log, timeLimits },
  )
  stack.defer(close)
  const opened = stack.move()
  const openStore = async (files: DocumentFiles, onRegister: (tx: Db) => void = () => {}) => {
    const index = opened.use(await openDocumentIndex({ db, log, files, learnWords: () => {} }))
    await index.ready
    const registerProject = async (tx: Db) => onRegister(tx)
    return createDocumentStore({
      db,
      files,
      index,
      registerProject,
      clock: systemClock,
      hasDiskSpace: () => true,
      onSaved: () => {},
    })
  }
  return { db, root, openStore, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('documents are saved and removed with a single database connection', async () => {
  await using node = await openSmallNode()
  for (const files of [createFolderDocuments(node.root), createDatabaseDocuments(node.db)]) {
    const store = await node.openStore(files)
    const ref = { project: 'p', path: 'a.md' }
    const saves = ['one', 'two', 'three'].map((text) =>
      store.write(INSTANCE_VIEWER, ref, text, UNCONDITIONALLY),
    )
    const saved = await Promise.all(saves)
    assert.deepEqual(
      saved.map(({ isNew }) => isNew),
      [true, false, false],
    )
    await store.remove('p', 'a.md', UNCONDITIONALLY, ACTOR)
    assert.equal(await files.readInfo(ref), null)
  }
})

test('a project is registered in a transaction that is committed before its folder exists', async () => {
  await using node = await openSmallNode()
  const folder = join(node.root, 'deployed-md-files/docs/p')
  const registered: Array<{ isCommitted: boolean; hasFolder: boolean }> = []
  const store = await node.openStore(createFolderDocuments(node.root), (tx) =>
    registered.push({ isCommitted: !tx.isTransaction, hasFolder: existsSync(folder) }),
  )
  const ref = { project: 'p', path: 'a.md' }
  await store.write(INSTANCE_VIEWER, ref, 'one', UNCONDITIONALLY)
  assert.deepEqual(registered[0], { isCommitted: true, hasFolder: false })
  const changed = store.write(INSTANCE_VIEWER, { ...ref, project: 'q' }, 'one', {
    ...UNCONDITIONALLY,
    ifMatch: '"other"',
  })
  await assert.rejects(changed, { code: 'precondition_failed' })
  assert.equal(registered.length, 2)
})

test('prompts are saved and removed with a single database connection', async () => {
  await using node = await openSmallNode()
  const folder = node.root
  for (const promptFiles of [createFolderPrompts(folder), createDatabasePrompts(node.db)]) {
    const store = createPromptStore({
      db: node.db,
      promptFiles,
      builtIns: new Map(),
      hasDiskSpace: () => true,
      checkText: async () => ({ notes: [], prompt: null, variables: [] }),
    })
    const changes: string[] = []
    const record = async (_: Db, change: string) => void changes.push(change)
    for (const text of ['one', 'two'])
      await store.write(INSTANCE_VIEWER, { name: 'a', text }, UNCONDITIONALLY, record)
    assert.equal((await store.read(INSTANCE_VIEWER, 'a')).text, 'two')
    await store.remove(INSTANCE_VIEWER, 'a', UNCONDITIONALLY, record)
    assert.deepEqual(changes, ['prompt created', 'prompt changed', 'prompt removed'])
  }
})

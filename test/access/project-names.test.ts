import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createProjectAccessStore } from '../../src/access/project-access.ts'
import { mayUseProject } from '../../src/access/project-use.ts'
import { claimProjectName } from '../../src/access/registered-projects.ts'
import { mayAccess } from '../../src/access/subjects.ts'
import { INSTANCE_VIEWER, type Viewer } from '../../src/access/viewer.ts'
import { connectToDatabase, type Db } from '../../src/db/database.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import {
  readProjectIds,
  createUnreadableFolderTracker,
} from '../../src/projects/index/index-store.ts'
import { reconcileIndex } from '../../src/projects/index/reconcile.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import {
  createTestDatabase,
  openTestDatabase,
  requireEnv,
} from '../support/database/test-database.ts'

const log = createLog('silent')
const storeOf = (db: Db) =>
  createProjectAccessStore({ db, clock: systemClock, defaultAccess: 'private' })

async function addUser(db: Db, userId: string): Promise<Viewer> {
  await sql`insert into app_user (id, email, name, role, password_hash)
    values (${userId}, ${`${userId}@example.com`}, ${userId}, 'member', 'x')`.execute(db)
  return { kind: 'user', userId, role: 'member', projects: null }
}

test('nobody gets the id of a project in other letter case, with the error of a hidden project', async () => {
  await using opened = await openTestDatabase()
  const { db } = opened
  const store = storeOf(db)
  const owner = await addUser(db, 'ada')
  const other = await addUser(db, 'bob')
  await store.registerProject(db, owner, 'Größe')
  const hidden = { code: 'project_not_found' }
  await assert.rejects(store.registerProject(db, other, 'Größe'), hidden)
  for (const id of ['größe', 'GRÖSSE', 'GRÖẞE']) {
    for (const viewer of [other, owner, INSTANCE_VIEWER]) {
      await assert.rejects(store.registerProject(db, viewer, id), hidden)
      assert.equal(await mayUseProject(db, viewer, 'read', id), false)
    }
    assert.equal(await mayAccess(db, other, { kind: 'new_project', id, action: 'edit' }), false)
  }
  await store.registerProject(db, owner, 'Größe')
  await store.registerProject(db, other, 'Grösse 2')
})

test('nobody takes the default project by its id in other letter case', async () => {
  await using opened = await openTestDatabase()
  const { db } = opened
  const viewer = await addUser(db, 'ada')
  await assert.rejects(storeOf(db).registerProject(db, viewer, 'API'), {
    code: 'project_not_found',
  })
  await storeOf(db).registerProject(db, viewer, 'api')
})

test('of two concurrent requests for one name in different letter case, one creates its project', async () => {
  await using opened = await openTestDatabase()
  const { db } = opened
  const first = Promise.withResolvers<void>()
  const isFirstClaimed = Promise.withResolvers<boolean>()
  const creation = db.transaction().execute(async (tx) => {
    isFirstClaimed.resolve(await claimProjectName(tx, 'Secret'))
    await first.promise
  })
  assert.equal(await isFirstClaimed.promise, true)
  const second = claimProjectName(db, 'secret')
  await waitForLockWaiters(db, 'transactionid', 1)
  first.resolve()
  await creation
  assert.equal(await second, false)
})

test('the index leaves out a folder whose name is that of another project in other letter case', async () => {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'twin-'))
  stack.defer(() => rmSync(root, { recursive: true }))
  await storeOf(db).registerProject(db, await addUser(db, 'ada'), 'Secret')
  const files = createFolderDocuments(root)
  for (const project of ['secret', 'team']) await files.replace({ project, path: 'x.md' }, ['text'])
  const unreadableFolders = createUnreadableFolderTracker(log)
  const reconcile = () =>
    reconcileIndex({
      db,
      log,
      files,
      root,
      learnWords: () => {},
      unreadableFolders,
      onFolder: () => {},
    })
  await reconcile()
  assert.deepEqual(await readProjectIds(db), ['team'])
  assert.equal(unreadableFolders.count(), 1)
})

test('the migration keeps projects whose ids differ only in letter case, and allows no further one', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const { db, close } = await connectToDatabase({ connectionString: empty.url }, { max: 2, log })
  await migrateDatabase(db, '0031-stored-files')
  await sql`insert into project (id) values ('Sales'), ('sales'), ('Other')`.execute(db)
  await sql`insert into project_access (project, access, created_at) values ('SALES', 'private', now())`.execute(
    db,
  )
  await migrateDatabase(db)
  const ids = ['Sales', 'sales', 'SALES', 'sAles', 'Other', 'other']
  const claimed = await Promise.all(ids.map((id) => claimProjectName(db, id)))
  await close()
  assert.deepEqual(claimed, [true, true, true, false, true, false])
})

import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { moveMeeting } from '../../src/meetings/editing/move-meeting.ts'
import { formatPathInDataFolder } from '../../src/projects/document-ref.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { createRandomName } from '../support/access/random-name.ts'
import { openDatabaseProxy } from '../support/database/database-proxy.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { seedMeeting } from '../support/meetings/seed-meeting.ts'

let world: AccessWorld
let owner: Credentials & { userId: string }
let other: Credentials & { userId: string }
before(async () => {
  world = await startAccessWorld({ HANSARD_DEFAULT_ACCESS: 'private' })
  owner = await world.addUser()
  other = await world.addUser()
})
after(() => world[Symbol.asyncDispose]())

test('moving a meeting moves its document, and needs the right to change both projects', async () => {
  const [from, to] = [createRandomName(), createRandomName()]
  await world.write(owner.key, from)
  await world.write(other.key, to)
  const started = await world.call(owner.key, 'POST', '/api/v1/meetings/start', {
    url: 'practice://standup?speed=1000',
    callbackUrl: 'listen:x',
    project: from,
  })
  const id = String(started.body['meetingId'])
  const path = `/api/v1/meetings/${id}`
  await world.waitForEnd(id)
  assert.equal((await world.call(owner.key, 'PATCH', path, { project: to })).status, 404)
  await world.addMember(to, owner.userId, 'editor')
  // An editor could otherwise show a private meeting to everyone.
  await world.addMember(from, other.userId, 'editor')
  assert.equal((await world.call(other.key, 'PATCH', path, { project: to })).status, 403)
  const scoped = await world.addToken({ creatorId: owner.userId, scopes: ['meetings'] })
  const refused = await world.call(scoped.key, 'PATCH', path, { project: to })
  assert.deepEqual([refused.status, refused.body['code']], [403, 'missing_scope'])
  const old = String(started.body['documentPath'])
  const moved = await world.call(owner.key, 'PATCH', path, { project: to })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  const documentPath = String(moved.body['documentPath'])
  assert.ok(!existsSync(join(world.dataFolder, old)))
  assert.match(
    readFileSync(join(world.dataFolder, documentPath), 'utf8'),
    new RegExp(`^project: "${to}"$`, 'm'),
  )
  assert.equal((await world.call(other.key, 'GET', `${path}/transcript`)).status, 200)
  const { meetings } = (await world.call(other.key, 'GET', `/api/v1/projects/${to}/meetings`))
    .body as {
    meetings: Array<{ meetingId: string }>
  }
  assert.deepEqual(
    meetings.map(({ meetingId }) => meetingId),
    [id],
  )
  const left = await world.call(owner.key, 'GET', `/api/v1/projects/${from}/meetings`)
  assert.deepEqual(left.body['meetings'], [])

  // As if the service was killed before it committed a move: the file is already in the other project.
  const last = createRandomName()
  await world.write(owner.key, last)
  const movedPath = documentPath.replace(to, last)
  const [file, movedFile] = [documentPath, movedPath].map((one) => join(world.dataFolder, one))
  assert.ok(file !== undefined && movedFile !== undefined)
  const text = readFileSync(file, 'utf8').replace(`project: "${to}"`, `project: "${last}"`)
  mkdirSync(dirname(movedFile))
  writeFileSync(movedFile, text)
  rmSync(file)
  await world.addMember(to, owner.userId, 'owner')
  const again = await world.call(owner.key, 'PATCH', path, { project: last })
  assert.equal(again.body['documentPath'], movedPath)
  assert.equal(readFileSync(movedFile, 'utf8'), text)
  const { size } = await world.db
    .selectFrom('meeting')
    .select('document_size as size')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(size, Buffer.byteLength(text))

  // The old text is no longer searchable when the move is committed.
  let indexed = -1
  const parts = {
    db: world.db,
    files: createFolderDocuments(world.dataFolder),
    documentChanged: async () => {},
  }
  await moveMeeting(parts, INSTANCE_VIEWER, { id, project: from }, async (tx) => {
    const rows = tx.selectFrom('document').select('id').where('project', '=', last)
    indexed = (await rows.where('meeting_id', '=', id).execute()).length
  })
  assert.equal(indexed, 0)
})

test('a meeting that has not ended is not moved, and its new project is not created', async () => {
  const [from, to] = [createRandomName(), createRandomName()]
  const started = await world.call(owner.key, 'POST', '/api/v1/meetings/start', {
    url: 'practice://long',
    callbackUrl: 'listen:x',
    project: from,
  })
  const path = `/api/v1/meetings/${String(started.body['meetingId'])}`
  const refused = await world.call(owner.key, 'PATCH', path, { project: to })
  assert.deepEqual([refused.status, refused.body['code']], [409, 'meeting_active'])
  assert.equal((await world.call(owner.key, 'GET', `/api/v1/projects/${to}/access`)).status, 404)
  assert.equal(await world.write(other.key, to), 201)
})

test('a move whose commit is not confirmed leaves the document in the project of the meeting', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const proxy = stack.use(await openDatabaseProxy(database.url))
  const log = createLog('silent')
  const { db, close } = await connectToDatabase({ connectionString: proxy.url }, { max: 2, log })
  stack.defer(close)
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'move-'))
  stack.defer(() => rmSync(root, { recursive: true }))
  const files = createFolderDocuments(root)
  const path = 'meetings/talk.md'
  const [before, after] = ['old', 'new'].map((project) => formatPathInDataFolder({ project, path }))
  assert.ok(before !== undefined && after !== undefined)
  await files.replace({ project: 'old', path }, ['---\nproject: "old"\n---\n'])
  const id = await seedMeeting(db, { status: 'ended', project: 'old', document_path: before })
  const parts = { db, files, documentChanged: async () => {} }
  const move = (beforeCommit: () => Promise<void>) =>
    moveMeeting(parts, INSTANCE_VIEWER, { id, project: 'new' }, beforeCommit)
  const filesThere = () => [before, after].map((one) => existsSync(join(root, one)))

  await assert.rejects(
    move(() => Promise.reject(new Error('refused'))),
    /refused/,
  )
  assert.deepEqual(filesThere(), [true, false])
  await assert.rejects(move(async () => proxy.dropResponseTo('commit')))
  const { project } = await db.selectFrom('meeting').select('project').executeTakeFirstOrThrow()
  assert.equal(project, 'new')
  assert.deepEqual(filesThere(), [false, true])
})

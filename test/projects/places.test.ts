import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { createProjectsClient, writeProjectFile } from '../support/projects-service.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { FEWEST_CONNECTIONS, startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

function createFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'place-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const PROMPT = '---\nbuiltin: stats\noutput: { save: true }\n---\nToday is {{ date }}.\n'

test('nodes without a common folder share documents, transcripts and prompts in the database', async () => {
  using folderOfA = createFolder()
  using folderOfB = createFolder()
  const env = { HANSARD_MASTER_KEY: MASTER_KEY, HANSARD_DOCUMENTS: 'database' }
  await using database = await createTestDatabase()
  const nodeEnv = { ...env, DATABASE_URL: database.url }
  await using stack = new AsyncDisposableStack()
  const a = stack.use(await startService({ ...nodeEnv, HANSARD_DATA: folderOfA.path }))
  await using b = await startService({ ...nodeEnv, HANSARD_DATA: folderOfB.path })
  const program = await openMeetingsClient(a)
  const [onA, onB] = [a, b].map((node) => createProjectsClient(node, program.key))
  assert.ok(onA && onB)

  const url = '/projects/shared/documents/notes/plan.md'
  const saved = await onA.put(url, '# Plan\n\nBuy quinces.\n', { 'if-none-match': '*' })
  assert.equal(saved.status, 201, JSON.stringify(saved.body))
  const read = await onB.get(url)
  assert.match(read.text, /quinces/)
  const etag = String(read.headers.get('etag'))
  assert.equal((await onB.search({ q: 'quinces' })).length, 1)
  assert.deepEqual(await onB.paths('shared'), ['notes/plan.md'])
  assert.equal((await onB.put(url, 'Buy pears.', { 'if-match': etag })).status, 200)
  assert.equal(
    (await onA.put(url, 'Lost', { 'if-match': etag })).body['code'],
    'precondition_failed',
  )
  const taken = await onA.put('/projects/shared/documents/notes/plan.md/x.md', 'x')
  assert.equal(taken.body['code'], 'path_taken')
  assert.equal((await onA.remove(url)).status, 200)
  assert.equal((await onB.get(url)).status, 404)
  assert.deepEqual(await onB.search({ q: 'pears' }), [])

  const meetingId = await program.start('practice://standup?speed=200', { project: 'shared' })
  const { documentPath } = (await program.waitForStatus(meetingId)) as { documentPath: string }
  const path = documentPath.replace('deployed-md-files/docs/shared/', '')
  const transcript = await onB.get(`/projects/shared/documents/${encodeURIComponent(path)}`)
  assert.match(transcript.text, new RegExp(`meetingId: "${meetingId}"`))
  assert.match(transcript.text, /status: "completed"/)
  assert.deepEqual(await onB.paths('shared'), [path])

  // Renaming, moving, importing and removing write documents inside their transactions.
  const at = (project: string, to: string) =>
    onB.get(`/projects/${project}/documents/${encodeURIComponent(to)}`)
  const change = (fields: object) => program.ask('PATCH', `/meetings/${meetingId}`, fields)
  assert.equal((await change({ title: 'Renamed' })).status, 200)
  assert.match((await at('shared', path)).text, /title: "Renamed"/)
  assert.equal((await change({ project: 'other' })).status, 200)
  assert.equal((await at('shared', path)).status, 404)
  assert.match((await at('other', path)).text, /project: "other"/)
  assert.equal((await program.remove(`/${meetingId}`)).status, 200)
  assert.equal((await at('other', path)).status, 404)
  const content = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Good morning.\n'
  const imported = await program.post('/import', { content, project: 'shared', title: 'Old call' })
  assert.equal(imported.status, 201, JSON.stringify(imported.body))
  const [importedPath = ''] = await onB.paths('shared')
  assert.match((await at('shared', importedPath)).text, /Good morning/)

  const { admin } = program
  const written = await admin.put(
    '/web/prompt-files/team/daily',
    { text: PROMPT },
    { 'if-none-match': '*' },
  )
  assert.equal(written.status, 201, JSON.stringify(written.body))
  const prompts = (await onB.get('/prompts')).body['prompts'] as Array<{ name: string }>
  assert.ok(prompts.some(({ name }) => name === 'team/daily'))
  assert.ok(prompts.some(({ name }) => name === 'daily-digest'))
  const task = { name: 'daily', promptName: 'team/daily', schedule: '0 5 1 1 *' }
  assert.equal((await program.ask('POST', '/tasks', task)).status, 201)
  await stack.disposeAsync()
  const onlyB = (method: string, to: string, body?: unknown) =>
    b.anonymousClient().request(method, `/api/v1${to}`, body, program.key)
  const { body: run } = await onlyB('POST', '/tasks/daily/run', {})
  const execution = await eventually(async () => {
    const { body } = await onlyB('GET', `/executions/${String(run['executionId'])}`)
    const found = body['execution'] as Record<string, unknown>
    return ['completed', 'failed'].includes(String(found['status'])) ? found : null
  })
  assert.equal(execution['status'], 'completed', JSON.stringify(execution))
  assert.match(String(execution['documentPath']), /^deployed-md-files\/docs\/.*\.md$/)

  for (const { path: folder } of [folderOfA, folderOfB]) {
    assert.equal(existsSync(join(folder, 'deployed-md-files')), false)
    assert.equal(existsSync(join(folder, 'scheduled-prompts')), false)
  }
})

const isRefusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorError && pattern.test(`${error.message} ${error.fix ?? ''}`)

test('a node whose documents are elsewhere than those of the instance does not start', async () => {
  using folder = createFolder()
  using other = createFolder()
  await using database = await createTestDatabase()
  const start = async (env: Record<string, string>) =>
    startService({
      HANSARD_MASTER_KEY: MASTER_KEY,
      DATABASE_URL: database.url,
      ...FEWEST_CONNECTIONS,
      ...env,
    })
  const own = { HANSARD_DATA: folder.path }
  const elsewhere = { HANSARD_DATA: other.path }
  const inDatabase = { HANSARD_DOCUMENTS: 'database', ...own }
  {
    // Nothing is stored, so the place may change with the setting.
    await using _ = await start(inDatabase)
    await assert.rejects(start(elsewhere), isRefusal(/HANSARD_DOCUMENTS=database.*same setting/))
  }
  {
    await using _ = await start(own)
    await assert.rejects(start(elsewhere), isRefusal(/another documents folder.*Mount the same/))
    await assert.rejects(start(inDatabase), isRefusal(/running nodes.*hansard documents move/))
    await using second = await start(own)
    assert.ok(second.port > 0)
  }
  writeProjectFile(folder.path, 'api/note.md', '# Note')
  await assert.rejects(start(inDatabase), isRefusal(/are in the folder.*move --to database/))
  {
    await using _ = await start(elsewhere)
  }
  {
    await using again = await start(own)
    const { key } = await openMeetingsClient(again)
    await createProjectsClient(again, key).waitForDocuments('api', ['note.md'])
  }
})

test('of two nodes that start together with different folders only one starts', async () => {
  using folder = createFolder()
  using other = createFolder()
  await using database = await createTestDatabase()
  await using stack = new AsyncDisposableStack()
  const started = await Promise.allSettled(
    [folder, other].map(async ({ path }) => {
      const env = { HANSARD_DATA: path, HANSARD_MASTER_KEY: MASTER_KEY }
      return stack.use(await startService({ ...env, DATABASE_URL: database.url }))
    }),
  )
  assert.deepEqual(started.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

import { strict as assert } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { startLoopbackServer } from '../support/callbacks/loopback-receivers.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { startProgram } from '../support/service/run-program.ts'
import {
  createTestDataFolder,
  CURRENT_NODE,
  LAUNCHER,
  signInAsAdmin,
  startServiceProcess,
  waitForNoProcesses,
} from '../support/service/service-process.ts'
import { createTaskCalls } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

/** Accepts connections and never answers. */
async function openSilentServer() {
  return startLoopbackServer(createServer((socket) => void socket.resume()))
}

test('a service stops in time while a model and a receiver never answer', async () => {
  await using model = await openSilentServer()
  await using receiver = await openSilentServer()
  await using folder = await createInitializedDataFolder()
  const prompts = join(folder.data, 'scheduled-prompts')
  mkdirSync(prompts, { recursive: true })
  writeFileSync(join(prompts, 'p.md'), 'Write one word.\n')
  const env = {
    ...folder.env,
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
    // The attempt must not end before the stop does.
    HANSARD_CALLBACK_TIMEOUT: '30',
  }
  await using service = await startServiceProcess(env)
  const { apiKey } = await (await signInAsAdmin(service)).createToken()
  const { ask, create, run } = createTaskCalls(service.url, new HttpClient(service.url), apiKey)
  const task = { name: 't', promptName: 'p', cronExpression: '0 0 29 2 *' }
  assert.equal((await create(task)).status, 201)
  await run('t')
  const meeting = { url: 'practice://standup', callbackUrl: receiver.url }
  assert.equal((await ask('POST', '/meetings/start', meeting)).status, 201)
  await eventually(() => (model.connections() > 0 && receiver.connections() > 0 ? true : null))

  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 0, service.stderr())
  assert.match(service.stderr(), /service stopped/)
  assert.doesNotMatch(service.stderr(), /abandoned/)
  await waitForNoProcesses(folder.data)
})

/** The migrator's lock, which nodes that start at the same time take one after another. */
const MIGRATION_LOCK = '3853314791062309107'

test('SIGTERM ends a start that waits for another node, and leaves nothing', async () => {
  await using database = await createTestDatabase({ empty: true })
  await using folder = createTestDataFolder()
  await using stack = new AsyncDisposableStack()
  const { db, close } = await connectToDatabase(
    { connectionString: database.url },
    { max: 2, log: createLog('silent') },
  )
  stack.defer(close)
  await db.connection().execute(async (other) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`.execute(other)
    await using program = startProgram([...CURRENT_NODE, LAUNCHER, 'serve'], {
      env: { ...folder.env, DATABASE_URL: database.url },
    })
    await waitForLockWaiters(other, 'advisory', 1)
    program.kill('SIGTERM')

    const { code, stderr: output } = await program.waitForEnd()
    assert.equal(code, 0, output)
    assert.match(output, /service stopping[\s\S]*service stopped/)
    assert.doesNotMatch(output, /abandoned/)
    // The lock is still held, so a connection that was left open would still wait for it.
    await waitForLockWaiters(other, 'advisory', 0)
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other)
    assert.equal(rows.length, 0)
  })
  await waitForNoProcesses(folder.data)
})

import { strict as assert } from 'node:assert'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { startService } from '../support/service/start-service.ts'
import { startTaskService, createTaskCalls } from '../support/tasks/task-service.ts'
import { backUpTo, restoreTo } from './backup-helpers.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

test('after a restore a running execution becomes stale and a waiting one runs', async () => {
  await using model = await openModelServer((_, number) =>
    number === 1 ? { words: ['Begun'], breaksBy: 'hang' } : { words: ['Done'] },
  )
  const scratch = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'waiting-'))
  const [file, data] = [join(scratch, 'one.tar.gz'), join(scratch, 'restored')]
  const env = {
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: model.url,
    HANSARD_TASKS_CONCURRENCY: '1',
  }
  let [running, waiting, apiKey] = ['', '', '']
  {
    await using tasks = await startTaskService({ p: '---\ntools: []\n---\nGo' }, env)
    await tasks.create({ name: 'a', promptName: 'p' })
    await tasks.create({ name: 'b', promptName: 'p' })
    running = await tasks.run('a')
    await eventually(() => (model.requests.length === 1 ? true : null))
    waiting = await tasks.run('b')
    apiKey = tasks.apiKey
    await backUpTo(tasks.service.databaseUrl, tasks.data.path, file)
    await tasks.ask('POST', `/tasks/b/executions/${waiting}/cancel`)
  }
  await using empty = await createTestDatabase({ empty: true })
  await restoreTo(empty.url, data, file)
  await using service = await startService({
    ...env,
    DATABASE_URL: empty.url,
    HANSARD_DATA: data,
  })
  const tasks = createTaskCalls(
    `http://127.0.0.1:${service.port}`,
    service.anonymousClient(),
    apiKey,
  )
  assert.equal((await tasks.waitForEnd('a', running)).status, 'stale')
  const ended = await tasks.waitForEnd('b', waiting)
  assert.deepEqual([ended.status, ended.resultSummary], ['completed', 'Done'])
  assert.equal(model.requests.length, 2)
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { markExecutionsStale } from '../../src/tasks/executions/execution-store.ts'
import { deleteTask } from '../../src/tasks/task-store.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { createTestDatabase, openTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { startService } from '../support/service/start-service.ts'
import { createTaskDataFolder, startTaskService } from '../support/tasks/task-service.ts'

test('an execution that runs when the service stops becomes stale and is not repeated', async () => {
  await using model = await openModelServer(() => ({ words: ['Begun'], breaksBy: 'hang' }))
  await using database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: model.url,
    HANSARD_TASKS_CONCURRENCY: '1',
  }
  const prompts = { p: '---\ntools: []\n---\nGo' }
  let [running, waiting] = ['', '']
  {
    await using tasks = await startTaskService(prompts, env)
    await tasks.create({ name: 'a', promptName: 'p' })
    running = await tasks.run('a')
    await eventually(() => (model.requests.length === 1 ? true : null))
    waiting = await tasks.run('a')
  }
  const { db, close } = await connectToDatabase(
    { connectionString: database.url },
    { max: 1, log: createLog('silent') },
  )
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  const statusOf = async (id: string) =>
    (
      await db
        .selectFrom('execution')
        .select(['status', 'owner', 'result_summary', 'usage_missing'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status
  assert.deepEqual([await statusOf(running), await statusOf(waiting)], ['stale', 'running'])

  // After the next start, the queued execution runs, and the crashed node's execution becomes stale.
  await db
    .updateTable('execution')
    .set({
      status: 'running',
      owner: 'node_that_died',
      completed_at: null,
      usage_missing: false,
    })
    .where('id', '=', running)
    .execute()
  using data = createTaskDataFolder(prompts)
  await using again = await startService({ ...env, HANSARD_DATA: data.path })
  assert.ok(again.url)
  await eventually(async () => ((await statusOf(running)) === 'stale' ? true : null))
  const { usage_missing } = await db
    .selectFrom('execution')
    .select('usage_missing')
    .where('id', '=', running)
    .executeTakeFirstOrThrow()
  assert.equal(usage_missing, true, 'the tokens that a crashed node used are not known')
  await eventually(() => (model.requests.length === 2 ? true : null))
  assert.equal(await statusOf(waiting), 'running')
})

test('a result that the database rejects fails the execution, and its tokens are counted', async () => {
  await using model = await openModelServer(() => ({ words: ['Unspeakable'] }))
  await using database = await createTestDatabase()
  const { db, close } = await connectToDatabase(
    { connectionString: database.url },
    { max: 1, log: createLog('silent') },
  )
  await using stack = new AsyncDisposableStack()
  await using tasks = await startTaskService(
    { p: '---\ntools: []\noutput:\n  save: false\n---\nGo' },
    {
      DATABASE_URL: database.url,
      HANSARD_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
      HANSARD_AI_MODEL: 'openai-compatible/m',
      HANSARD_AI_BASE_URL: model.url,
    },
  )
  stack.defer(close)
  await sql`alter table execution add check (output not like '%Unspeakable%')`.execute(db)
  await tasks.create({ name: 'a', promptName: 'p' })
  const ended = await tasks.waitForEnd('a', await tasks.run('a'))
  assert.deepEqual(
    [ended.status, ended.resultSummary, ended.inputTokens, ended.outputTokens],
    ['failed', 'The result could not be stored; see the log of the service', 120, 30],
  )
  const { body } = await tasks.ask('GET', '/usage')
  const [row] = body['usage'] as Array<Record<string, unknown>>
  assert.deepEqual([row?.['task'], row?.['executions'], row?.['inputTokens']], ['a', 1, 120])
})

test('a node without a current heartbeat marks no executions stale', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const at = new Date()
  await sql`insert into task (id, name, prompt_name, timezone, enabled, timeout_ms, created_at, updated_at)
    values ('t', 'a', 'p', 'UTC', true, 1000, ${at}, ${at})`.execute(db)
  const nodes = ['node_me', 'node_other']
  for (const [i, node] of nodes.entries()) {
    await sql`insert into node (id, lock_number, bots, practice_bots, beat_at)
      values (${node}, ${i}, 0, 0, now() - interval '20 seconds')`.execute(db)
    await sql`insert into execution (id, task_id, number, execution_type, trigger_type, status, created_at, started_at,
        missed, is_catch_up, owner)
      values (${node}, 't', ${i + 1}, 'task', 'manual', 'running', ${at}, ${at}, 0, false, ${node})`.execute(
      db,
    )
  }
  const markStale = () => markExecutionsStale(db, at, 'node_me')
  const beat = (backSince: string) =>
    sql`update node set beat_at = now(), back_since = now() - ${backSince}::interval
      where id = 'node_me'`.execute(db)
  assert.deepEqual(await markStale(), [])
  await beat('1 second')
  assert.deepEqual(await markStale(), [])
  await beat('20 seconds')
  assert.deepEqual(await markStale(), ['node_other'])
})

test('the deletion of a task waits for its executions before it locks the task', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await sql`insert into task (id, name, prompt_name, timezone, enabled, timeout_ms, created_at, updated_at)
    values ('task_1', 'a', 'p', 'UTC', false, 1000, now(), now())`.execute(db)
  await sql`insert into execution (id, task_id, number, execution_type, trigger_type, status, created_at,
    started_at, missed, is_catch_up, owner)
    values ('exec_1', 'task_1', 1, 'on_demand', 'manual', 'running', now(), now(), 0, false, 'dead')`.execute(
    db,
  )
  let deletion = Promise.resolve(false)
  // In the same order as in `markExecutionsStale`.
  await db.transaction().execute(async (tx) => {
    await sql`update execution set status = 'stale' where id = 'exec_1'`.execute(tx)
    deletion = deleteTask(db, 'a')
    await waitForLockWaiters(db, 'any', 1)
    await sql`update task set missed = missed + 1 where id = 'task_1'`.execute(tx)
  })
  assert.equal(await deletion, true)
})

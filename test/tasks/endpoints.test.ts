import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { startTaskService, transcriptMarkdown } from '../support/tasks/task-service.ts'

const STATS = '---\nbuiltin: stats\n---\n'
const TASK_FIELDS = [
  'canRun',
  'createdAt',
  'enabled',
  'isScheduled',
  'name',
  'owner',
  'promptName',
  'timeoutMs',
  'timezone',
  'updatedAt',
]

/** A service with its sample prompts and one more. */
const sharedTasks = openForFile(async () => {
  const tasks = await startTaskService({})
  tasks.data.writePrompt('stats', STATS)
  return tasks
})

test('a task can be created, read, listed, changed and deleted', async () => {
  const tasks = sharedTasks()
  const created = await tasks.create({
    name: 'daily',
    promptName: 'stats',
    cronExpression: '0  9 * * 1-5',
    timezone: 'europe/berlin',
    timeout: 60_000,
  })
  assert.equal(created.status, 201)
  const task = created.body['task'] as Record<string, unknown>
  assert.deepEqual(
    Object.keys(task).toSorted(),
    [...TASK_FIELDS, 'cronExpression', 'nextRunAt'].toSorted(),
  )
  assert.equal(task['cronExpression'], '0 9 * * 1-5')
  assert.equal(task['timezone'], 'Europe/Berlin')
  assert.equal(task['isScheduled'], true)
  assert.equal(task['timeoutMs'], 60_000)
  assert.match(String(task['nextRunAt']), /^\d{4}-\d\d-\d\dT0[78]:00:00\.000Z$/)

  const onDemand = await tasks.create({ name: 'now', promptName: 'stats' })
  assert.deepEqual(Object.keys(onDemand.body['task'] as object).toSorted(), TASK_FIELDS)
  assert.equal((onDemand.body['task'] as Record<string, unknown>)['timeoutMs'], 300_000)

  // Other tests in this file create tasks with other names.
  const names = async (query: string) =>
    ((await tasks.ask('GET', `/tasks${query}`)).body['tasks'] as Array<{ name: string }>)
      .map(({ name }) => name)
      .filter((name) => ['daily', 'now'].includes(name))
  assert.deepEqual(await names(''), ['daily', 'now'])
  assert.deepEqual(await names('?scheduled=true'), ['daily'])
  assert.deepEqual(await names('?scheduled=false'), ['now'])

  const detail = await tasks.ask('GET', '/tasks/daily')
  assert.deepEqual(detail.body, { task, recentExecutions: [] })

  const changed = await tasks.ask('PUT', '/tasks/daily', { ...task, timeoutMs: 5_000 })
  assert.equal(changed.status, 200)
  assert.equal(changed.body['warnings'], undefined)
  const after = changed.body['task'] as Record<string, unknown>
  assert.equal(after['timeoutMs'], 5_000)
  assert.equal(after['nextRunAt'], task['nextRunAt'])

  const moved = await tasks.ask('PUT', '/tasks/daily', { timezone: 'UTC' })
  assert.match(String((moved.body['task'] as Record<string, unknown>)['nextRunAt']), /T09:00:00/)

  for (const cronExpression of [null, '']) {
    const removed = await tasks.ask('PUT', '/tasks/daily', { cronExpression })
    const plain = removed.body['task'] as Record<string, unknown>
    assert.deepEqual(Object.keys(plain).toSorted(), TASK_FIELDS)
    assert.equal(plain['isScheduled'], false)
    assert.equal(plain['enabled'], true)
    await tasks.ask('PUT', '/tasks/daily', { cronExpression: '* * 1 1 *' })
  }
  const deleted = await tasks.ask('DELETE', '/tasks/daily')
  assert.deepEqual(deleted.body, { success: true, message: 'Task deleted: daily' })
  assert.equal((await tasks.ask('GET', '/tasks/daily')).status, 404)
})

test('enabling and disabling a task is idempotent and does not change its schedule', async () => {
  const tasks = sharedTasks()
  await tasks.create({ name: 'switched', promptName: 'stats', cronExpression: '0 0 1 1 *' })
  await tasks.create({ name: 'on-demand', promptName: 'stats' })
  for (const [verb, enabled] of [
    ['disable', false],
    ['disable', false],
    ['enable', true],
    ['enable', true],
  ] as const) {
    const { status, body } = await tasks.ask('POST', `/tasks/switched/${verb}`)
    assert.equal(status, 200)
    const { success, message, task } = body as { success: boolean; message: string; task: object }
    assert.deepEqual([success, message], [true, `Task ${verb}d: switched`])
    assert.equal('nextRunAt' in task, enabled)
    assert.deepEqual(Object.entries(task).find(([field]) => field === 'enabled')?.[1], enabled)
    assert.ok('cronExpression' in task)
  }
  await tasks.ask('POST', '/tasks/switched/disable')
  assert.equal((await tasks.ask('POST', '/tasks/switched/run')).status, 200)
  const refused = await tasks.ask('POST', '/tasks/on-demand/enable')
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error, 'Task has no schedule: on-demand')
})

test('a built-in report reads transcripts, saves a document and says that no model was used', async () => {
  const tasks = sharedTasks()
  await tasks.addDocuments({
    'api/meetings/2026-11-15 0900 - Standup.md': transcriptMarkdown(
      'Standup',
      '2026-11-15T09:00:00.000Z',
      [
        ['Ada', 'I will send the report by Friday.'],
        ['Ben', 'Can you check the budget before noon?'],
      ],
    ),
  })
  await tasks.create({ name: 'who', promptName: 'stats', timezone: 'Asia/Tokyo' })
  const run = await tasks.ask('POST', '/tasks/who/run')
  const { executionId } = run.body as { executionId: string }
  assert.deepEqual(run.body, {
    success: true,
    message: 'Task started: who',
    taskName: 'who',
    executionId,
  })
  const execution = await tasks.waitForEnd('who', executionId)
  assert.equal(execution.status, 'completed', execution.resultSummary)
  assert.equal(execution.executionType, 'on_demand')
  assert.equal(execution.triggerType, 'manual')
  assert.deepEqual([execution.inputTokens, execution.outputTokens], [0, 0])
  assert.equal(execution['model'], 'builtin/rules-1')
  assert.match(String(execution.resultSummary), /No language model was used/)
  const path = String(execution['documentPath'])
  assert.match(path, /^deployed-md-files\/docs\/api\/tasks\/who\/\d{4}-\d\d-\d\d \d{4} - who\.md$/)
  const document = readFileSync(join(tasks.data.path, path), 'utf8')
  assert.match(document, /\| Ada \| 7 \|/)
  assert.match(document, new RegExp(`executionId: "${executionId}"`))
  assert.match(document, /sources:\n {2}- "deployed-md-files\/docs\/api\/meetings\/2026-11-15/)

  const { body } = await tasks.ask('GET', '/tasks/who')
  const [recent] = body['recentExecutions'] as Array<Record<string, unknown>>
  assert.equal(recent?.['executionId'], executionId)
  assert.equal('resultSummary' in (recent ?? {}), false)
  const task = body['task'] as Record<string, unknown>
  assert.equal(task['lastStatus'], 'completed')
  assert.equal(task['lastRunAt'], execution.startedAt)
  const full = await tasks.ask('GET', `/executions/${executionId}`)
  assert.match((full.body['execution'] as { output: string }).output, /\| Ben \| 7 \|/)
})

test('the history is paged newest first, with at most 100 executions per page', async () => {
  const tasks = sharedTasks()
  await tasks.create({ name: 'paged', promptName: 'stats' })
  const ids: string[] = []
  for (let i = 0; i < 5; i += 1) {
    ids.unshift(await tasks.run('paged'))
    await tasks.waitForEnd('paged', ids[0] ?? '')
  }
  const page = async (query: string) =>
    (await tasks.history('paged', query)).map((one) => one.executionId)
  assert.deepEqual(await page(''), ids)
  assert.deepEqual(await page('?limit=2'), ids.slice(0, 2))
  assert.deepEqual(await page('?limit=2&offset=2'), ids.slice(2, 4))
  assert.deepEqual(await page('?limit=2&offset=4'), ids.slice(4))
  assert.deepEqual(await page('?offset=5'), [])
  const { body } = await tasks.ask('GET', '/tasks/paged/history?limit=500&offset=1')
  assert.deepEqual([body['limit'], body['offset'], body['total']], [100, 1, 5])
})

test('the same Idempotency-Key creates one task and starts one execution', async () => {
  const tasks = sharedTasks()
  const key = { 'idempotency-key': 'once' }
  const body = { name: 'once', promptName: 'stats', cronExpression: '0 0 * * *' }
  const [first, again] = [
    await tasks.ask('POST', '/tasks', body, key),
    await tasks.ask('POST', '/tasks', body, key),
  ]
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const runs = [
    await tasks.ask('POST', '/tasks/once/run', undefined, key),
    await tasks.ask('POST', '/tasks/once/run', undefined, { 'idempotency-key': 'run' }),
    await tasks.ask('POST', '/tasks/once/run', undefined, { 'idempotency-key': 'run' }),
  ]
  assert.equal(runs[0]?.status, 422)
  assert.equal(runs[1]?.body['executionId'], runs[2]?.body['executionId'])
  assert.equal((await tasks.history('once')).length, 1)
})

test('the first start writes sample prompts, two of which need a model', async () => {
  const tasks = sharedTasks()
  const NO_MODEL = [
    { path: 'model', message: 'No language model configured: set HANSARD_AI_MODEL' },
  ]
  const { body } = await tasks.ask('GET', '/prompts')
  const prompts = body['prompts'] as Array<{ name: string; problems: unknown[]; builtin?: string }>
  assert.deepEqual(
    prompts.map(({ name, builtin, problems }) => [name, builtin ?? null, problems]),
    [
      ['action-items', 'action-items', []],
      ['daily-digest', 'digest', []],
      ['meeting-brief', 'brief', []],
      ['open-questions', null, NO_MODEL],
      ['stats', 'stats', []],
      ['weekly-summary', null, NO_MODEL],
    ],
  )
  await tasks.create({ name: 'digest', promptName: 'daily-digest' })
  const execution = await tasks.waitForEnd('digest', await tasks.run('digest'))
  assert.equal(execution.status, 'completed', execution.resultSummary)
  await tasks.create({ name: 'week', promptName: 'weekly-summary' })
  const failed = await tasks.waitForEnd('week', await tasks.run('week'))
  assert.equal(failed.status, 'failed')
  assert.equal(failed.resultSummary, NO_MODEL[0]?.message)
})

import { strict as assert } from 'node:assert'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { startTaskService } from '../support/tasks/task-service.ts'

type Row = [field: string, value: unknown]

/**
 * Values that both create and update refuse with 400 and the name of the field. The unit tests of the schedule, the time
 * zone and the prompt name have many more.
 */
const INVALID_FIELDS: Row[] = [
  ...[7, '', '../x', 'a\0'].map((value): Row => ['promptName', value]),
  ...[5, true, ['* * * * *'], '@daily', '* * * * *\0', '*'.repeat(10_000)].map((value): Row => [
    'cronExpression',
    value,
  ]),
  ...[5, '', 'PST', 'Europe/Berlin\0', 'x'.repeat(5_000)].map((value): Row => ['timezone', value]),
  ...['true', 1].map((value): Row => ['enabled', value]),
  ...[0, -1, 999, 3_600_001, 1e300, 1_500.5, '60000', [], {}].map((value): Row => [
    'timeout',
    value,
  ]),
]

const INVALID_NAMES = [
  7,
  '',
  null,
  ' ',
  'a/b',
  '..',
  '.a',
  '-a',
  'a b',
  'ä',
  'x'.repeat(65),
  'a\0',
  {},
]

const ALIAS_BOMB = [
  'a: &a [x, x]',
  ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [*${'abcdefg'[i]}, *${'abcdefg'[i]}]`),
]
const GOOD_PROMPT = '---\nbuiltin: digest\n---\nHi'
/** Prompts that no task can use. */
const HOSTILE_PROMPTS = {
  typo: '---\nmodle: x\n---\nHi',
  script: '---js\nprocess.exit(1)\n---\nHi',
  bomb: `---\n${ALIAS_BOMB.join('\n')}\n---\nHi`,
  twice: '---\nretries: 1\nretries: 2\n---\nHi',
  'tool-less': '---\ntools: [shell]\n---\nHi',
  template: '---\nretries: 1\n---\nHi\n{{ nobody }}',
  endless: '{% for i in (1..99999) %}{% for j in (1..99999) %}{% endfor %}{% endfor %}',
}

const sharedTasks = openForFile(() =>
  startTaskService(
    { p: GOOD_PROMPT, daily: GOOD_PROMPT },
    { HANSARD_TASKS_MIN_INTERVAL_MINUTES: '60' },
  ),
)

test('creating or changing a task with an invalid field answers 400 and names the field', async () => {
  const tasks = sharedTasks()
  const good = { name: 'refused', promptName: 'p', cronExpression: '0 0 * * *' }
  assert.equal((await tasks.create(good)).status, 201)
  const countTasks = async () =>
    ((await tasks.ask('GET', '/tasks')).body['tasks'] as unknown[]).length
  const before = await countTasks()
  const check = (answer: Awaited<ReturnType<typeof tasks.ask>>, field: string, value: unknown) => {
    const about = `${field}: ${JSON.stringify(value)?.slice(0, 60)}`
    assert.equal(answer.status, 400, `${about} → ${JSON.stringify(answer.body).slice(0, 300)}`)
    const details = answer.body['details'] as Array<{ path: string; message: string }>
    assert.ok(
      details.some(({ path }) => path === field),
      about,
    )
    assert.ok(JSON.stringify(details).length < 2_000, about)
  }
  for (const name of INVALID_NAMES) check(await tasks.create({ ...good, name }), 'name', name)
  for (const [field, value] of INVALID_FIELDS) {
    check(await tasks.create({ ...good, name: 'b', [field]: value }), field, value)
    check(await tasks.ask('PUT', '/tasks/refused', { [field]: value }), field, value)
  }
  check(await tasks.ask('PUT', '/tasks/refused', { name: 'b' }), 'name', 'b')
  check(await tasks.ask('PUT', '/tasks/refused', { timeoutMs: 5 }), 'timeoutMs', 5)
  for (const missing of ['name', 'promptName']) {
    check(await tasks.create({ ...good, [missing]: undefined }), missing, undefined)
    check(await tasks.create({ ...good, [missing]: null }), missing, null)
  }
  const queries: Array<[path: string, field: string]> = [
    ['/tasks?scheduled=yes', 'scheduled'],
    ['/tasks/refused/history?limit=0', 'limit'],
    ['/tasks/refused/history?limit=-1', 'limit'],
    ['/tasks/refused/history?limit=ten', 'limit'],
    ['/tasks/refused/history?limit=1.5', 'limit'],
    ['/tasks/refused/history?limit=1.', 'limit'],
    ['/tasks/refused/history?limit=1&limit=2', 'limit'],
    ['/tasks/refused/history?offset=0.5', 'offset'],
    ['/tasks/refused/history?offset=-1', 'offset'],
    ['/tasks/refused/history?offset=x', 'offset'],
    ['/usage?from=yesterday', 'from'],
    ['/usage?from=2026-02-30', 'from'],
    ['/usage?from=2026-03-01&to=2026-02-01', 'from'],
  ]
  for (const [path, field] of queries) check(await tasks.ask('GET', path), field, path)
  // None of the refused requests changed anything.
  assert.equal(await countTasks(), before)
})

test('a task is created and changed by clients that send null and 50.0', async () => {
  const tasks = sharedTasks()
  const nulls = { cronExpression: null, timezone: null, enabled: null, timeout: null }
  const created = await tasks.create({ name: 'nulls', promptName: 'p', ...nulls })
  assert.equal(created.status, 201)
  const { task } = created.body as { task: object }
  assert.partialDeepStrictEqual(task, { timezone: 'UTC', enabled: true, timeoutMs: 300_000 })
  await tasks.ask('PUT', '/tasks/nulls', { cronExpression: '0 0 * * *', timezone: 'Europe/Berlin' })
  const fields = { promptName: null, timezone: null, enabled: null, timeout: null }
  const changed = await tasks.ask('PUT', '/tasks/nulls', {
    ...fields,
    name: null,
    timeoutMs: 5_000,
  })
  assert.partialDeepStrictEqual(changed.body['task'], {
    promptName: 'p',
    cronExpression: '0 0 * * *',
    timezone: 'Europe/Berlin',
    timeoutMs: 5_000,
  })
  const onDemand = await tasks.ask('PUT', '/tasks/nulls', { cronExpression: null })
  assert.partialDeepStrictEqual(onDemand.body['task'], { isScheduled: false })
  const history = await tasks.ask('GET', '/tasks/nulls/history?limit=50.0&offset=2.00')
  assert.deepEqual(history.body, { executions: [], total: 0, limit: 50, offset: 2 })
  const twice = await tasks.ask('GET', '/tasks/nulls/history?limit=1&limit=2')
  assert.deepEqual(twice.body['details'], [
    { path: 'limit', message: 'Is given more than once: send it once' },
  ])
})

test('one response names all problems of a task: form, schedule, time zone, name and prompt', async () => {
  const tasks = sharedTasks()
  const fields = { promptName: 'dayly', cronExpression: '61 * * * *', timezone: 'Mars/Olympus' }
  const check = async (request: ReturnType<typeof tasks.ask>, code: string, paths: string[]) => {
    const { body } = await request
    const details = body['details'] as Array<{ path: string }>
    assert.deepEqual([body.code, details.map(({ path }) => path)], [code, paths])
  }
  const all = ['cronExpression', 'timezone', 'promptName']
  const badForm = tasks.create({ ...fields, name: 'a b', enabled: 'yes' })
  await check(badForm, 'invalid_request', ['name', 'enabled', ...all])
  await check(tasks.create({ ...fields, name: 'new' }), 'invalid_request', all)
  await tasks.create({ name: 'taken', promptName: 'daily' })
  const taken = tasks.create({ name: 'taken', promptName: 'dayly' })
  await check(taken, 'task_exists', ['name', 'promptName'])
  const change = (more: object) =>
    tasks.ask('PUT', '/tasks/taken', { ...fields, name: 'b', ...more })
  await check(change({}), 'invalid_request', ['name', ...all])
  await check(change({ timeout: 5 }), 'invalid_request', ['timeout', 'name', ...all])
  const { body } = await tasks.create({ name: 'b', promptName: 'dayly' })
  assert.deepEqual(body['details'], [
    { path: 'promptName', message: 'There is no such prompt; did you mean daily?' },
  ])
})

test('an unknown task, prompt or execution answers 404 with a message that names it', async () => {
  const tasks = sharedTasks()
  await tasks.create({ name: 'known', promptName: 'p' })
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/run'],
    ['POST', '/enable'],
    ['POST', '/disable'],
    ['GET', '/history'],
    ['POST', '/executions/execution_0000000000000000000000/cancel'],
  ] as const) {
    const body = method === 'PUT' ? {} : undefined
    const answer = await tasks.ask(method, `/tasks/nope${path}`, body)
    assert.equal(answer.status, 404, `${method} ${path}`)
    assert.equal(answer.body.error, 'Task not found: nope')
    for (const odd of ['%00', '%F0%9F%92%A9', '..%2Fa', "'%20or%201=1"]) {
      const { status } = await tasks.ask(method, `/tasks/${odd}${path}`, body)
      assert.equal(status, 404, `${method} ${odd}${path}`)
    }
  }
  for (const id of ['nope', 'execution_0000000000000000000000', '%00', 'execution_%00']) {
    assert.equal((await tasks.ask('GET', `/executions/${id}`)).status, 404)
    assert.equal((await tasks.ask('GET', `/executions/${id}/stream`)).status, 404)
    assert.equal((await tasks.ask('POST', `/tasks/known/executions/${id}/cancel`)).status, 404)
  }
  const unknown = await tasks.create({ name: 'b', promptName: 'nope' })
  assert.equal(unknown.status, 404)
  assert.equal(unknown.body.error, 'Prompt not found: nope')
  assert.equal((await tasks.ask('PUT', '/tasks/known', { promptName: 'nope' })).status, 404)
  // An existing task name is reported before a missing prompt.
  const existing = await tasks.create({ name: 'known', promptName: 'nope' })
  assert.equal(existing.status, 409)
  assert.equal(existing.body.error, 'Task already exists: known')
  assert.equal((await tasks.create({ name: 'known', promptName: 'p' })).body.code, 'task_exists')
})

test('hostile prompt files are listed with their problems, and tasks cannot use them', async () => {
  const tasks = sharedTasks()
  for (const [name, text] of Object.entries(HOSTILE_PROMPTS)) tasks.data.writePrompt(name, text)
  const folder = join(tasks.data.path, 'scheduled-prompts')
  symlinkSync('/etc/hostname', join(folder, 'link.md'))
  mkdirSync(join(folder, 'folder.md'))
  writeFileSync(join(folder, 'binary.md'), Buffer.from([0, 1, 2, 255]))
  const { body } = await tasks.ask('GET', '/prompts')
  const listed = body['prompts'] as Array<{ name: string; problems: Array<{ message: string }> }>
  const bad = listed.filter(({ problems }) => problems.length > 0).map(({ name }) => name)
  assert.deepEqual(
    bad,
    [
      'binary',
      'bomb',
      'endless',
      'folder.md',
      'link.md',
      'script',
      'template',
      'tool-less',
      'twice',
      'typo',
    ],
    JSON.stringify(listed),
  )
  for (const promptName of ['typo', 'script', 'bomb', 'twice', 'link', 'folder', 'binary']) {
    const answer = await tasks.create({ name: promptName, promptName })
    assert.equal(answer.status, 400, promptName)
    assert.equal(answer.body.code, 'invalid_prompt')
  }
  const { status, body: refusal } = await tasks.create({ name: 'plain', promptName: 'template' })
  assert.deepEqual([status, refusal.code], [400, 'invalid_prompt'])
  const details = [{ path: 'promptName', message: 'Template: undefined variable: nobody (line 5)' }]
  assert.deepEqual(refusal['details'], details)
  await tasks.create({ name: 'plain', promptName: 'p' })
  const change = await tasks.ask('PUT', '/tasks/plain', { promptName: 'template' })
  assert.deepEqual(change.body['details'], details)
})

test('unknown fields are reported, and a schedule below the minimum interval is refused', async () => {
  const tasks = sharedTasks()
  const answer = await tasks.create({ name: 'a', promptName: 'p', timezon: 'UTC' })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body['warnings'], [
    { path: 'timezon', message: 'Unknown field, ignored; did you mean timezone?' },
  ])
  const often = await tasks.create({
    name: 'often',
    promptName: 'p',
    cronExpression: '0,30 * * * *',
  })
  assert.match(JSON.stringify(often.body['details']), /more often than every 60 minutes/)
  const hourly = await tasks.create({
    name: 'hourly',
    promptName: 'p',
    cronExpression: '7 * * * *',
  })
  assert.equal(hourly.status, 201)
})

test('an invalid trigger is refused with the path of each problem', async () => {
  const tasks = sharedTasks()
  const cases: Array<[trigger: unknown, paths: string[]]> = [
    [{ on: 'full_moon' }, ['trigger.on']],
    [{}, ['trigger.on']],
    ['meeting_ended', ['trigger']],
    [
      { on: 'meeting_ended', minWords: -1, platforms: ['webex'] },
      ['trigger.platforms.0', 'trigger.minWords'],
    ],
    [
      { on: 'meeting_ended', projects: ['../x'], titlePattern: '' },
      ['trigger.projects.0', 'trigger.titlePattern'],
    ],
  ]
  for (const [trigger, paths] of cases) {
    const { status, body } = await tasks.create({ name: 'triggered', promptName: 'p', trigger })
    assert.equal(status, 400, JSON.stringify(trigger))
    const found = (body['details'] as Array<{ path: string }>).map(({ path }) => path)
    assert.deepEqual(found, paths)
  }
})

import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as passed } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../src/db/open.ts'
import { createLog } from '../../src/log.ts'
import { makeTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openModelServer } from '../support/model-server.ts'
import { Person } from '../support/person.ts'
import { enter, makePlace, startProcess } from '../support/process.ts'
import { makeData, taskCalls } from '../support/tasks.ts'

/** `TEST_SIZE=full` takes many minutes; what every run has time for is a part of the same. */
const SIZES: Record<string, { kills: number; perKill: number; nodeTasks: number }> = {
  part: { kills: 3, perKill: 4, nodeTasks: 24 },
  full: { kills: 100, perKill: 4, nodeTasks: 200 },
}
const size = SIZES[process.env['TEST_SIZE'] ?? 'part']
assert.ok(size !== undefined, `TEST_SIZE is one of ${Object.keys(SIZES).join(', ')}`)
const TIME_LIMIT_MS = 1_800_000
const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
const SAID = 'Said and done'

/** A database, a folder with a prompt and a model that takes its time. */
async function openWorld() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeTestDatabase())
  const place = stack.use(makePlace())
  const { writePrompt } = makeData({}, place.data)
  writePrompt('p', '---\ntools: []\n---\nDo it')
  const model = stack.use(await openModelServer(() => ({ words: [SAID], pace: () => passed(200) })))
  const { db, close } = await openDatabase(
    { connectionString: database.url },
    { max: 2, log: createLog('silent') },
  )
  stack.defer(close)
  const env = {
    ...place.env,
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_RATE_LIMIT: 'off',
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: model.url,
  }
  const opened = stack.move()
  return { db, env, place, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** Tasks that run on leap days, so that the only due times are those the test sets. */
async function addTasks(url: string, apiKey: string, names: string[]): Promise<void> {
  const { create } = taskCalls(url, new Person(url), apiKey)
  for (const name of names) {
    const body = { name, promptName: 'p', cronExpression: '0 0 29 2 *' }
    assert.equal((await create(body)).status, 201)
  }
}

/** Makes tasks due, one after the other, and lets the nodes know. */
async function makeDue(
  { db }: World,
  [url, apiKey]: [url: string, apiKey: string],
  names: string[],
  [afterMs, stepMs]: [afterMs: number, stepMs: number],
): Promise<void> {
  await sql`
    update task set next_run_at = due.at, due_at = due.at
    from (
      select name, now() + make_interval(secs => (${afterMs} + ${stepMs} * (number - 1)) / 1000.0) as at
      from unnest(${names}::text[]) with ordinality as given (name, number)
    ) as due
    where task.name = due.name
  `.execute(db)
  const { ask } = taskCalls(url, new Person(url), apiKey)
  assert.equal((await ask('PUT', `/tasks/${names[0]}`, {})).status, 200)
}

/** Each due time has one execution; nothing runs any more; what came to a good end left its document. */
async function checkAll({ db, place }: World, names: string[]): Promise<Map<string, number>> {
  await eventually(async () => {
    const { rows } = await sql<{ open: boolean }>`
      select exists (select from execution where status = 'running')
        or exists (select from task where due_at <= now() + interval '1 minute' or catch_up_for is not null)
        as open`.execute(db)
    return rows[0]?.open === false ? true : null
  }, 120_000)
  const rows = await db
    .selectFrom('execution')
    .innerJoin('task', 'task.id', 'execution.task_id')
    .select(['name', 'status', 'output', 'document_path', 'input_tokens', 'scheduled_for'])
    .execute()
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted())
  const statuses = new Map<string, number>()
  for (const row of rows) {
    statuses.set(row.status, (statuses.get(row.status) ?? 0) + 1)
    assert.ok(['completed', 'stale'].includes(row.status), row.status)
    assert.ok(row.scheduled_for !== null)
    if (row.status !== 'completed') continue
    assert.deepEqual([row.output, row.input_tokens], [SAID, '120'])
    assert.ok(existsSync(join(place.data, row.document_path ?? 'none')))
  }
  return statuses
}

test(
  'three nodes of which two are killed bring one execution for each due time',
  { timeout: TIME_LIMIT_MS },
  async () => {
    await using world = await openWorld()
    await using one = await startProcess(world.env)
    const { apiKey } = await (await enter(one)).makeToken()
    await using two = await startProcess(world.env)
    await using three = await startProcess(world.env)
    const names = Array.from({ length: size.nodeTasks }, (_, i) => `task${i}`)
    await addTasks(three.url, apiKey, names)
    await makeDue(world, [three.url, apiKey], names, [500, 150])
    const third = Math.floor(names.length / 3)
    await reached(world, names[third] ?? '')
    one.kill('SIGKILL')
    await reached(world, names[2 * third] ?? '')
    two.kill('SIGKILL')
    await Promise.all([one.exited, two.exited])
    const statuses = await checkAll(world, names)
    assert.ok((statuses.get('completed') ?? 0) > 0)
    // What a node had under way is stale; it had four places.
    assert.ok((statuses.get('stale') ?? 0) <= 8, `${statuses.get('stale')} are stale`)
  },
)

test(
  `${size.kills} kill -9 close to due times: each of them has one execution, and what ran is stale`,
  { timeout: TIME_LIMIT_MS },
  async () => {
    await using world = await openWorld()
    const all: string[] = []
    let apiKey = ''
    for (let kill = 0; kill < size.kills; kill += 1) {
      await using node = await startProcess(world.env)
      if (kill === 0) ({ apiKey } = await (await enter(node)).makeToken())
      const names = Array.from({ length: size.perKill }, (_, i) => `kill${kill}-${i}`)
      all.push(...names)
      await addTasks(node.url, apiKey, names)
      // The last kills come when the executions are under way.
      const late = kill % 3 === 2 ? 150 : 0
      await makeDue(world, [node.url, apiKey], names, [400, 10])
      // Another moment around the due times each time, before and after.
      await passed(380 + late + (kill % 7) * 12)
      node.kill('SIGKILL')
      await node.exited
    }
    await using node = await startProcess(world.env)
    assert.ok(node.url)
    await checkAll(world, all)
  },
)

async function reached({ db }: World, name: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from execution join task on task.id = task_id where name = ${name}
    `.execute(db)
    return rows[0]?.n === 1 ? true : null
  }, 60_000)
}

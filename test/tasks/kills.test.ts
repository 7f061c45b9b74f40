import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as passed } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  signInAsAdmin,
  createTestDataFolder,
  startServiceProcess,
  type ServiceProcess,
} from '../support/service/service-process.ts'
import { createTaskDataFolder, createTaskCalls } from '../support/tasks/task-service.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/** `TEST_SIZE=full` takes many minutes, and runs further tests. */
const SIZES: Record<'part' | 'full', { nodes: number; nodeTasks: number }> = {
  part: { nodes: 2, nodeTasks: 12 },
  full: { nodes: 3, nodeTasks: 200 },
}
const KILLS = 100
/** For how many minutes nodes are killed while a task runs every minute. Only in the full test. */
const MINUTES = 5
const size = IS_FULL_SIZE ? SIZES.full : SIZES.part
const TIME_LIMIT_MS = 1_800_000
const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
/** The application name of the test's database connection, which distinguishes it from the nodes' connections. */
const TEST_APPLICATION = 'watcher'
const ANSWER = 'Said and done'
/** The number of due times around each kill, 10 ms apart. */
const DUE_TIMES_PER_KILL = 4
/** A kill must happen this close to a due time, or it is repeated. */
const NEAR_MS = 50
/** When to kill, relative to the first due time. */
const KILL_OFFSETS_MS = [5, 60, -20, 25, 45, -5, 35, 70, 15]
/** On a busy machine a kill can miss its time and is repeated, but only up to this factor. */
const MAX_TRIES_PER_KILL = 3
/** Opens a database, a data folder with a prompt, and a slow model server. */
async function openWorld() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const folder = stack.use(createTestDataFolder())
  const { writePrompt } = createTaskDataFolder({}, folder.data)
  writePrompt('p', '---\ntools: []\n---\nDo it')
  const model = stack.use(
    await openModelServer(() => ({ words: [ANSWER], beforeEachWord: () => passed(200) })),
  )
  const { db, close } = await connectToDatabase(
    { connectionString: database.url, application_name: TEST_APPLICATION },
    { max: 2, log: createLog('silent') },
  )
  stack.defer(close)
  const env = {
    ...folder.env,
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_RATE_LIMIT: 'off',
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: model.url,
  }
  const opened = stack.move()
  return { db, env, folder, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** Creates tasks that only run on leap days, so that the test sets all other due times. */
async function addTasks(url: string, apiKey: string, names: string[]): Promise<void> {
  const { create } = createTaskCalls(url, new HttpClient(url), apiKey)
  for (const name of names) {
    const body = { name, promptName: 'p', cronExpression: '0 0 29 2 *' }
    assert.equal((await create(body)).status, 201)
  }
}

/** Makes the tasks due one after the other, notifies the nodes, and returns the due times. */
async function makeDue(
  { db }: World,
  [url, apiKey]: [url: string, apiKey: string],
  names: string[],
  [afterMs, stepMs]: [afterMs: number, stepMs: number],
): Promise<number[]> {
  const { rows } = await sql<{ at: Date }>`
    update task set next_run_at = due.at, due_at = due.at
    from (
      select name, now() + make_interval(secs => (${afterMs} + ${stepMs} * (number - 1)) / 1000.0) as at
      from unnest(${names}::text[]) with ordinality as given (name, number)
    ) as due
    where task.name = due.name returning due.at
  `.execute(db)
  const { ask } = createTaskCalls(url, new HttpClient(url), apiKey)
  assert.equal((await ask('PUT', `/tasks/${names[0]}`, {})).status, 200)
  return rows.map(({ at }) => at.getTime()).toSorted((a, b) => a - b)
}

/** Resolves when no execution is running and no task is due. */
async function waitUntilIdle({ db }: World): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql<{ open: boolean }>`
      select exists (select from execution where status = 'running')
        or exists (select from task where enabled and due_at <= now() + interval '1 minute')
        or exists (select from task where catch_up_for is not null) as open`.execute(db)
    return rows[0]?.open === false ? true : null
  }, 120_000)
}

/** Reads all executions and checks that the completed ones have their output, tokens and document. */
async function readExecutions({ db, folder }: World) {
  const rows = await db
    .selectFrom('execution')
    .innerJoin('task', 'task.id', 'execution.task_id')
    .select(['execution.id', 'name', 'status', 'output', 'document_path', 'scheduled_for'])
    .select(['input_tokens', 'output_tokens'])
    .execute()
  for (const row of rows) {
    assert.ok(['completed', 'stale'].includes(row.status), row.status)
    assert.ok(row.scheduled_for !== null)
    if (row.status !== 'completed') continue
    assert.deepEqual([row.output, row.input_tokens, row.output_tokens], [ANSWER, '120', '30'])
    assert.ok(readFileSync(join(folder.data, row.document_path ?? 'none'), 'utf8').includes(ANSWER))
  }
  return rows
}

/** Checks that each task has exactly one execution. */
async function assertOneExecutionEach(world: World, names: string[]) {
  await waitUntilIdle(world)
  const rows = await readExecutions(world)
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted())
  return rows
}

/** Executions of killed nodes. Waits until the database has closed those nodes' connections. */
async function readOrphanedExecutions({ db }: World): Promise<string[]> {
  await eventually(async () => {
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and application_name <> ${TEST_APPLICATION}`.execute(db)
    return rows.length === 0 ? true : null
  })
  const rows = await db
    .selectFrom('execution')
    .select('id')
    .where('status', '=', 'running')
    .where('owner', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

test(
  'when all nodes but one are killed, each due time still has exactly one execution',
  { timeout: TIME_LIMIT_MS },
  async () => {
    await using world = await openWorld()
    await using last = await startServiceProcess(world.env)
    const { apiKey } = await (await signInAsAdmin(last)).createToken()
    await using killed = new AsyncDisposableStack()
    const names = Array.from({ length: size.nodeTasks }, (_, i) => `task${i}`)
    const victims: ServiceProcess[] = []
    for (let i = 1; i < size.nodes; i += 1)
      victims.push(killed.use(await startServiceProcess(world.env)))
    await addTasks(last.url, apiKey, names)
    await makeDue(world, [last.url, apiKey], names, [500, 150])
    for (const [i, victim] of victims.entries()) {
      const position = Math.floor(((i + 1) * names.length) / size.nodes)
      await waitForExecution(world, names[position] ?? '')
      victim.kill('SIGKILL')
    }
    await Promise.all(victims.map(({ exited }) => exited))
    const rows = await assertOneExecutionEach(world, names)
    const stale = rows.filter(({ status }) => status === 'stale').length
    // Only executions that a killed node was running are stale, and a node runs at most four.
    assert.ok(stale <= 4 * victims.length && stale < rows.length, `${stale} are stale`)
  },
)

/** Kills a node close to due times, again and again. */
async function killNearDueTimes(t: TestContext): Promise<void> {
  await using world = await openWorld()
  const all: string[] = []
  const orphaned = new Set<string>()
  let apiKey = ''
  let nearKills = 0
  let tries = 0
  for (; nearKills < KILLS && tries < MAX_TRIES_PER_KILL * KILLS; tries += 1) {
    await using node = await startServiceProcess(world.env)
    if (tries === 0) ({ apiKey } = await (await signInAsAdmin(node)).createToken())
    const names = Array.from({ length: DUE_TIMES_PER_KILL }, (_, i) => `kill${tries}-${i}`)
    all.push(...names)
    await addTasks(node.url, apiKey, names)
    const dueTimes = await makeDue(world, [node.url, apiKey], names, [400, 10])
    const killAt = (dueTimes[0] ?? 0) + (KILL_OFFSETS_MS[tries % KILL_OFFSETS_MS.length] ?? 0)
    await passed(Math.max(0, killAt - Date.now()))
    node.kill('SIGKILL')
    const killedAt = Date.now()
    await node.exited
    if (dueTimes.some((at) => Math.abs(at - killedAt) <= NEAR_MS)) nearKills += 1
    for (const id of await readOrphanedExecutions(world)) orphaned.add(id)
  }
  await using node = await startServiceProcess(world.env)
  assert.ok(node.url)
  const rows = await assertOneExecutionEach(world, all)
  const stale = rows.filter(({ status }) => status === 'stale').map(({ id }) => id)
  assert.deepEqual(stale.toSorted(), [...orphaned].toSorted())
  t.diagnostic(
    `${nearKills} of ${tries} kills near a due time, ${rows.length} due times, ${stale.length} stale`,
  )
}

async function readNextMinute({ db }: World, name: string): Promise<Date> {
  return eventually(async () => {
    const { rows } = await sql<{
      at: Date
    }>`select due_at as at from task where name = ${name} and due_at > now()`.execute(db)
    return rows[0]?.at ?? null
  })
}

/** Kills the nodes of this test at real minutes, one after the other. */
async function runEveryMinuteDuringKills(): Promise<void> {
  await using world = await openWorld()
  await using stack = new AsyncDisposableStack()
  const start = async () => stack.use(await startServiceProcess(world.env))
  const nodes = [await start()]
  const { apiKey } = await (await signInAsAdmin(nodes[0] ?? (await start()))).createToken()
  nodes.push(await start(), await start())
  const calls = (url: string) => createTaskCalls(url, new HttpClient(url), apiKey)
  const body = { name: 'every', promptName: 'p', cronExpression: '* * * * *' }
  assert.equal((await calls(nodes[0]?.url ?? '').create(body)).status, 201)
  const dueTimes: string[] = []
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const [victim, other] = [nodes[minute % 3], nodes[(minute + 1) % 3]]
    assert.ok(victim && other)
    const at = await readNextMinute(world, 'every')
    dueTimes.push(at.toISOString())
    // Changing a task notifies the nodes.
    assert.equal((await calls(other.url).ask('PUT', '/tasks/every', {})).status, 200)
    await passed(Math.max(0, at.getTime() + (KILL_OFFSETS_MS[minute] ?? 0) - Date.now()))
    victim.kill('SIGKILL')
    await victim.exited
    await waitForExecution(world, 'every', at)
    nodes[minute % 3] = await start()
  }
  const url = nodes[0]?.url ?? ''
  assert.equal((await calls(url).ask('POST', '/tasks/every/disable')).status, 200)
  await waitUntilIdle(world)
  const rows = await readExecutions(world)
  const ran = rows.map(({ scheduled_for: at }) => at?.toISOString() ?? '').toSorted()
  assert.deepEqual(ran, [...new Set(ran)])
  // Another minute may begin before the task is disabled.
  const expected = ran.filter((at) => at <= (dueTimes.at(-1) ?? ''))
  assert.deepEqual(expected, dueTimes)
  assert.ok(rows.some(({ status }) => status === 'completed'))
}

if (IS_FULL_SIZE) {
  test(
    `${KILLS} kills within 50 ms of a due time leave one execution per due time, and those that ran are stale`,
    { timeout: TIME_LIMIT_MS },
    killNearDueTimes,
  )
  test(
    'a task runs once per minute while three nodes are killed one after the other',
    { timeout: TIME_LIMIT_MS },
    runEveryMinuteDuringKills,
  )
}

async function waitForExecution({ db }: World, name: string, at?: Date): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from execution join task on task.id = task_id
      where name = ${name} and ${at === undefined ? sql`true` : sql`scheduled_for = ${at}`}
    `.execute(db)
    return rows[0]?.n === 1 ? true : null
  })
}

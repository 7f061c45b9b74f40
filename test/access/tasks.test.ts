import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newOrderedId } from '../../src/lib/crypto.ts'
import { disableTasksOfUser } from '../../src/tasks/task-store.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { createRandomName } from '../support/access/random-name.ts'
import { eventually } from '../support/time/eventually.ts'

/** Tests which projects a task uses, and who sees its results. */

type Headers = Record<string, string>
type Answer = { status: number; body: Record<string, unknown> }

const QUEUED = {
  execution_type: 'schedule',
  trigger_type: 'scheduled',
  missed: 0,
  is_catch_up: false,
} as const

let world: AccessWorld
let admin: Credentials & { userId: string }
let owner: Credentials & { userId: string }
let other: Credentials & { userId: string }
before(async () => {
  world = await startAccessWorld({ HANSARD_DEFAULT_ACCESS: 'private' })
  admin = await world.addUser('admin')
  owner = await world.addUser()
  other = await world.addUser()
  writePrompt('all', 'projects: "*"', '{% for one in projects %}[{{ one.id }}]{% endfor %}')
  writePrompt('own', '', 'Nothing')
})
after(() => world[Symbol.asyncDispose]())

function writePrompt(name: string, settings: string, text: string): void {
  writeFileSync(
    join(world.dataFolder, 'scheduled-prompts', `${name}.md`),
    `---\nbuiltin: stats\noutput:\n  save: false\n${settings}\n---\n${text}\n`,
  )
}

async function call(
  headers: Headers,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
): Promise<Answer> {
  const url = path.startsWith('/web') ? path : `/api/v1${path}`
  const { statusCode, body } = await world.app.inject({
    method,
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> }
}

async function createTask(headers: Headers, fields: object): Promise<string> {
  const name = createRandomName()
  const { status, body } = await call(headers, 'POST', '/tasks', { name, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return name
}

/** Runs a task and returns its execution after it has ended. */
async function run(headers: Headers, name: string): Promise<Record<string, unknown>> {
  const { status, body } = await call(headers, 'POST', `/tasks/${name}/run`)
  assert.equal(status, 200, JSON.stringify(body))
  return eventually(async () => {
    const { body: read } = await call(headers, 'GET', `/executions/${String(body['executionId'])}`)
    const execution = read['execution'] as Record<string, unknown>
    return execution['status'] === 'running' ? null : execution
  })
}

/** The status of a queued execution after its owner is removed. In a transaction, so that no node claims it first. */
function endQueuedExecution(taskName: string, userId: string): Promise<string> {
  const now = new Date()
  return world.db.transaction().execute(async (tx) => {
    const task = await tx
      .updateTable('task')
      .set({ last_number: 1 })
      .where('name', '=', taskName)
      .returning('id')
      .executeTakeFirstOrThrow()
    const id = newOrderedId('execution', now)
    const times = { created_at: now, started_at: now }
    await tx
      .insertInto('execution')
      .values({ id, task_id: task.id, number: 1, status: 'running', ...QUEUED, ...times })
      .execute()
    await disableTasksOfUser(tx, userId, now)
    const { status } = await tx
      .selectFrom('execution')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return status
  })
}

test('a task that a narrowed token creates uses only the projects of the token', async () => {
  const [inside, outside] = [createRandomName(), createRandomName()]
  await world.plant(inside, `word${inside}`)
  await world.plant(outside, `word${outside}`)
  const tokens = [
    await world.addToken({ creatorId: owner.userId, projects: [inside] }),
    await world.addToken({ projects: [inside] }),
  ]
  for (const { key } of tokens) {
    const name = await createTask(key, { promptName: 'all', project: inside })
    assert.equal((await run(key, name))['prompt'], `[${inside}]\n`)
  }
  const { key } = tokens[0] ?? assert.fail()
  // The user's task may read more than the token.
  const wide = await createTask(owner.key, { promptName: 'own', project: inside })
  const change = { promptName: 'all', timeout: 2_000 }
  assert.equal((await call(key, 'PUT', `/tasks/${wide}`, change)).status, 403)
  assert.equal((await call(key, 'PUT', `/tasks/${wide}`, { timeout: 2_000 })).status, 200)
  assert.equal((await call(owner.key, 'PUT', `/tasks/${wide}`, change)).status, 200)
  assert.match(String((await run(owner.key, wide))['prompt']), new RegExp(outside))
})

test('an execution is hidden with the meeting or document that it is about', async () => {
  const [open, closed] = [createRandomName(), createRandomName()]
  const { meeting } = await world.plant(open, `word${open}`)
  await world.addMember(closed, owner.userId, 'owner')
  await world.setAccess(closed, 'private')
  const onMeeting = { trigger: { on: 'meeting_ended', projects: [open] } }
  const onDocument = { trigger: { on: 'document_saved', projects: [open] } }
  const hidden: Array<{ name: string; id: string }> = []
  for (const fields of [onMeeting, onDocument]) {
    const name = await createTask(owner.key, { promptName: 'own', ...fields })
    hidden.push({ name, id: String((await run(owner.key, name))['executionId']) })
  }
  const [{ name, id }, { id: byDocument }] = hidden as [(typeof hidden)[0], (typeof hidden)[0]]
  await world.db
    .updateTable('meeting')
    .set({ ended_at: null })
    .where('project', '=', open)
    .execute()
  const later = String((await run(owner.key, name))['executionId'])
  const read = async (headers: Headers) => {
    const history = (await call(headers, 'GET', `/tasks/${name}/history`)).body
    const detail = (await call(headers, 'GET', `/tasks/${name}`)).body
    const idsOf = (list: unknown) =>
      (list as Array<{ executionId: string }>).map(({ executionId }) => executionId)
    const figures = await call({ ...other.session }, 'GET', `/web/task-figures?of=${name}`)
    return {
      status: (await call(headers, 'GET', `/executions/${id}`)).status,
      listed: [idsOf(history['executions']), history['total'], idsOf(detail['recentExecutions'])],
      previous: (
        (await call(headers, 'GET', `/executions/${later}`)).body['execution'] as {
          previousExecutionId?: string
        }
      ).previousExecutionId,
      figures: (figures.body['figures'] as Array<{ recent: unknown[] }>)[0]?.recent.length,
    }
  }
  const both = [[later, id], 2, [later, id]]
  assert.deepEqual(await read(other.key), { status: 200, listed: both, previous: id, figures: 2 })
  const move = { project: closed, ended_at: new Date() }
  await world.db.updateTable('meeting').set(move).where('id', '=', meeting).execute()
  const one = [[later], 1, [later]]
  const gone = { status: 404, listed: one, previous: undefined, figures: 1 }
  assert.deepEqual(await read(other.key), gone)
  assert.deepEqual((await read(owner.key)).listed, both)
  const cancel = await call(other.key, 'POST', `/tasks/${name}/executions/${id}/cancel`)
  assert.equal(cancel.status, 404)
  assert.equal((await call(other.key, 'GET', `/executions/${byDocument}`)).status, 200)
  await world.setAccess(open, 'private')
  assert.equal((await call(other.key, 'GET', `/executions/${byDocument}`)).status, 404)
})

test('the task of a removed user runs only after an editor has taken it over', async () => {
  const leaver = await world.addUser()
  const schedule = { promptName: 'own', cronExpression: '0 0 1 1 *' }
  const name = await createTask(leaver.key, schedule)
  const path = `/tasks/${name}`
  const taskNow = async () => (await call(other.key, 'GET', path)).body['task'] as object
  assert.partialDeepStrictEqual(await taskNow(), {
    owner: { id: leaver.userId, name: leaver.userId },
    canRun: true,
  })
  const execution = await endQueuedExecution(name, leaver.userId)
  assert.equal(execution, 'failed')
  assert.equal((await call(admin.session, 'DELETE', `/web/users/${leaver.userId}`)).status, 200)
  assert.partialDeepStrictEqual(await taskNow(), { owner: null, canRun: false, enabled: false })
  const refused = [
    await call(other.key, 'POST', `${path}/enable`),
    await call(other.key, 'PUT', path, { enabled: true }),
    await call(other.key, 'POST', `${path}/run`),
  ]
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body['code']]),
    refused.map(() => [409, 'task_owner_removed']),
  )
  assert.equal((await call(other.key, 'PUT', path, { timeout: 2_000 })).status, 200)
  const taken = await call(other.key, 'POST', `${path}/take-over`)
  assert.partialDeepStrictEqual(taken.body['task'], { owner: { id: other.userId }, canRun: true })
  assert.equal((await call(other.key, 'POST', `${path}/enable`)).status, 200)
  assert.equal((await run(other.key, name))['status'], 'completed')
  const audited = await world.db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'task taken over')
    .execute()
  assert.deepEqual(audited, [{ detail: leaver.userId }])
})

test('the project of a new task belongs to the user who creates the task', async () => {
  const project = createRandomName()
  const taken = await createTask(owner.key, { promptName: 'own' })
  const clash = { name: taken, promptName: 'own', project }
  assert.equal((await call(owner.key, 'POST', '/tasks', clash)).status, 409)
  // A task that is not created leaves no project.
  assert.equal((await call(owner.key, 'GET', `/projects/${project}/access`)).status, 404)
  const name = await createTask(owner.key, { promptName: 'own', project })
  const { body } = await call(owner.key, 'GET', `/projects/${project}/access`)
  assert.equal(body['access'], 'private')
  assert.equal((await call(other.key, 'GET', `/tasks/${name}`)).status, 404)
  const refused = { name: createRandomName(), promptName: 'own', project }
  assert.equal((await call(other.key, 'POST', '/tasks', refused)).status, 404)
})

test('what a task may not read does not keep it from finding what it may', async () => {
  const [open, closed] = [createRandomName(), createRandomName()]
  const { meeting } = await world.plant(open, `word${open}`)
  await world.setAccess(closed, 'private')
  // Newer, and more than a task looks at.
  await sql`insert into meeting (id, project, platform, url, room, label, callback_url, options, status, reason,
      started_at, ended_at, tasks_started)
    select id || n, ${closed}, platform, url, room, label, callback_url, options, status, reason,
      started_at + interval '1 hour', ended_at, true
    from meeting, generate_series(1, 60) as n where id = ${meeting}`.execute(world.db)
  await sql`insert into document_save (project, path, save_id, etag, saved_at, tasks_started)
    select ${closed}, 'n' || n, 's' || n, '', now() + interval '1 hour', true
    from generate_series(1, 60) as n`.execute(world.db)
  for (const on of ['meeting_ended', 'document_saved']) {
    const trigger = { on, projects: [open] }
    const name = await createTask(owner.key, { promptName: 'own', trigger })
    assert.ok((await run(owner.key, name))['triggeredBy'], on)
  }
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertError } from '../support/http/raw-requests.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startTaskService } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

const PROMPT = '---\nbuiltin: stats\n---\n'
const MEETING = { url: 'practice://standup', callbackUrl: 'http://127.0.0.1:9/hook' }
/** Each route that accepts an Idempotency-Key, with the last table that its transaction inserts into. */
const ROUTES = [
  { path: '/meetings/start', body: MEETING, status: 201, effects: 'meeting', blocked: 'lane' },
  {
    path: '/meetings/import',
    body: { content: 'Ada: Hello' },
    status: 201,
    effects: 'meeting',
    blocked: 'event',
  },
  {
    path: '/tasks',
    body: { name: 'b', promptName: 'stats' },
    status: 201,
    effects: 'task',
    blocked: 'task',
  },
  {
    path: '/tasks/a/run',
    body: undefined,
    status: 200,
    effects: 'execution',
    blocked: 'execution',
  },
]

const shared = openForFile(async () => {
  const tasks = await startTaskService({ stats: PROMPT })
  await tasks.create({ name: 'a', promptName: 'stats' })
  return tasks
})

for (const { path, body, status, effects, blocked } of ROUTES) {
  test(`a request to ${path} that lost its key to a newer request rolls its effect back`, async () => {
    const tasks = shared()
    await using observer = await connect(tasks.service.databaseUrl)
    await using blocker = await connect(tasks.service.databaseUrl)
    const send = () => tasks.ask('POST', path, body, { 'idempotency-key': path })
    const countEffects = () => observer.readNumber(`select count(*)::int as n from ${effects}`)
    const before = await countEffects()

    await blocker.query(`begin; lock table ${blocked} in share mode`)
    const older = send()
    await eventually(async () => ((await observer.countBlockedInserts(blocked)) > 0 ? true : null))
    // Does the same as another node that takes over an expired claim.
    await observer.query(
      `update idempotent_request set fence = fence + 1, claimed_until = now() - interval '1 second'`,
    )
    await blocker.query('commit')

    assertError(await older, 409, 'request_in_progress')
    assert.equal(await countEffects(), before)
    const served = await send()
    assert.equal(served.status, status)
    assert.equal(await countEffects(), before + 1)
    const repeated = await send()
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
    assert.equal(repeated.status, status)
    assert.deepEqual(repeated.body, served.body)
  })
}

async function connect(connectionString: string) {
  const client = new Client({ connectionString })
  await client.connect()
  const readNumber = async (text: string, values: unknown[] = []): Promise<number> =>
    (await client.query<{ n: number }>(text, values)).rows[0]?.n ?? 0
  return {
    query: (text: string) => client.query(text),
    readNumber,
    countBlockedInserts: (table: string) =>
      readNumber(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
        [`insert into "${table}"%`],
      ),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

import { strict as assert } from 'node:assert'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import type { FastifyApp } from '../../src/http/fastify-app.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { assertError, sendRequest } from '../support/http/raw-requests.ts'

const SECRET = 'secret detail /etc/x select password_hash from app_user'

/** Routes that throw errors: without a code, with an HTTP status, or with the code `:code` of a database or socket. */
function failingRoutes(app: FastifyApp): void {
  const config = { access: 'open', subject: 'none' } as const
  app.get('/failing/plain', { config }, async () => {
    throw new Error(SECRET)
  })
  app.get('/failing/text', { config }, async () => {
    // Libraries may throw values that are not errors.
    // oxlint-disable-next-line typescript/only-throw-error
    throw SECRET
  })
  app.get('/failing/claims-a-status', { config }, async () => {
    throw Object.assign(new Error(SECRET), { statusCode: 502 })
  })
  app.get('/failing/code/:code', { config }, async (request) => {
    throw Object.assign(new Error(SECRET), request.params)
  })
}

const sharedService = startServiceForFile({}, { routes: failingRoutes })

test('an unexpected error gets 500 with a generic message', async () => {
  const service = sharedService()
  const paths = ['plain', 'text', 'claims-a-status', 'code/XX000', 'code/42P01', 'code/23505']
  for (const path of paths) {
    const answer = await sendRequest(service.url, { path: `/failing/${path}` })
    assertError(answer, 500, 'internal', path)
    assert.equal(answer.body.error, 'Something went wrong inside the service')
    assert.deepEqual(Object.keys(answer.body).toSorted(), ['code', 'error', 'requestId'])
    assert.doesNotMatch(answer.text, /secret|etc/)
  }
})

test('a database error gets 503 with Retry-After and without the message of the database', async () => {
  const service = sharedService()
  const codes = {
    '53100': 'storage_full',
    '53300': 'database_unavailable',
    '53200': 'database_unavailable',
    '57P01': 'database_unavailable',
    '57P03': 'database_unavailable',
    '08006': 'database_unavailable',
    '3D000': 'database_unavailable',
    ECONNREFUSED: 'database_unavailable',
    ECONNRESET: 'database_unavailable',
    ETIMEDOUT: 'database_unavailable',
    ENOTFOUND: 'database_unavailable',
    EAI_AGAIN: 'database_unavailable',
    EHOSTUNREACH: 'database_unavailable',
  } as const
  const wrong: string[] = []
  for (const [code, expected] of Object.entries(codes)) {
    const answer = await sendRequest(service.url, { path: `/failing/code/${code}` })
    if (answer.status !== 503) wrong.push(`${code}: ${answer.status}`)
    else {
      assertError(answer, 503, expected, code)
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, code)
      assert.doesNotMatch(answer.text, /secret|etc/)
    }
  }
  assert.deepEqual(wrong, [])
})

test('text that the database cannot store gets 400, and 404 in a path', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { id } = await ada.createToken()
  assertError(await ada.post('/web/tokens', { name: 'a\u0000b' }), 400, 'invalid_request')
  assertError(await ada.put('/web/profile', { name: '\u0000' }), 400, 'invalid_request')
  for (const kind of ['tokens', 'sessions', 'users', 'invitations']) {
    assertError(await ada.delete(`/web/${kind}/${id}%00`), 404, 'not_found', kind)
  }
  const lone = await ada.post('/web/tokens', '{"name":"a\\ud800b"}')
  assertError(lone, 400, 'invalid_request')
})

test('an invalid forwarded address of any length does not cause an error', async () => {
  const service = sharedService()
  const noise = Array.from({ length: 80 }, (_, i) => hash('sha512', String(i), 'base64url')).join(
    '',
  )
  for (const address of [noise, 'unknown', "'", '::1%eth0']) {
    const person = service.anonymousClient(address)
    const body = { email: 'ada@example.com', password: 'wrong one' }
    const answer = await person.post('/web/sign-in', body)
    assertError(answer, 401, 'wrong_credentials', address.slice(0, 20))
  }
})

test('during an outage of the database, routes that need it and /readyz get 503; all work again after it', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { apiKey } = await ada.createToken()
  const ready = await ada.get('/readyz')
  assert.equal(ready.status, 200)
  await using database = await makeUnavailable(service.databaseUrl)

  const asks = {
    state: () => ada.get('/web/state'),
    tokens: () => ada.get('/web/tokens'),
    'sign-in': () => ada.post('/web/sign-in', { email: 'ada@example.com', password: 'wrong one' }),
    key: () => ada.get('/api/v1/token', { 'x-api-key': apiKey }),
    metrics: () => ada.get('/metrics'),
  }
  for (const [name, ask] of Object.entries(asks)) {
    const answer = await ask()
    assertError(answer, 503, 'database_unavailable', name)
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, name)
  }
  assert.equal((await ada.get('/healthz')).status, 200)
  assert.equal((await ada.get('/nothing')).status, 404)
  // The checks' result from before the outage is cached for a moment.
  const unready = await eventually(async () => {
    const answer = await ada.get('/readyz')
    return answer.status === 503 ? answer : null
  })
  assert.equal(unready.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(unready.body['status'], 'not ready')
  const rows = unready.body['checks'] as Array<{ name: string; ok: boolean; detail: string }>
  const failed = rows.filter(({ ok }) => !ok)
  assert.deepEqual(failed.map(({ name }) => name).toSorted(), ['database', 'migrations', 'roles'])
  for (const { detail } of failed) assert.equal(detail, 'failed')

  await database.restore()
  await eventually(async () => ((await ada.get('/web/tokens')).status === 200 ? true : null))
  await eventually(async () => ((await ada.get('/readyz')).status === 200 ? true : null))
  assert.equal((await ada.get('/api/v1/token', { 'x-api-key': apiKey })).status, 200)
})

/** Makes the database unavailable by renaming it, until `restore` is called. */
async function makeUnavailable(url: string) {
  const name = /\/(hansard_test_\w+)/.exec(url)?.[1] ?? ''
  const client = new Client({ connectionString: requireEnv('TEST_DATABASE_URL') })
  await client.connect()
  await client.query(`alter database ${name} allow_connections false`)
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
  await client.query(`alter database ${name} rename to ${name}_away`)
  let isUnavailable = true
  const restore = async () => {
    if (!isUnavailable) return
    isUnavailable = false
    await client.query(`alter database ${name}_away rename to ${name}`)
    await client.query(`alter database ${name} allow_connections true`)
  }
  return {
    restore,
    async [Symbol.asyncDispose]() {
      await restore()
      await client.end()
    },
  }
}

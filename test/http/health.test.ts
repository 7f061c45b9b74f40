import { strict as assert } from 'node:assert'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../support/time/eventually.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { THINGS, thingRoutes } from '../support/http/thing-routes.ts'
import { assertError, sendRequest } from '../support/http/raw-requests.ts'

const sharedService = startServiceForFile({}, { routes: thingRoutes })

test('/healthz says that the process is alive, without authentication', async () => {
  const service = sharedService()
  const { status, body, headers } = await service.anonymousClient().get('/healthz')
  assert.equal(status, 200)
  assert.equal(body['status'], 'ok')
  assert.match(String(body['version']), /^\d+\.\d+\.\d+/)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(headers.get('x-request-id') ?? '', /^req_/)
})

test('/readyz lists every check', async () => {
  const service = sharedService()
  const { status, body } = await service.anonymousClient().get('/readyz')
  assert.equal(status, 200)
  assert.equal(body['status'], 'ready')
  const rows = body['checks'] as Array<{ name: string; ok: boolean; detail: string }>
  const names = rows.map(({ name }) => name)
  assert.deepEqual(names, [
    'database',
    'heartbeat',
    'migrations',
    'disk',
    'documents',
    'clock',
    'roles',
  ])
  for (const { ok, detail } of rows) {
    assert.equal(ok, true)
    assert.ok(detail.length > 0)
  }
})

test('a broken selectors file is logged at the start and named by /readyz, while the node stays ready', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await using service = await startService({ HANSARD_SELECTORS_FILE: '/no/such/file' }, {}, log)
  assert.match(lines.join(''), /HANSARD_SELECTORS_FILE.*ENOENT.*ignored selectors file/)
  const { status, body } = await service.anonymousClient().get('/readyz')
  assert.deepEqual([status, body['status']], [200, 'ready'])
  assert.deepEqual((body['checks'] as unknown[]).at(-1), {
    name: 'selectors file',
    ok: false,
    detail: 'broken: the built-in selectors are in use; the log says why',
  })
})

test('/readyz gets 503 when disk space is low', async () => {
  await using service = await startService({ HANSARD_MIN_FREE_DISK_MB: '999999999' })
  assert.match((await readFailedChecks(service)).join(), /^disk: only \d+ MB free$/)
})

test('/readyz gets 503 when documents cannot be written', async () => {
  const service = sharedService()
  const docs = join(service.dataFolder, 'deployed-md-files/docs')
  rmSync(docs, { recursive: true, force: true })
  // A file in place of the folder also stops root, who ignores permissions.
  mkdirSync(dirname(docs), { recursive: true })
  writeFileSync(docs, '')
  assert.deepEqual(await readFailedChecks(service), ['disk: cannot be written: ENOTDIR'])
  rmSync(docs)
})

async function readFailedChecks(service: TestService): Promise<string[]> {
  // An earlier result of the checks is cached for a moment.
  const { body } = await eventually(async () => {
    const answer = await service.anonymousClient().get('/readyz')
    return answer.status === 503 ? answer : null
  })
  const rows = body['checks'] as Array<{ name: string; ok: boolean; detail: string }>
  return rows.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
}

test('/readyz and /metrics say when the clock of the machine differs from the database', async () => {
  const machineClock = { now: () => new Date(Date.now() + 25 * 3_600_000) }
  await using service = await startService({}, { machineClock })
  const { status, body } = await service.anonymousClient().get('/readyz')
  const rows = body['checks'] as Array<{ name: string; ok: boolean; detail: string }>
  assert.equal(status, 200)
  const clock = rows.find(({ name }) => name === 'clock')
  assert.match(clock?.detail ?? '', /^(89999|9000\d) s ahead of the database: set the clock/)
  const ada = await service.adminClient()
  const { apiKey } = await ada.createToken()
  const headers = { authorization: `Bearer ${apiKey}` }
  const { text } = await sendRequest(service.url, { path: '/metrics', headers })
  assert.match(text, /^hansard_clock_offset_seconds (89999|9000\d)/m)
  // Stored data has the database's time.
  const { body: listed } = await ada.get('/web/tokens')
  const [token] = listed['tokens'] as Array<{ createdAt: string }>
  assert.ok(Math.abs(Date.parse(token?.createdAt ?? '') - Date.now()) < 3_600_000)
})

test('/metrics, the documents for programs and /docs need an API key or a signed-in user', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { apiKey } = await ada.createToken()
  for (const path of ['/metrics', '/openapi.json', '/asyncapi.json', '/docs', '/docs/start.js']) {
    const nobody = await sendRequest(service.url, { path })
    assertError(nobody, 401, 'invalid_api_key', path)
    assert.match(nobody.headers.get('www-authenticate') ?? '', /^Bearer/)
    const empty = await sendRequest(service.url, { path, headers: { authorization: 'Bearer' } })
    assertError(empty, 401, 'invalid_api_key', path)
    const over = await sendRequest(service.url, { path, headers: { cookie: 'hansard=over' } })
    assertError(over, 401, 'not_signed_in', path)
    const wrong = await sendRequest(service.url, { path, headers: { 'x-api-key': 'sk_wrong' } })
    assertError(wrong, 401, 'invalid_api_key', path)
    assert.equal((await ada.get(path)).status, 200, path)
    const headers = { authorization: `Bearer ${apiKey}` }
    assert.equal((await sendRequest(service.url, { path, headers })).status, 200, path)
  }
})

test('/metrics counts requests by route pattern, never by path', async () => {
  const service = sharedService()
  const { apiKey } = await (await service.adminClient()).createToken()
  const headers = { 'x-api-key': apiKey }
  const paths = [`${THINGS}/first-thing`, `${THINGS}/second-thing`, '/hidden-path', '/%zz']
  for (const path of paths) await sendRequest(service.url, { path, headers })

  // A request is counted after its last byte is sent, which can be after the client has read it.
  const {
    status,
    text,
    headers: answered,
  } = await eventually(async () => {
    const answer = await sendRequest(service.url, { path: '/metrics', headers })
    return /route="unknown"/.test(answer.text) ? answer : null
  })
  assert.equal(status, 200)
  assert.match(answered.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const counts = text.split('\n').filter((line) => line.includes('duration_seconds_count'))
  const ofThings = counts.find((line) => line.includes(`route="${THINGS}/:id"`))
  assert.match(ofThings ?? '', /method="GET".*status="200".* 2$/)
  assert.ok(counts.some((line) => line.includes('route="unknown"') && line.includes('"404"')))
  assert.doesNotMatch(text, /first-thing|second-thing|hidden-path/)
  for (const line of text.trimEnd().split('\n')) {
    assert.match(line, /^(?:|# (?:HELP|TYPE) \w+ .*|\w+(?:\{.*\})? (?:-?[\d.e+-]+|Nan))$/i, line)
  }
  assert.match(text, /^hansard_database_connections\{state="idle"\} \d+$/m)
})

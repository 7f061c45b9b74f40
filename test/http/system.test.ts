import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { appendAudit, COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { describeNetworkFault } from '../../src/bots/browser/network/reachability/network-faults.ts'
import { createProgram } from '../../src/cli/program.ts'
import { HANSARD_BUILD } from '../../src/config/load-config.ts'
import { STANDARD_CHECKS } from '../../src/operations/doctor/checks.ts'
import { createLog } from '../../src/log.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startWithRoutes } from '../support/service/start-nodes.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const BOB = { name: 'Bob', email: 'bob@example.com', password: 'bobs own secret' }

const sharedService = openForFile(async () => {
  const service = await startWithRoutes()
  return Object.assign(service, { ada: await service.adminClient() })
})

async function openMember(service: TestService, ada: HttpClient): Promise<HttpClient> {
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  const bob = service.anonymousClient()
  await bob.post('/web/invitation/accept', { ...BOB, code: String(body['link']).split('#')[1] })
  return bob
}

test('the system routes reject members and anonymous callers', async () => {
  const service = sharedService()
  const { ada } = service
  const bob = await openMember(service, ada)
  const routes = service.routes.filter(
    ({ method, url }) => method !== 'HEAD' && url.startsWith('/web/system/'),
  )
  assert.ok(routes.length > 8)
  for (const { method, url } of routes) {
    const path = url.replace(':name', 'disk')
    const status = (person: HttpClient) =>
      person.request(method, path, method === 'POST' ? {} : undefined, {}).then((to) => to.status)
    assert.deepEqual([await status(bob), await status(service.anonymousClient())], [403, 401], url)
  }
})

test('the service runs each check of doctor and returns how to fix a failed one', async () => {
  await using service = await startService({ HANSARD_MIN_FREE_DISK_MB: '999999999' })
  const ada = await service.adminClient()
  const { body } = await ada.get('/web/system/checks')
  const names = (body['checks'] as Array<{ name: string; isDeep: boolean }>).filter(
    ({ isDeep }) => !isDeep,
  )
  assert.deepEqual(
    names.map(({ name }) => name),
    STANDARD_CHECKS.map(({ name }) => name),
  )
  const results = []
  for (const { name } of names) {
    const path = `/web/system/checks/${encodeURIComponent(name)}`
    const [one, same] = await Promise.all([ada.post(path), ada.post(path)])
    // Numbers may differ between the two runs.
    const [first, second] = [one, same].map(({ body }) =>
      JSON.stringify(body).replaceAll(/\d+/g, 'n'),
    )
    assert.equal(first, second)
    results.push(one.body)
  }
  assert.deepEqual(
    results.filter(({ ok }) => ok !== true).map(({ name }) => name),
    ['disk'],
  )
  const disk = results.find(({ name }) => name === 'disk')
  assert.match(String(disk?.['fix']), /free some space/)
  const port = results.find(({ name }) => name === 'port')
  assert.ok(String(port?.['detail']).includes(`127.0.0.1:${service.port}`))
  assert.equal((await ada.post('/web/system/checks/nothing')).status, 404)
})

test('the check of a website says what is wrong in the words of a failed join, and opens the site once in 15 seconds', async () => {
  const clock = createManualClock()
  const asked: string[] = []
  const probeSite = async (host: string) => {
    asked.push(host)
    const fault = { name: 'name_not_found', host, reason: 'ENOTFOUND' } as const
    return host === 'meet.google.com'
      ? ({ ok: false, fault } as const)
      : { ok: true as const, status: 200 }
  }
  await using service = await startService(
    { HANSARD_REACHABILITY_CHECK: 'on' },
    { clock, probeSite },
  )
  const ada = await service.adminClient()
  const check = async (name: string) =>
    (await ada.post(`/web/system/checks/${encodeURIComponent(name)}`)).body
  const fault = { name: 'name_not_found', host: 'meet.google.com', reason: 'ENOTFOUND' } as const
  const { what, fix } = describeNetworkFault(fault, 'Google Meet')
  assert.deepEqual(await check('Google Meet'), {
    name: 'Google Meet',
    ok: false,
    detail: what,
    fix,
  })
  assert.deepEqual(await check('Microsoft Teams'), {
    name: 'Microsoft Teams',
    ok: true,
    detail: 'teams.microsoft.com can be reached',
  })
  await check('Google Meet')
  await check('Microsoft Teams')
  assert.deepEqual(asked, ['meet.google.com', 'teams.microsoft.com'])
  // A success is not cached longer, because a bot may just have failed to open the site.
  clock.advance(20)
  await check('Google Meet')
  await check('Microsoft Teams')
  assert.deepEqual(asked.slice(2), ['meet.google.com', 'teams.microsoft.com'])
})

test('admins can read the versions, storage, newest backup and nodes of the instance', async () => {
  const service = sharedService()
  const { ada } = service
  const { body: versions } = await ada.get('/web/system/versions')
  assert.equal(versions['node'], process.versions.node)
  // Both name the commit, if there is one.
  assert.deepEqual([versions['service'], createProgram().version()], [HANSARD_BUILD, HANSARD_BUILD])
  assert.match(String(versions['postgres']), /^\d+/)
  // Without a browser on the machine, both are null.
  assert.ok(
    versions['browser'] === null ||
      ['sandbox', 'account'].includes(String(versions['browserIsolation'])),
  )
  const { body: before } = await ada.get('/web/system/storage')
  assert.equal(before['lastBackup'], null)
  assert.ok(Number(before['databaseBytes']) > 1_000_000)
  const at = new Date('2026-11-01T10:00:00.000Z')
  const { db, close } = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  await appendAudit(db, at, COMMAND_LINE_ACTOR, 'backup made', '/backups/old.tar.gz')
  await close()
  const { body: storage } = await ada.get('/web/system/storage')
  assert.deepEqual(storage['lastBackup'], { at: at.toISOString(), file: '/backups/old.tar.gz' })
  const { body } = await ada.get('/web/system/nodes')
  assert.partialDeepStrictEqual(body['nodes'], [{ isThis: true, isAlive: true, meetings: 0 }])
})

test('a model check runs only on demand, counts its tokens and never returns the provider key', async () => {
  let isDown = false
  await using models = await openModelServer(() =>
    isDown ? { status: 401, error: 'bad key hidden-word' } : { words: ['OK'] },
  )
  await using service = await startService({
    HANSARD_AI_MODEL: 'openai-compatible/small',
    HANSARD_AI_BASE_URL: models.url,
    HANSARD_AI_API_KEY: 'hidden-word',
    HANSARD_AI_RECAP_MODEL: 'off',
  })
  const ada = await service.adminClient()
  const { body: facts } = await ada.get('/web/system/models')
  assert.partialDeepStrictEqual(facts, {
    defaultModel: 'openai-compatible/small',
    coachModel: null,
    recapModel: null,
    askModel: 'openai-compatible/small',
  })
  assert.doesNotMatch(JSON.stringify(facts), /hidden-word/)
  assert.equal(models.requests.length, 0)

  const ask = (model: string) => ada.post('/web/system/models/check', { model })
  assert.partialDeepStrictEqual((await ask('openai-compatible/small')).body, { ok: true })
  assert.equal(models.requests.length, 1)
  const { apiKey } = await ada.createToken()
  const { body: usage } = await service
    .anonymousClient()
    .get('/api/v1/usage', { 'x-api-key': apiKey })
  assert.partialDeepStrictEqual(usage['usage'], [{ task: '(check)', inputTokens: 120 }])
  isDown = true
  const { body: refused } = await ask('openai-compatible/small')
  assert.equal(refused['ok'], false)
  assert.doesNotMatch(JSON.stringify(refused), /hidden-word/)
  assert.partialDeepStrictEqual((await ask('nobody/small')).body, {
    ok: false,
    detail: 'Unknown provider: nobody',
  })
  assert.equal((await ask('small')).status, 400)
})

test('an admin adds, checks and removes a bot account', async () => {
  const service = sharedService()
  const { ada } = service
  const cookie = {
    name: 'SID',
    value: 'hidden-word',
    domain: '.google.com',
    expires: 4_000_000_000,
  }
  const add = (state: unknown, more: object = {}) =>
    ada.post('/web/system/bot-accounts', {
      name: 'Notes bot',
      platform: 'google_meet',
      state: typeof state === 'string' ? state : JSON.stringify(state),
      ...more,
    })
  for (const bad of [
    '{',
    '[]',
    { cookies: [] },
    { cookies: [{ ...cookie, domain: 'evil.com' }] },
  ]) {
    const { status, body } = await add(bad)
    assert.equal(status, 400)
    assert.equal((body['details'] as Array<{ path: string }>)[0]?.path, 'state')
  }
  assert.equal((await add({ cookies: [cookie] }, { name: '<b>' })).status, 400)
  // A larger body than other routes accept.
  const wide = { cookies: [cookie, ...Array.from({ length: 200 }, wideCookie)] }
  const added = await add(wide, { limit: 2 })
  assert.equal(added.status, 201)
  assert.deepEqual(added.body, { isNew: true, isSignedIn: true })
  const { body } = await ada.get('/web/system/bot-accounts')
  assert.partialDeepStrictEqual(body['botAccounts'], [{ name: 'Notes bot', limit: 2, ok: true }])
  assert.doesNotMatch(JSON.stringify(body), /hidden-word/)
  const old = { cookies: [{ ...cookie, expires: 1_000_000_000 }] }
  assert.deepEqual((await add(old)).body, { isNew: false, isSignedIn: false })
  const { body: stale } = await ada.get('/web/system/bot-accounts')
  assert.partialDeepStrictEqual(stale['botAccounts'], [{ limit: 2, ok: false }])
  assert.equal((await ada.delete('/web/system/bot-accounts/Notes%20bot')).status, 200)
  assert.equal((await ada.delete('/web/system/bot-accounts/Notes%20bot')).status, 404)
})

function wideCookie(_: unknown, i: number) {
  return { name: `c${i}`, value: 'v'.repeat(1_000), domain: 'meet.google.com' }
}

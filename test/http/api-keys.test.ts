import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualClock } from '../support/time/manual-clock.ts'
import { eventually } from '../support/time/eventually.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'

const INVALID = 'Invalid API key'
const clock = createManualClock()
const sharedService = startServiceForFile({}, { clock })

test('an API key created in the console authenticates by either header', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { apiKey, id } = await ada.createToken({ name: 'backend' })
  const program = service.anonymousClient()

  const first = await program.get('/api/v1/token', { 'x-api-key': apiKey })
  assert.equal(first.status, 200)
  assert.equal((first.body['token'] as { id: string }).id, id)
  const second = await program.get('/api/v1/token', { authorization: `Bearer ${apiKey}` })
  assert.equal(second.status, 200)
  assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
})

test('every kind of invalid API key gets the same 401', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { apiKey } = await ada.createToken()
  const { apiKey: revoked, id } = await ada.createToken()
  await ada.delete(`/web/tokens/${id}`)
  const expiresAt = new Date(clock.now().getTime() + 1_000).toISOString()
  const { apiKey: expired } = await ada.createToken({ name: 'old', expiresAt })
  const late = await ada.post('/web/tokens', { name: 'late', expiresAt: '2020-01-01T00:00:00Z' })
  assert.equal(late.status, 400)
  assert.match(JSON.stringify(late.body['details']), /"path":"expiresAt"/)
  clock.advance(2)
  const program = service.anonymousClient()

  const cases: Record<string, Record<string, string>> = {
    missing: {},
    empty: { 'x-api-key': '' },
    malformed: { 'x-api-key': 'sk_short' },
    'wrong checksum': { 'x-api-key': `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}` },
    revoked: { 'x-api-key': revoked },
    expired: { 'x-api-key': expired },
    'two that differ': { 'x-api-key': apiKey, authorization: `Bearer ${revoked}` },
    'in the wrong scheme': { authorization: `Basic ${apiKey}` },
  }
  for (const [name, headers] of Object.entries(cases)) {
    for (const path of [
      '/api/v1/token',
      '/api/v1/nothing/here',
      '/api/v1',
      '/api/v1/token?api_key=' + apiKey,
    ]) {
      const { status, body, headers: answered } = await program.get(path, headers)
      assert.equal(status, 401, `${name} at ${path}`)
      assert.equal(body.error, INVALID)
      assert.equal(body.code, 'invalid_api_key')
      assert.equal(typeof body['requestId'], 'string')
      assert.match(answered.get('www-authenticate') ?? '', /^Bearer/)
    }
  }
})

test('a session cookie alone does not authenticate under /api/v1', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  assert.equal((await ada.get('/api/v1/token')).status, 401)
})

test('a revoked key is rejected immediately on the same node and soon on another node', async () => {
  await using nodes = await startTwoNodes()
  const { one, two } = nodes
  const ada = await one.adminClient()
  const { apiKey, id } = await ada.createToken()
  const statusOn = async (service: typeof one) =>
    (await service.anonymousClient().get('/api/v1/token', { 'x-api-key': apiKey })).status

  assert.equal(await statusOn(one), 200)
  assert.equal(await statusOn(two), 200)
  await ada.delete(`/web/tokens/${id}`)
  assert.equal(await statusOn(one), 401)
  await eventually(async () => ((await statusOn(two)) === 401 ? true : null))
})

test('the last use of a key is recorded', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const { apiKey, id } = await ada.createToken()
  await service.anonymousClient('203.0.113.9').get('/api/v1/token', { 'x-api-key': apiKey })

  const used = await eventually(async () => {
    const { body } = await ada.get('/web/tokens')
    const tokens = body['tokens'] as Array<{
      id: string
      lastUsedAt: string | null
      lastUsedFrom: string | null
    }>
    const token = tokens.find((one) => one.id === id)
    return token?.lastUsedAt ? token : null
  })
  assert.equal(used.lastUsedFrom, '203.0.113.9')
})

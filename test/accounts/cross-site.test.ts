import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ADMIN, startService } from '../support/service/start-service.ts'

test('a foreign page cannot make a token with somebody’s cookie', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  const attempts: Array<[name: string, headers: Record<string, string>]> = [
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['a sibling port', { origin: 'http://127.0.0.1:1' }],
    ['what the browser says of the site', { 'sec-fetch-site': 'cross-site' }],
    ['a sub-domain', { 'sec-fetch-site': 'same-site' }],
    ['no token', { 'x-csrf-token': '' }],
    ['a wrong token', { 'x-csrf-token': 'x'.repeat(43) }],
  ]
  for (const [name, headers] of attempts) {
    const answer = await ada.post('/web/tokens', { name: 'stolen' }, headers)
    assert.equal(answer.status, 403, name)
    assert.equal(answer.body.code, 'cross_site', name)
  }
  assert.deepEqual((await ada.get('/web/tokens')).body['tokens'], [])
})

test('a form of a foreign page cannot be sent as JSON by accident', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  const answer = await ada.post('/web/tokens', 'name=stolen', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.equal(answer.status, 415)
})

test('a foreign page cannot sign a person in or set the service up', async () => {
  await using service = await startService()
  const code = service.setupLink?.split('#')[1]
  const foreign = { origin: 'https://evil.example' }
  assert.equal(
    (await service.anonymousClient().post('/web/setup', { ...ADMIN, code }, foreign)).status,
    403,
  )
  await service.adminClient()
  assert.equal((await service.anonymousClient().post('/web/sign-in', ADMIN, foreign)).status, 403)
})

test('behind a proxy that changes the host, the public address counts as our own', async () => {
  await using service = await startService({ HANSARD_PUBLIC_URL: 'http://notes.example' })
  const code = service.setupLink?.split('#')[1]
  const answer = await fetch(`http://127.0.0.1:${service.port}/web/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://notes.example' },
    body: JSON.stringify({ ...ADMIN, code }),
  })
  assert.equal(answer.status, 201)
})

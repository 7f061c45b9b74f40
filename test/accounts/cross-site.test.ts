import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ADMIN } from '../support/service/admin-user.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { startService } from '../support/service/start-service.ts'

const sharedService = startServiceForFile()

test('a page of another site cannot create a token with a user’s cookie', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const attempts: Array<[name: string, headers: Record<string, string>]> = [
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['sec-fetch-site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['sec-fetch-site same-site', { 'sec-fetch-site': 'same-site' }],
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

test('a form body from another site is refused because it is not JSON', async () => {
  const service = sharedService()
  const ada = await service.adminClient()
  const answer = await ada.post('/web/tokens', 'name=stolen', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.equal(answer.status, 415)
})

test('a page of another site cannot sign a user in or set up the service', async () => {
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

test('the public URL counts as same origin behind a proxy that changes the host', async () => {
  await using service = await startService({ HANSARD_PUBLIC_URL: 'http://notes.example' })
  const code = service.setupLink?.split('#')[1]
  const answer = await fetch(`http://127.0.0.1:${service.port}/web/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://notes.example' },
    body: JSON.stringify({ ...ADMIN, code }),
  })
  assert.equal(answer.status, 201)
})

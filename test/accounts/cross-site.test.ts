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

test('a page of another site cannot set up the service or sign a user in, but the public URL can', async () => {
  const publicUrl = 'http://notes.example'
  // Behind a proxy that changes the host.
  await using service = await startService({ HANSARD_PUBLIC_URL: publicUrl })
  const setUp = { ...ADMIN, code: service.setupLink?.split('#')[1] }
  const post = async (path: string, body: object, origin: string) =>
    (await service.anonymousClient().post(path, body, { origin })).status
  const foreign = 'https://evil.example'
  assert.equal(await post('/web/setup', setUp, foreign), 403)
  assert.equal(await post('/web/setup', setUp, publicUrl), 201)
  assert.equal(await post('/web/sign-in', ADMIN, foreign), 403)
  assert.equal(await post('/web/sign-in', ADMIN, publicUrl), 200)
})

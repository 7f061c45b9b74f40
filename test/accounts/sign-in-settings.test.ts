import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createProviderFetch } from '../../src/app/configured-areas.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createNetworkPolicy } from '../../src/network/network-policy.ts'
import { startService } from '../support/service/start-service.ts'

const PROVIDER = {
  HANSARD_OIDC_ISSUER: 'https://id.example.com/realms/a/.well-known/openid-configuration',
  HANSARD_OIDC_CLIENT_ID: 'hansard',
}

test('with local sign-in off, passwords, invitations and reset links are refused, but the setup link works', async () => {
  await using service = await startService({ ...PROVIDER, HANSARD_LOCAL_SIGN_IN: 'off' })
  const ada = await service.adminClient()
  const { body } = await ada.get('/web/state')
  assert.deepEqual(body['signIn'], {
    hasLocal: false,
    provider: 'single sign-on',
    hasPasskeys: false,
  })
  const { id } = body['user'] as { id: string }
  const refused = [
    await service
      .anonymousClient()
      .post('/web/sign-in', { email: 'ada@example.com', password: 'x' }),
    await ada.post('/web/invitations', { role: 'member' }),
    await ada.post(`/web/users/${id}/reset-link`),
    await ada.post('/web/invitation/check', { code: 'x' }),
    await ada.post('/web/password-reset', { code: 'x', password: 'a long enough one' }),
    await ada.post('/web/passkeys/options'),
    await service.anonymousClient().post('/web/sign-in/passkey/options'),
  ]
  assert.deepEqual(
    refused.map((answer) => `${answer.status} ${answer.body.code}`),
    refused.map(() => '403 local_sign_in_off'),
  )
})

test('the settings of a provider are checked', () => {
  const parse = (env: Record<string, string>) =>
    parseConfig({ env: { ...PROVIDER, ...env }, root: '/' })
  assert.equal(parse({}).oidcIssuer, 'https://id.example.com/realms/a/')
  const issuer = 'https://id.example.com/realms/a'
  assert.equal(parse({ HANSARD_OIDC_ISSUER: issuer }).oidcIssuer, issuer)
  assert.deepEqual(
    parse({ HANSARD_OIDC_REGISTER_DOMAINS: 'A.example, b.example' }).oidcRegisterDomains,
    ['a.example', 'b.example'],
  )
  const wrong: Record<string, string>[] = [
    { HANSARD_OIDC_CLIENT_ID: '' },
    { HANSARD_OIDC_ISSUER: 'http://id.example.com' },
    { HANSARD_OIDC_ISSUER: 'https://id.example.com?tenant=a' },
    { HANSARD_OIDC_ISSUER: '', HANSARD_OIDC_CLIENT_ID: '', HANSARD_LOCAL_SIGN_IN: 'off' },
    { HANSARD_OIDC_CLIENT_SECRET: 'a', HANSARD_OIDC_CLIENT_SECRET_FILE: 'b' },
    { HANSARD_OIDC_REGISTER_DOMAINS: '@example.com' },
    { HANSARD_OIDC_ADMIN_GROUPS: 'a,,b' },
    { HANSARD_OIDC_SCOPES: 'email' },
  ]
  for (const env of wrong)
    assert.throws(() => parse(env), /HANSARD_(OIDC|LOCAL)/, JSON.stringify(env))
})

/** Sends requests to a provider at 127.0.0.1 that answers only on the path `/keys`. */
async function openProviderFetch() {
  const server = createServer((request, response) => {
    if (request.url === '/keys') response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const policy = createNetworkPolicy({
    level: 'public-only',
    allow: [],
    deny: [],
    ownPorts: () => [],
    database: null,
  })
  const { fetch, close } = createProviderFetch(`http://127.0.0.1:${port}`, policy)
  const options = { body: undefined, headers: {}, method: 'GET', redirect: 'manual' } as const
  const get = (url: string, signal = new AbortController().signal) =>
    fetch(url, { ...options, signal })
  return {
    port,
    get,
    async [Symbol.asyncDispose]() {
      await close()
      server.close()
      await once(server, 'close')
    },
  }
}

test('requests go to the origin of the provider, and to no other private address', async () => {
  await using provider = await openProviderFetch()
  const { port, get } = provider
  assert.equal(await (await get(`http://127.0.0.1:${port}/keys`)).text(), '{}')
  for (const host of [`127.0.0.2:${port}`, `localhost:${port}`, '169.254.169.254', '10.0.0.1'])
    await assert.rejects(get(`http://${host}/keys`), Error, host)
})

test('a request to a provider that never answers ends at its time limit', async () => {
  await using provider = await openProviderFetch()
  const url = `http://127.0.0.1:${provider.port}/silent`
  await assert.rejects(provider.get(url, AbortSignal.timeout(1)), { name: 'TimeoutError' })
})

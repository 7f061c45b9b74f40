import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { z } from 'zod'
import { API_TOKEN_SCOPES, type ApiTokenScope } from '../../src/accounts/roles.ts'
import { toOpenApiPath } from '../../src/http/openapi/document.ts'
import type { FastifyApp } from '../../src/http/fastify-app.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startWithRoutes } from '../support/service/start-nodes.ts'
import { thingRoutes } from '../support/http/thing-routes.ts'
import { assertError, sendRequest } from '../support/http/raw-requests.ts'

const SETS: readonly ApiTokenScope[][] = [
  ...API_TOKEN_SCOPES.map((scope) => [scope]),
  ...API_TOKEN_SCOPES.flatMap((one, i) => API_TOKEN_SCOPES.slice(i + 1).map((two) => [one, two])),
  [...API_TOKEN_SCOPES],
]

function pathOf(scopes: readonly ApiTokenScope[]): string {
  return `/api/v1/needs-${scopes.join('-or-')}`
}

function scopedRoutes(app: FastifyApp): void {
  for (const scopes of SETS) {
    app.get(
      pathOf(scopes),
      {
        config: { access: 'key', scopes, subject: 'none' },
        schema: { summary: 'Scoped', tags: ['Account'], response: { 200: z.object({}) } },
      },
      async () => ({}),
    )
  }
  thingRoutes(app)
}

const sharedService = openForFile(async () => {
  const service = await startWithRoutes({}, { routes: scopedRoutes })
  return Object.assign(service, { ada: await service.adminClient() })
})

test('without an API key every documented and registered API route gets 401', async () => {
  const service = sharedService()
  const { ada } = service
  const { body } = await ada.get('/openapi.json')
  const documented = Object.entries(body['paths'] as Record<string, object>).flatMap(
    ([path, operations]) =>
      Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path })),
  )
  const registered = service.routes
    .filter(({ url }) => url.startsWith('/api/'))
    .map(({ method, url }) => ({ method, path: toOpenApiPath(url) }))
  const names = (list: Array<{ method: string; path: string }>) =>
    list.map(({ method, path }) => `${method} ${path}`).toSorted()
  const withoutHead = registered.filter(({ method }) => method !== 'HEAD')
  assert.deepEqual(names(documented), names(withoutHead))
  assert.ok(registered.length > SETS.length)

  for (const { method, path } of registered) {
    const answer = await sendRequest(service.url, { method, path: path.replaceAll(/[{}]/g, '') })
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="api"')
    if (method === 'HEAD') assert.equal(answer.status, 401, path)
    else assertError(answer, 401, 'invalid_api_key', `${method} ${path}`)
  }
})

test('every route under /api needs a key, and every route under /web a session or the same site', async () => {
  const service = sharedService()
  for (const { method, url, access } of service.routes) {
    if (url.startsWith('/api/')) assert.equal(access, 'key', `${method} ${url}`)
    if (url.startsWith('/web/') && url !== '/web/state')
      assert.ok(
        ['same_site', 'session', 'admin'].includes(access ?? ''),
        `${method} ${url}: ${access}`,
      )
  }
  const open = service.routes.filter(({ access }) => access === 'open').map(({ url }) => url)
  assert.deepEqual([...new Set(open)].toSorted(), [
    '/',
    '/account',
    '/actions',
    '/ask',
    '/assets/*',
    '/connect',
    '/decisions',
    '/deliveries',
    '/deliveries/inbox',
    '/favicon.svg',
    '/feeds/digest/:secret',
    '/healthz',
    '/hooks/zoom',
    '/invite',
    '/meetings',
    '/meetings/:meetingId',
    '/new-prompt',
    '/oauth/authorize',
    '/projects',
    '/projects/:projectId',
    '/projects/:projectId/*',
    '/prompts',
    '/prompts/*',
    '/readyz',
    '/reset',
    '/runs/:executionId',
    '/s/:secret',
    '/search',
    '/setup',
    '/sign-in',
    '/system',
    '/tasks',
    '/tasks/:name',
    '/unsubscribe/:token',
    '/upcoming',
    '/web/state',
  ])
})

test('a key can call the routes of its scopes and gets 403 with a hint for all others', async () => {
  const service = sharedService()
  const { ada } = service
  for (const scopes of SETS) {
    const { apiKey } = await ada.createToken({ name: 'some', scopes })
    const headers = { 'x-api-key': apiKey }
    for (const needed of SETS) {
      const about = `a key with ${scopes.join()} at ${needed.join()}`
      const answer = await sendRequest(service.url, { path: pathOf(needed), headers })
      if (scopes.some((scope) => needed.includes(scope))) assert.equal(answer.status, 200, about)
      else {
        assertError(answer, 403, 'missing_scope', about)
        for (const scope of [...scopes, ...needed]) {
          assert.ok(String(answer.body['hint']).includes(scope), about)
        }
      }
    }
    assert.equal((await sendRequest(service.url, { path: '/api/v1/token', headers })).status, 200)
  }
})

test('a key without restricted scopes can call every route', async () => {
  const service = sharedService()
  const { apiKey } = await service.ada.createToken()
  for (const needed of SETS) {
    const headers = { 'x-api-key': apiKey }
    assert.equal((await sendRequest(service.url, { path: pathOf(needed), headers })).status, 200)
  }
})

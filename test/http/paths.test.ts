import { strict as assert } from 'node:assert'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { THINGS, thingRoutes } from '../support/http/thing-routes.ts'
import { assertError, sendRequest } from '../support/http/raw-requests.ts'

const sharedService = openForFile(async () => {
  const service = await startService({}, { routes: thingRoutes })
  const { apiKey } = await (await service.adminClient()).createToken()
  return Object.assign(service, { apiKey, key: { 'x-api-key': apiKey } })
})

const HTML = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
const UNKNOWN_PATHS = ['/nothing', '/nothing?x=1', '/web', '/web/nothing', '/s/a/b', '/account/x']

test('a program gets 404 as JSON for an unknown path', async () => {
  const { key, url } = sharedService()
  for (const path of [...UNKNOWN_PATHS, '/docs/none.js'])
    assertError(await sendRequest(url, { path }), 404, 'not_found', path)
  for (const path of ['/api/v1', '/api/v1/', '/api/v1/nothing', '/API/V1/token', '/api//v1//x']) {
    const answer = await sendRequest(url, { path, headers: { ...key, ...HTML } })
    assertError(answer, 404, 'not_found', path)
  }
  assertError(await sendRequest(url, { path: '/api/v2', headers: HTML }), 404, 'not_found')
})

test('a browser gets the page of the console with 404 for an unknown path', async () => {
  const { url } = sharedService()
  for (const path of UNKNOWN_PATHS) {
    const { status, headers, text } = await sendRequest(url, { path, headers: HTML })
    assert.equal(status, 404, path)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
    assert.match(headers.get('content-security-policy') ?? '', /'nonce-/, path)
    assert.match(text, /<div id="root">/, path)
  }
  const posted = await sendRequest(url, { method: 'POST', path: '/nothing', headers: HTML })
  assertError(posted, 404, 'not_found')
})

test('an asset that does not exist gets 404', async () => {
  const service = sharedService()
  for (const path of ['/assets/nothing.js', '/assets/', '/assets/.hidden', '/assets/a/b/c.css'])
    assertError(await sendRequest(service.url, { path }), 404, 'not_found', path)
})

test('a known path gets 405 with Allow for every method that it does not support', async () => {
  const { url, key } = sharedService()
  const cases: Array<{ path: string; allow: string }> = [
    { path: '/api/v1/token', allow: 'GET, HEAD' },
    { path: '/api/v1/token/', allow: 'GET, HEAD' },
    { path: '/api/v1/token?x=1', allow: 'GET, HEAD' },
    { path: THINGS, allow: 'POST' },
    { path: `${THINGS}/a%20b`, allow: 'GET, HEAD' },
    { path: '/healthz', allow: 'GET, HEAD' },
    { path: '/web/tokens', allow: 'GET, HEAD, POST' },
    { path: '/web/tokens/tok_1', allow: 'DELETE' },
    { path: '/account', allow: 'GET, HEAD' },
  ]
  for (const { path, allow } of cases) {
    const allowed = allow.split(', ')
    // A CONNECT request has no path.
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && !allowed.includes(name))) {
      const answer = await sendRequest(url, { method, path, headers: key })
      assert.equal(answer.headers.get('allow'), allow, `${method} ${path} ${answer.text}`)
      if (method !== 'HEAD') assertError(answer, 405, 'method_not_allowed', `${method} ${path}`)
    }
  }
})

test('an unknown path gets 404 and a wrong method 405, also with an invalid body', async () => {
  const { url, key } = sharedService()
  const bodies = { 'text/plain': 'a', 'application/json': '{', 'x/y': 'z'.repeat(70_000) }
  for (const [type, body] of Object.entries(bodies)) {
    const headers = { ...key, 'content-type': type }
    const lost = await sendRequest(url, { method: 'POST', path: '/nothing', headers, body })
    assertError(lost, 404, 'not_found', type)
    const wrong = await sendRequest(url, { method: 'PUT', path: THINGS, headers, body })
    assertError(wrong, 405, 'method_not_allowed', type)
  }
})

test('without an API key a wrong method does not reveal whether a path exists', async () => {
  const service = sharedService()
  for (const method of ['PUT', 'PROPFIND', 'OPTIONS', 'TRACE']) {
    for (const path of [THINGS, '/api/v1/nothing']) {
      const answer = await sendRequest(service.url, { method, path })
      assertError(answer, 401, 'invalid_api_key', `${method} ${path}`)
      assert.equal(answer.headers.get('allow'), null)
    }
  }
})

test('a path with invalid percent-encoding gets 404', async () => {
  const { url, key } = sharedService()
  const broken = ['%zz', '%', '%E0%A4%A', '%ff', '%C0%80', '%ED%A0%80', 'a%2']
  for (const part of broken) {
    for (const folder of ['/', '/web/tokens/', '/assets/', `${THINGS}/`]) {
      const answer = await sendRequest(url, { path: `${folder}${part}`, headers: key })
      assertError(answer, 404, 'not_found', `${folder}${part}`)
    }
  }
})

test('a path under /api/v1 with invalid percent-encoding still needs an API key', async () => {
  const service = sharedService()
  const path = `${THINGS}/%zz`
  assertError(await sendRequest(service.url, { path }), 401, 'invalid_api_key')
})

test('a path parameter that no resource can have gets 404', async () => {
  const { url, key } = sharedService()
  const long = 'x'.repeat(101)
  for (const path of [`${THINGS}/%00`, '/api/v1/meetings/%00', `/api/v1/meetings/${long}`])
    assertError(await sendRequest(url, { path, headers: key }), 404, 'not_found', path)
})

test('a fixed path is not treated as a path parameter for other methods', async () => {
  const { url, key } = sharedService()
  const cases = [
    { method: 'GET', path: '/api/v1/meetings/start', allow: 'POST' },
    { method: 'DELETE', path: '/api/v1/meetings/stop?x=1', allow: 'POST' },
    { method: 'PUT', path: '/api/v1/meetings/start', allow: 'POST' },
    { method: 'DELETE', path: '/api/v1/meetings/status', allow: 'GET, HEAD' },
  ]
  for (const { method, path, allow } of cases) {
    const answer = await sendRequest(url, { method, path, headers: key })
    assertError(answer, 405, 'method_not_allowed', `${method} ${path}`)
    assert.equal(answer.headers.get('allow'), allow, path)
  }
})

test('an encoded path under /api/v1 does not reveal whether it exists', async () => {
  const service = sharedService()
  for (const path of ['/%61pi/v1/nothing', '/%61pi/v1/token', '/api/%76%31/nothing', '/api%2Fv1/x'])
    assertError(await sendRequest(service.url, { path }), 401, 'invalid_api_key', path)
})

test('an unusual but valid path parameter reaches the route unchanged', async () => {
  const { url, key } = sharedService()
  for (const id of ['__proto__', 'a b', 'ä€😀', '..', '%', 'a/b', "'; drop table x"]) {
    const path = `${THINGS}/${encodeURIComponent(id)}`
    const answer = await sendRequest(url, { path, headers: key })
    assert.equal(answer.status, 200, path)
    assert.equal(answer.body['id'], id)
  }
  const twice = await sendRequest(url, { path: `${THINGS}/a?part=1&part=2`, headers: key })
  assertError(twice, 400, 'invalid_request')
  const odd = await sendRequest(url, {
    path: `${THINGS}/a?%zz&=&&part=%zz&__proto__=1`,
    headers: key,
  })
  assert.equal(odd.status, 200)
})

test('a URL over 8 KiB gets 414, and a path parameter that is too long gets 404', async () => {
  const { url, key } = sharedService()
  const long = (bytes: number) => `${THINGS}/a?x=${'y'.repeat(bytes - THINGS.length - 5)}`
  assert.equal((await sendRequest(url, { path: long(8 * 1024), headers: key })).status, 200)
  const past = await sendRequest(url, { path: long(8 * 1024 + 1), headers: key })
  assertError(past, 414, 'url_too_long')
  assertError(await sendRequest(url, { path: `/${'y'.repeat(10_000)}` }), 414, 'url_too_long')
  const parameter = await sendRequest(url, { path: `${THINGS}/${'y'.repeat(600)}`, headers: key })
  assertError(parameter, 404, 'not_found')
})

test('HEAD returns the headers of GET without the body', async () => {
  const { url, key } = sharedService()
  for (const path of ['/healthz', '/readyz', '/api/v1/token', '/metrics', '/openapi.json', '/']) {
    const got = await sendRequest(url, { path, headers: key })
    const head = await sendRequest(url, { method: 'HEAD', path, headers: key })
    assert.equal(head.status, 200, path)
    assert.equal(head.text, '', path)
    assert.equal(head.headers.get('content-type'), got.headers.get('content-type'), path)
  }
  assert.equal((await sendRequest(url, { method: 'HEAD', path: '/api/v1/token' })).status, 401)
  assert.equal((await sendRequest(url, { method: 'HEAD', path: '/nothing' })).status, 404)
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { THINGS, thingRoutes } from '../support/http/thing-routes.ts'
import { assertError, sendRequest, sendBytes } from '../support/http/raw-requests.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const LIMIT = 64 * 1024

const sharedService = openForFile(async () => {
  const service = await startService({}, { routes: thingRoutes })
  const ada = await service.adminClient()
  const { apiKey } = await ada.createToken()
  return Object.assign(service, { ada, apiKey })
})

function post(service: TestService & { apiKey: string }, body: string | Buffer, headers = {}) {
  return sendRequest(service.url, {
    method: 'POST',
    path: THINGS,
    headers: { 'x-api-key': service.apiKey, ...JSON_TYPE, ...headers },
    body,
  })
}

test('a body that is not JSON gets 400 invalid_json', async () => {
  const service = sharedService()
  const broken = ['{', '{"title":"a",}', 'title=a', "{'title':1}", 'undefined', '[1,']
  for (const body of broken) {
    assertError(await post(service, body), 400, 'invalid_json', body)
  }
  assertError(await post(service, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 400, 'invalid_json')
})

test('a body that is not valid UTF-8 gets 400, and a byte order mark is ignored', async () => {
  const service = sharedService()
  const text = Buffer.from('{"title":"?","isOpen":true}')
  const broken = Buffer.from(text)
  broken[text.indexOf('?')] = 0xff
  const answer = await post(service, broken)
  assertError(answer, 400, 'invalid_json')
  assert.match(String(answer.body.error), /UTF-8/)
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text])
  assert.deepEqual((await post(service, marked)).body['thing'], { title: '?', isOpen: true })
})

test('null counts as not given for an optional field, also inside an object', async () => {
  const service = sharedService()
  const send = (body: object) => post(service, JSON.stringify(body))
  const nulls = { count: null, place: { room: 'b', floor: null }, owner: null }
  const { status, body } = await send({ title: 'a', isOpen: true, ...nulls })
  assert.equal(status, 201)
  assert.deepEqual(body['thing'], { title: 'a', isOpen: true, place: { room: 'b' }, owner: null })
  assert.equal('warnings' in body, false)
  assert.equal((await send({ title: 'a', isOpen: true, place: null })).status, 201)
  const refused = await send({ title: null, isOpen: true, place: { room: null } })
  assertError(refused, 400, 'invalid_request')
  assert.deepEqual(
    refused.body['details'],
    ['title', 'place.room'].map((path) => ({
      path,
      message: 'Is missing: null counts as not given',
    })),
  )
})

test('a body that is null gets 400, also where the body is optional', async () => {
  const service = sharedService()
  const replay = (body: string) =>
    sendRequest(service.url, {
      method: 'POST',
      path: '/api/v1/meetings/meeting_1_a/events/replay',
      headers: { 'x-api-key': service.apiKey, ...JSON_TYPE },
      body,
    })
  for (const answer of [await post(service, 'null'), await replay('null')]) {
    assertError(answer, 400, 'invalid_request')
    assert.deepEqual(answer.body['details'], [
      { path: 'body', message: 'Must be a JSON object, in braces' },
    ])
  }
  for (const body of ['', '{}', '{"from":null,"callbackUrl":null}'])
    assertError(await replay(body), 404, 'meeting_not_found', body)
})

test('a missing field is named with the misspelt field that was sent instead', async () => {
  const service = sharedService()
  const body = { Title: 'a', is_open: true, place: { rom: 'b' }, count: 1.5 }
  assert.deepEqual((await post(service, JSON.stringify(body))).body['details'], [
    { path: 'title', message: 'Is missing; you sent Title, did you mean title?' },
    { path: 'isOpen', message: 'Is missing; you sent is_open, did you mean isOpen?' },
    { path: 'count', message: 'Must be a whole number' },
    { path: 'place.room', message: 'Is missing; you sent rom, did you mean room?' },
  ])
  const { details } = (await post(service, '{"title":""}')).body
  assert.deepEqual(details, [
    { path: 'title', message: 'Must not be empty' },
    { path: 'isOpen', message: 'Is missing' },
  ])
})

test('an empty body counts as a missing body', async () => {
  const service = sharedService()
  const empty = await post(service, '')
  assertError(empty, 400, 'invalid_request')
  assert.ok(Array.isArray(empty.body['details']))
  assertError(
    await sendRequest(service.url, {
      method: 'POST',
      path: THINGS,
      headers: { 'x-api-key': service.apiKey, 'content-length': '0' },
    }),
    400,
    'invalid_request',
  )
})

test('a text that PostgreSQL cannot store gets 400 with the name of its field', async () => {
  const service = sharedService()
  const message = 'Must not contain a NUL character or an unpaired surrogate'
  const text = '{"title":"a\\u0000b","isOpen":true,"place":{"room":"\\ud800"},"other":["\\udc00"]}'
  const answer = await post(service, text)
  assertError(answer, 400, 'invalid_request')
  assert.deepEqual(
    answer.body['details'],
    ['title', 'place.room', 'other.0'].map((path) => ({ path, message })),
  )
  assert.equal((await post(service, '{"title":"\\ud83d\\ude00","isOpen":true}')).status, 201)
})

test('types are never coerced, and the error names all problems', async () => {
  const service = sharedService()
  const wrong = { title: 7, isOpen: 'true', count: '5', place: { room: null } }
  const answer = await post(service, JSON.stringify(wrong))
  assertError(answer, 400, 'invalid_request')
  const details = answer.body['details'] as Array<{ path: string; message: string }>
  assert.deepEqual(details.map(({ path }) => path).toSorted(), [
    'count',
    'isOpen',
    'place.room',
    'title',
  ])
  for (const { message } of details) assert.ok(message.length > 0)

  for (const [field, value] of [
    ['isOpen', 1],
    ['isOpen', 'false'],
    ['isOpen', null],
    ['count', '5'],
    ['count', true],
    ['count', 1.5],
    ['title', ['a']],
    ['title', {}],
  ] as const) {
    const body = JSON.stringify({ title: 'a', isOpen: true, [field]: value })
    assertError(await post(service, body), 400, 'invalid_request', body)
  }
  for (const body of ['null', '[]', '"text"', '5', 'true', '[{"title":"a","isOpen":true}]']) {
    assertError(await post(service, body), 400, 'invalid_request', body)
  }
  const infinite = '{"title":"a","isOpen":true,"count":1e400}'
  assertError(await post(service, infinite), 400, 'invalid_request')
})

test('a body of 64 KiB is accepted and a larger one gets 413, with and without Content-Length', async () => {
  const service = sharedService()
  const sized = (bytes: number) => {
    const body = JSON.stringify({ title: 'a', isOpen: true })
    return `${body}${' '.repeat(bytes - body.length)}`
  }
  assert.equal((await post(service, sized(LIMIT))).status, 201)
  assertError(await post(service, sized(LIMIT + 1)), 413, 'body_too_large')
  const chunked = { 'transfer-encoding': 'chunked' }
  assert.equal((await post(service, sized(LIMIT), chunked)).status, 201)
  assertError(await post(service, sized(LIMIT + 1), chunked), 413, 'body_too_large')
  assertError(await post(service, sized(2 * LIMIT), chunked), 413, 'body_too_large')
})

test('a body with a huge Content-Length is rejected before it is sent', async () => {
  const service = sharedService()
  const answer = await sendBytes(
    service.url,
    `POST ${THINGS} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${service.apiKey}\r\n` +
      'content-type: application/json\r\ncontent-length: 99999999999\r\n\r\n{',
  )
  assertError(answer, 413, 'body_too_large')
})

test('deeply nested JSON gets 400', async () => {
  const service = sharedService()
  const arrays = '['.repeat(10_000) + ']'.repeat(10_000)
  const objects = '{"place":'.repeat(7_000) + '1' + '}'.repeat(7_000 / 4)
  const inside = `{"title":"a","isOpen":true,"more":${arrays}}`
  for (const body of [arrays, inside, objects.slice(0, LIMIT)]) {
    assertError(await post(service, body), 400, 'invalid_json')
  }
  const flat = `{"title":"${'['.repeat(49)}","isOpen":true,"more":[${'[],'.repeat(9_000)}[]]}`
  assert.equal((await post(service, flat)).status, 201)
})

test('__proto__ and constructor are unknown fields like any other', async () => {
  const service = sharedService()
  const before = Reflect.ownKeys(Object.prototype)
  const body =
    '{"title":"a","isOpen":true,"__proto__":{"isAdmin":true},' +
    '"constructor":{"prototype":{"isAdmin":true}},"place":{"room":"b","__proto__":{"isAdmin":true}}}'
  const { status, body: answer } = await post(service, body)
  assert.equal(status, 201)
  const warnings = answer['warnings'] as Array<{ path: string }>
  assert.deepEqual(warnings.map(({ path }) => path).toSorted(), [
    '__proto__',
    'constructor',
    'place.__proto__',
  ])
  assert.deepEqual(answer['thing'], { title: 'a', isOpen: true, place: { room: 'b' } })
  assert.deepEqual(Reflect.ownKeys(Object.prototype), before)
  assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined)
})

test('an unknown field is ignored with a warning that suggests the most similar known field', async () => {
  const service = sharedService()
  const body = JSON.stringify({ title: 'a', isOpen: true, isopen: false, coumt: 3, colour: 'red' })
  const { status, body: answer } = await post(service, body)
  assert.equal(status, 201)
  assert.deepEqual(answer['warnings'], [
    { path: 'isopen', message: 'Unknown field, ignored; did you mean isOpen?' },
    { path: 'coumt', message: 'Unknown field, ignored; did you mean count?' },
    { path: 'colour', message: 'Unknown field, ignored' },
  ])
  const plain = await post(service, JSON.stringify({ title: 'a', isOpen: true }))
  assert.equal('warnings' in plain.body, false)
  const refused = await post(service, JSON.stringify({ title: 'a', colour: 'red' }))
  assertError(refused, 400, 'invalid_request')
})

test('every account route with a body warns about unknown fields', async () => {
  const service = sharedService()
  const { ada } = service
  const { link } = (await ada.post('/web/invitations', { role: 'member' })).body
  const code = String(link).split('#')[1]
  const password = 'correct horse battery'
  const visitor = service.anonymousClient()
  const answers = {
    token: await ada.post('/web/tokens', { name: 'a', colour: 'red' }),
    invitation: await ada.post('/web/invitations', { colour: 'red' }),
    profile: await ada.put('/web/profile', { name: 'Ada', colour: 'red' }),
    check: await visitor.post('/web/invitation/check', { code, colour: 'red' }),
    accept: await visitor.post('/web/invitation/accept', {
      code,
      password,
      name: 'Bob',
      email: 'bob@example.com',
      colour: 'red',
    }),
    'sign-in': await visitor.post('/web/sign-in', {
      password,
      email: 'bob@example.com',
      colour: 'red',
    }),
  }
  for (const [name, { status, body }] of Object.entries(answers)) {
    assert.ok(status < 300, `${name}: ${status}`)
    assert.deepEqual(
      body['warnings'],
      [{ path: 'colour', message: 'Unknown field, ignored' }],
      name,
    )
  }
})

test('a body without the JSON content type gets 415', async () => {
  const service = sharedService()
  const body = JSON.stringify({ title: 'a', isOpen: true })
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '///']
  for (const type of [...types, 'application/jsonx', 'text/json', ';', 'json']) {
    const answer = await post(service, body, { 'content-type': type })
    assertError(answer, 415, 'unsupported_media_type', type)
    assert.match(String(answer.body['hint']), /Content-Type: application\/json/)
  }
  const headers = { 'x-api-key': service.apiKey }
  const untyped = await sendRequest(service.url, { method: 'POST', path: THINGS, headers, body })
  assertError(untyped, 415, 'unsupported_media_type', 'no type')
  for (const type of ['application/json;charset=UTF-8', 'Application/JSON', 'application/json;x=1'])
    assert.equal((await post(service, body, { 'content-type': type })).status, 201, type)
})

test('an empty body of any content type counts as no body, with Content-Length and chunked', async () => {
  const service = sharedService()
  const types = ['text/plain', 'application/x-www-form-urlencoded', '///', ';', 'json', undefined]
  const framings: Array<Record<string, string>> = [
    { 'content-length': '0' },
    { 'transfer-encoding': 'chunked' },
    {},
  ]
  for (const type of [...types, 'application/json']) {
    for (const framing of framings) {
      const answer = await sendRequest(service.url, {
        method: 'POST',
        path: '/api/v1/tasks/none/disable',
        headers: { 'x-api-key': service.apiKey, 'content-type': type, ...framing },
      })
      assertError(answer, 404, 'task_not_found', `${type} ${JSON.stringify(framing)}`)
    }
  }
})

test('a body with contradictory length headers gets 400', async () => {
  const service = sharedService()
  const head =
    `POST ${THINGS} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${service.apiKey}\r\n` +
    'content-type: application/json\r\n'
  const both = `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
  const badChunk = `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`
  const minus = `${head}content-length: -1\r\n\r\n{}`
  for (const bytes of [both, badChunk, minus]) {
    assertError(await sendBytes(service.url, bytes), 400, 'invalid_request', bytes)
  }
})

test('a long text in a large body is refused, except in the field that may have one', async () => {
  const { url, apiKey } = sharedService()
  const callTool = (name: string, toolArguments: object) =>
    sendRequest(url, {
      method: 'POST',
      path: '/mcp',
      headers: { 'x-api-key': apiKey, accept: 'application/json, text/event-stream', ...JSON_TYPE },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: toolArguments },
      }),
    })
  // Bodies above half a megabyte are parsed in a thread.
  for (const length of [100_000, 700_000]) {
    const long = 'x'.repeat(length)
    const refused = await callTool('list_meetings', { project: long })
    assertError(refused, 400, 'invalid_request')
    assert.partialDeepStrictEqual(refused.body, {
      details: [{ path: 'params.arguments.project' }],
    })
    const accepted = await callTool('import_transcript', { content: long })
    assert.equal(accepted.status, 200)
  }
})

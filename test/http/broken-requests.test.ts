import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { test } from 'node:test'
import type { FastifyApp } from '../../src/http/fastify-app.ts'
import { pino } from 'pino'
import { eventually } from '../support/time/eventually.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { assertError, openSocket, sendBytes, sendRequest } from '../support/http/raw-requests.ts'

const lines: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
const sharedService = startServiceForFile({}, {}, log)

test('bytes that are not HTTP get 400 as JSON, and the connection is closed', async () => {
  const service = sharedService()
  const broken = [
    'hello\r\n\r\n',
    'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
    'NONSENSE /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: x\r\na: b\u0000c\r\n\r\n',
    'GET /a b HTTP/1.1\r\nhost: x\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n',
  ]
  for (const bytes of broken) {
    assertError(await sendBytes(service.url, bytes), 400, 'invalid_request', JSON.stringify(bytes))
  }
})

test('headers over 16 KiB get 431', async () => {
  const service = sharedService()
  const head = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
  const one = `${head}x-big: ${'y'.repeat(17_000)}\r\n\r\n`
  const many = `${head}${'x-many: yyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(500)}\r\n`
  for (const bytes of [one, many]) {
    assertError(await sendBytes(service.url, bytes), 431, 'headers_too_large')
  }
  const below = await sendBytes(service.url, `${head}x-big: ${'y'.repeat(15_000)}\r\n\r\n`)
  assert.equal(below.status, 200)
})

test('a request without the header Host gets 400 as JSON', async () => {
  const service = sharedService()
  const answer = await sendBytes(service.url, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')
  assert.equal(answer.status, 400)
  assert.equal(typeof answer.body.error, 'string', answer.text)
})

test('a request with two headers Host gets 400', async () => {
  const service = sharedService()
  const head = 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'
  assertError(await sendBytes(service.url, head), 400, 'invalid_request')
})

test('a client that disconnects in the middle of a body is not logged as an error', async () => {
  const service = sharedService()
  const head = 'POST /web/sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\ncontent-type: '
  for (const rest of ['application/json\r\n\r\n{"em', 'text/plain\r\n\r\n']) {
    lines.length = 0
    await using socket = await openSocket(service.url)
    socket.write(head + rest)
    await sendRequest(service.url, { path: '/healthz' })
    socket.destroy()
    const line = await eventually(
      () => lines.find((text) => /client disconnected|request failed/.test(text)) ?? null,
    )
    assert.match(line, /"level":20\b.*"client disconnected"/, rest)
  }
})

test('an unknown expectation gets 417 as JSON', async () => {
  const service = sharedService()
  const head = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: miracles\r\n\r\n'
  const answer = await sendBytes(service.url, head)
  assert.equal(answer.status, 417)
  assert.equal(typeof answer.body.error, 'string', answer.text)
})

test('a request after the last allowed one of its connection is rejected as JSON', async () => {
  const service = sharedService()
  await using socket = await openSocket(service.url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_001))
  const answers = await eventually(() => {
    const all = Buffer.concat(chunks)
      .toString('utf8')
      .split(/(?=HTTP\/1\.1 \d)/)
    return all.length >= 1_001 || socket.readableEnded ? all : null
  })
  const refused = answers.filter((answer) => !answer.startsWith('HTTP/1.1 200 '))
  assert.ok(answers.length - refused.length >= 1_000)
  for (const answer of refused) assert.match(answer, /"error":"/)
})

test('a client that stops in the middle of a request, or does not use its connection, blocks neither other clients nor the shutdown', async () => {
  const seen: { server?: FastifyApp['server'] } = {}
  const service = await startService({}, { routes: ({ server }) => void (seen.server = server) })
  const { headersTimeout = 0, requestTimeout = 0 } = seen.server ?? {}
  assert.ok(headersTimeout > 0 && headersTimeout <= 15_000, `headers: ${headersTimeout} ms`)
  assert.ok(requestTimeout > 0 && requestTimeout <= 30_000, `request: ${requestTimeout} ms`)
  // Without time limits only the shutdown itself ends the unfinished requests.
  Object.assign(seen.server ?? {}, { headersTimeout: 0, requestTimeout: 0, timeout: 0 })
  await using inHeaders = await openSocket(service.url)
  await using inBody = await openSocket(service.url)
  inHeaders.write('GET /healthz HTTP/1.1\r\nhost: x\r\nx-half')
  inBody.write(
    'POST /web/sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"em',
  )
  await using _ = await openSocket(service.url)
  await using idle = await openSocket(service.url)
  idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  for (let i = 0; i < 20; i += 1) {
    assert.equal((await service.anonymousClient().get('/healthz')).status, 200)
  }
  await service[Symbol.asyncDispose]()
})

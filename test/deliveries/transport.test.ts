import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createConnectionPool } from '../../src/network/connection-pool.ts'
import type { ResolveHost } from '../../src/network/dns-lookups.ts'
import {
  NEVER_ABORTED,
  createTestPost,
  startLoopbackServer,
  OK_RESPONSE,
  createTestPolicy,
  startRawReceiver,
  startHttpReceiver,
  createTestTransport,
} from '../support/callbacks/loopback-receivers.ts'

test('a request arrives byte for byte with its headers, and its response is returned', async () => {
  const body = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))
  await using there = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  await using transport = createTestTransport()
  const headers = { 'X-Service-Event': 'meeting_status', 'content-type': 'application/json' }
  const url = `${there.url}/a%20b/é?c=d&e=%00#f`
  const posted = await transport.post(createTestPost(url, { body, headers }), NEVER_ABORTED)
  const { durationMs, ...rest } = posted
  assert.deepEqual(rest, { status: 200, error: null, answer: 'ok', retryAfterMs: null })
  assert.ok(durationMs >= 0)
  const [request] = there.requests
  assert.match(request?.head ?? '', /^POST \/hook\/a%20b\/%C3%A9\?c=d&e=%00 HTTP\/1\.1\r\n/)
  assert.match(request?.head ?? '', /\r\nx-service-event: meeting_status\r\n/i)
  assert.match(request?.head ?? '', new RegExp(`\r\nhost: 127\\.0\\.0\\.1:${there.port}\r\n`))
  assert.ok(request?.body.equals(body))
})

test('the status, body and Retry-After of a response are returned unchanged', async () => {
  await using there = await startHttpReceiver((request, response) => {
    const status = Number(request.url?.slice('/hook/'.length))
    if (status === 503) response.setHeader('retry-after', '7')
    response.writeHead(status).end(status === 204 ? undefined : `it is ${status}`)
  })
  await using transport = createTestTransport()
  for (const status of [200, 201, 204, 304, 400, 401, 410, 429, 500, 503]) {
    const posted = await transport.post(createTestPost(`${there.url}/${status}`), NEVER_ABORTED)
    assert.equal(posted.status, status)
    assert.equal(posted.error, null)
    assert.equal(posted.retryAfterMs, status === 503 ? 7_000 : null)
    assert.equal(posted.answer, [204, 304].includes(status) ? '' : `it is ${status}`)
  }
  assert.equal(there.connections(), 1)
})

test('of a receiver at a private address only the status is returned when its responses are not shown', async () => {
  await using there = await startHttpReceiver((request, response) => {
    const status = Number(request.url?.slice('/hook/'.length))
    response.writeHead(status).end('an internal page')
  })
  const resolve: ResolveHost = (_, __, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  await using transport = createTestTransport({ resolve, showsPrivateAnswers: false })
  const byName = `http://named.example:${there.port}/hook`
  for (const url of [`${there.url}/200`, `${byName}/200`, `${byName}/500`, `${there.url}/404`]) {
    const { status, error, answer } = await transport.post(createTestPost(url), NEVER_ABORTED)
    assert.deepEqual([status, error], [Number(url.slice(-3)), null])
    assert.equal(answer, 'Not shown, because the receiver is at a private address')
  }
})

test('a redirect is returned and never followed', async () => {
  let hits = 0
  await using target = await startHttpReceiver((_, response) => {
    hits += 1
    response.end()
  })
  await using there = await startHttpReceiver((request, response) => {
    const status = Number(request.url?.slice('/hook/'.length))
    response.writeHead(status, { location: target.url, refresh: `0; url=${target.url}` }).end()
  })
  await using transport = createTestTransport()
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    assert.equal(
      (await transport.post(createTestPost(`${there.url}/${status}`), NEVER_ABORTED)).status,
      status,
    )
  }
  assert.equal(hits + target.connections(), 0)
})

test('early hints do not count as the response', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'
  await using there = await startRawReceiver(({ socket, nth }) => {
    if (nth === 1) socket.write(`${hints}${OK_RESPONSE}`)
    else socket.end(hints)
  })
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.answer], [200, 'ok'])
  const hinted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([hinted.status, hinted.error], [null, 'connection_reset'])
})

test('interim responses that were not asked for are skipped', async () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nx: y\r\n\r\n'
  await using there = await startRawReceiver(({ socket }) => {
    socket.write(interim.slice(0, 9))
    socket.write(`${interim.slice(9)}HTTP/1.1 100 Continue\r\n\r\n${OK_RESPONSE}`)
  })
  await using transport = createTestTransport()
  for (let round = 1; round <= 3; round += 1) {
    const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
    assert.deepEqual([posted.status, posted.error, posted.answer], [200, null, 'ok'])
  }
  assert.equal(there.connections(), 1)
  await using silent = await startRawReceiver(({ socket }) => {
    socket.end('HTTP/1.1 100 Continue\r\n\r\n')
  })
  const posted = await transport.post(createTestPost(silent.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'connection_reset'])
  await using endless = await startRawReceiver(({ socket }) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000))
  })
  const refused = await transport.post(createTestPost(endless.url), NEVER_ABORTED)
  assert.deepEqual([refused.status, refused.error], [null, 'bad_answer'])
})

test('an HTTP/1.0 response is accepted', async () => {
  await using there = await startRawReceiver(({ socket }) =>
    socket.end('HTTP/1.0 202 Fine\r\n\r\nthanks'),
  )
  await using transport = createTestTransport()
  for (let round = 1; round <= 2; round += 1) {
    const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
    assert.deepEqual([posted.status, posted.error, posted.answer], [202, null, 'thanks'])
    assert.equal(there.connections(), round)
  }
})

test('a response that arrives before the whole request was sent counts', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.pause()
      socket.write(OK_RESPONSE)
    })
  })
  await using there = await startLoopbackServer(server)
  await using transport = createTestTransport()
  const body = Buffer.alloc(32 * 1_048_576)
  for (let round = 1; round <= 2; round += 1) {
    const posted = await transport.post(createTestPost(there.url, { body }), NEVER_ABORTED)
    assert.deepEqual([posted.status, posted.error, posted.answer], [200, null, 'ok'])
    // The rest of the request would block the next request, so the connection is not reused.
    assert.equal(there.connections(), round)
  }
})

test('only the start of a huge response is read', async () => {
  const chunk = Buffer.alloc(65_536, 'y')
  await using there = await startHttpReceiver((_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [200, null])
  assert.equal(posted.answer, 'y'.repeat(2_048))
  await there.allClosed()
})

test('a response body is returned as at most two KiB of valid text', async () => {
  const answers: Array<[Buffer, string]> = [
    [Buffer.from('a\0b'), 'a\ufffdb'],
    [Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    [Buffer.from('\ufeffa'), 'a'],
    [Buffer.from('é'.repeat(2_000)), 'é'.repeat(1_024)],
    [Buffer.from(`x${'é'.repeat(2_000)}`), `x${'é'.repeat(1_023)}`],
    [Buffer.from(`xyz${'😀'.repeat(2_000)}`), `xyz${'😀'.repeat(511)}`],
    [Buffer.alloc(10_000, 0xff), '\ufffd'.repeat(682)],
  ]
  await using there = await startHttpReceiver((request, response) => {
    response.end(answers[Number(request.url?.slice('/hook/'.length))]?.[0])
  })
  await using transport = createTestTransport()
  for (const [i, [, expected]] of answers.entries()) {
    const { answer } = await transport.post(createTestPost(`${there.url}/${i}`), NEVER_ABORTED)
    assert.equal(answer, expected)
  }
})

test('a header value cannot inject another header', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  await using transport = createTestTransport()
  const wrong: Array<Record<string, string>> = [
    { 'x-title': 'a\r\nx-injected: b' },
    { 'x-title': 'a\nb' },
    { 'x-title': 'a\0' },
    { 'x-title': '会議' },
    { 'x-a: b\r\nx-injected': 'c' },
    { 'transfer-encoding': 'chunked' },
    { 'content-length': '3' },
  ]
  for (const headers of wrong) {
    const post = transport.post(createTestPost(there.url, { headers }), NEVER_ABORTED)
    await assert.rejects(post, { code: /^UND_ERR_(?:INVALID_ARG|REQ_CONTENT_LENGTH_MISMATCH)$/ })
  }
  assert.deepEqual(there.requests, [])
  assert.equal((await transport.post(createTestPost(there.url), NEVER_ABORTED)).status, 200)
})

test('an aborted request rejects with the reason of the signal and closes its connection', async () => {
  const stop = new AbortController()
  const reason = new Error('the meeting is deleted')
  await using there = await startRawReceiver(() => stop.abort(reason))
  await using transport = createTestTransport()
  await assert.rejects(transport.post(createTestPost(there.url), stop.signal), reason)
  await there.allClosed()
  await assert.rejects(transport.post(createTestPost(there.url), stop.signal), reason)
  assert.equal(there.connections(), 1)
})

test('a disposed transport closes its connections and rejects further requests', async () => {
  const server = await startRawReceiver(({ socket, nth }) => {
    if (nth === 1) socket.write(OK_RESPONSE)
    else socket.emit('requested')
  })
  await using there = server
  const transport = createTestTransport()
  await transport.post(createTestPost(there.url), NEVER_ABORTED)
  const requested = once(there.requests[0]!.socket, 'requested')
  const hanging = assert.rejects(transport.post(createTestPost(there.url), NEVER_ABORTED), /closed/)
  await requested
  await transport[Symbol.asyncDispose]()
  await hanging
  await there.allClosed()
  await assert.rejects(transport.post(createTestPost(there.url), NEVER_ABORTED), /closed/)
  await transport[Symbol.asyncDispose]()
})

test('a connection acquired after the pool is disposed cannot send', async () => {
  await using there = await startHttpReceiver((_, response) => response.end())
  const pool = createConnectionPool(createTestPolicy(), null)
  await pool[Symbol.asyncDispose]()
  const { client } = pool.acquire(new URL(there.url).origin, 'fresh')
  await assert.rejects(client.request({ path: '/', method: 'POST' }), /destroyed/)
  assert.equal(there.connections(), 0)
})

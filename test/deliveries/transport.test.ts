import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createConnectionPool } from '../../src/deliveries/network/connection-pool.ts'
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

test('a post arrives byte for byte, with its headers, and the answer comes back', async () => {
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

test('what a receiver answers is passed on as it is', async () => {
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

test('a redirect is an answer and is never followed', async () => {
  let hits = 0
  await using canary = await startHttpReceiver((_, response) => {
    hits += 1
    response.end()
  })
  await using there = await startHttpReceiver((request, response) => {
    const status = Number(request.url?.slice('/hook/'.length))
    response.writeHead(status, { location: canary.url, refresh: `0; url=${canary.url}` }).end()
  })
  await using transport = createTestTransport()
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    assert.equal(
      (await transport.post(createTestPost(`${there.url}/${status}`), NEVER_ABORTED)).status,
      status,
    )
  }
  assert.equal(hits + canary.connections(), 0)
})

test('hints that come before the answer are not the answer', async () => {
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

test('a receiver of the old protocol is understood', async () => {
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

test('an answer that comes before the request was read counts', async () => {
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
    // The rest of the request is still in the way of whatever would follow on that connection.
    assert.equal(there.connections(), round)
  }
})

test('of a huge answer the start is kept and the rest is not read', async () => {
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

test('an answer is kept as text of two KiB at most, whatever the bytes are', async () => {
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

test('no header can bring in another one', async () => {
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

test('a signal ends a post with its reason and closes the connection', async () => {
  const stop = new AbortController()
  const reason = new Error('the meeting is deleted')
  await using there = await startRawReceiver(() => stop.abort(reason))
  await using transport = createTestTransport()
  await assert.rejects(transport.post(createTestPost(there.url), stop.signal), reason)
  await there.allClosed()
  await assert.rejects(transport.post(createTestPost(there.url), stop.signal), reason)
  assert.equal(there.connections(), 1)
})

test('a transport that is closed closes its connections, and posts no more', async () => {
  const server = await startRawReceiver(({ socket, nth }) => {
    if (nth === 1) socket.write(OK_RESPONSE)
    else socket.emit('asked')
  })
  await using there = server
  const transport = createTestTransport()
  await transport.post(createTestPost(there.url), NEVER_ABORTED)
  const asked = once(there.requests[0]!.socket, 'asked')
  const hanging = assert.rejects(transport.post(createTestPost(there.url), NEVER_ABORTED), /closed/)
  await asked
  await transport[Symbol.asyncDispose]()
  await hanging
  await there.allClosed()
  await assert.rejects(transport.post(createTestPost(there.url), NEVER_ABORTED), /closed/)
  await transport[Symbol.asyncDispose]()
})

test('a connection that is asked for after the end leads nowhere', async () => {
  await using there = await startHttpReceiver((_, response) => response.end())
  const connections = createConnectionPool(createTestPolicy(), null)
  await connections[Symbol.asyncDispose]()
  const { client } = connections.acquire(new URL(there.url).origin, 'fresh')
  await assert.rejects(client.request({ path: '/', method: 'POST' }), /destroyed/)
  assert.equal(there.connections(), 0)
})

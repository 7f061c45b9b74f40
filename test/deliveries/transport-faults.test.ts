import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ResolveHost } from '../../src/deliveries/network/dns-lookups.ts'
import { createTransport, type PostRequest } from '../../src/deliveries/network/transport.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  NEVER_ABORTED,
  createTestPost,
  OK_RESPONSE,
  createTestPolicy,
  startRawReceiver,
  startHttpReceiver,
  createTestTransport,
  type RawHttpRequest,
} from '../support/callbacks/loopback-receivers.ts'

const SHORT = { timeoutMs: 300 }

const answering =
  (...addresses: string[]): ResolveHost =>
  (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

test('a receiver that is down refuses the connection', async () => {
  const there = await startHttpReceiver(() => undefined)
  await there[Symbol.asyncDispose]()
  await using transport = createTestTransport()
  const { durationMs: _, ...posted } = await transport.post(
    createTestPost(there.url),
    NEVER_ABORTED,
  )
  const nothing = { status: null, answer: '', retryAfterMs: null }
  assert.deepEqual(posted, { ...nothing, error: 'connection_refused' })
})

test('a receiver that never answers costs its time and no more', async () => {
  await using there = await startRawReceiver(() => undefined)
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url, SHORT), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'timeout'])
  await there.allClosed()
})

test('a receiver that trickles its answer for ever is left at the end of the time', async () => {
  const trickle = (start: string) => (request: RawHttpRequest) => {
    request.socket.write(start)
    const timer = setInterval(() => request.socket.write('x'), 5)
    request.socket.on('close', () => clearInterval(timer))
  }
  const cases: Array<[string, number | null]> = [
    ['HTTP/1.1 200 OK\r\n\r\n', 200],
    ['HTTP/1.1 200 OK\r\nx-head: ', null],
  ]
  await using transport = createTestTransport()
  for (const [start, status] of cases) {
    await using there = await startRawReceiver(trickle(start))
    // Long enough for a status line to arrive on a machine that has much else to do.
    const posted = await transport.post(
      createTestPost(there.url, { timeoutMs: 2_500 }),
      NEVER_ABORTED,
    )
    assert.deepEqual([posted.status, posted.error], [status, 'timeout'])
    assert.ok(posted.answer.length <= 2_048)
    await there.allClosed()
    assert.equal(there.requests.length, 1)
  }
})

test('a new connection that is reset is a failure and not tried again', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.resetAndDestroy())
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'connection_reset'])
  assert.equal(there.requests.length, 1)
})

test('an answer that breaks off counts by its status', async () => {
  await using there = await startRawReceiver(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
  })
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [200, 'connection_reset'])
  assert.equal(posted.answer, 'half')
})

test('what is no HTTP is a bad answer', async () => {
  const answers = [
    'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n',
    '220 mail.example ESMTP ready\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n',
    `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]
  await using transport = createTestTransport()
  for (const answer of answers) {
    await using there = await startRawReceiver(({ socket }) => socket.write(answer))
    const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
    assert.deepEqual([posted.status, posted.error], [null, 'bad_answer'], answer.slice(0, 60))
    await there.allClosed()
  }
})

test('an answer that the client itself fails on is a bad answer, and is told', async () => {
  const told: string[] = []
  const onUnforeseen = (_: unknown, origin: string) => void told.push(origin)
  await using transport = createTransport({
    policy: createTestPolicy(),
    onUnexpectedError: onUnforeseen,
  })
  await using there = await startRawReceiver(({ socket }) => socket.end('HTTP/1.1 000 X\r\n\r\n'))
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'bad_answer'])
  assert.deepEqual(told, [new URL(there.url).origin])
  const headers = { 'x-title': 'a\nb' }
  await assert.rejects(transport.post(createTestPost(there.url, { headers }), NEVER_ABORTED))
  assert.equal(told.length, 1)
})

test('a kept connection that was closed meanwhile is replaced without a word', async () => {
  await using there = await startRawReceiver(({ socket, nthOnSocket }) => {
    // The first answer promises to stay; the second request finds out that it was not true.
    if (nthOnSocket === 1) socket.write(OK_RESPONSE)
    else socket.resetAndDestroy()
  })
  await using transport = createTestTransport()
  for (let round = 1; round <= 3; round += 1) {
    assert.equal((await transport.post(createTestPost(there.url), NEVER_ABORTED)).status, 200)
    assert.equal(there.connections(), round)
  }
  assert.equal(there.requests.length, 5)

  await using leaving = await startRawReceiver(({ socket }) => socket.end(OK_RESPONSE))
  for (let round = 1; round <= 3; round += 1) {
    assert.equal((await transport.post(createTestPost(leaving.url), NEVER_ABORTED)).status, 200)
    assert.equal(leaving.connections(), round)
  }
})

test('a post is sent twice only when a kept connection gave no byte of an answer', async () => {
  const seconds: Array<[string, (request: RawHttpRequest) => void, Partial<PostRequest>]> = [
    ['connection_reset', ({ socket }) => void socket.end('H'), {}],
    ['bad_answer', ({ socket }) => void socket.write('what?\r\n'), {}],
    ['timeout', () => undefined, SHORT],
  ]
  for (const [expected, second, parts] of seconds) {
    await using there = await startRawReceiver((request) => {
      if (request.nth === 1) request.socket.write(OK_RESPONSE)
      else second(request)
    })
    await using transport = createTestTransport()
    await transport.post(createTestPost(there.url), NEVER_ABORTED)
    const posted = await transport.post(createTestPost(there.url, parts), NEVER_ABORTED)
    assert.deepEqual([posted.status, posted.error], [null, expected])
    // Whoever gives up may be faster than the receiver, which shares this loop.
    await eventually(() => (there.requests.length >= 2 ? true : null))
    assert.equal(there.requests.length, 2, expected)
  }
  await using closing = await startRawReceiver(({ socket, nth }) => {
    if (nth === 1) socket.write(OK_RESPONSE)
    else socket.resetAndDestroy()
  })
  await using transport = createTestTransport()
  await transport.post(createTestPost(closing.url), NEVER_ABORTED)
  assert.equal(
    (await transport.post(createTestPost(closing.url), NEVER_ABORTED)).error,
    'connection_reset',
  )
  assert.equal(closing.requests.length, 3)
})

test('posts that hang do not hold up others to the same origin, in either pool', async () => {
  await using there = await startRawReceiver(({ socket, head }) => {
    if (!head.startsWith('POST /hook/hang')) socket.write(OK_RESPONSE)
  })
  const stop = new AbortController()
  await using transport = createTestTransport()
  const hanging = Array.from({ length: 40 }, (_, i) => {
    const pool = i % 2 === 0 ? 'healthy' : 'failing'
    return transport.post(createTestPost(`${there.url}/hang`, { pool }), stop.signal)
  })
  for (const pool of ['healthy', 'failing'] as const) {
    const posts = Array.from({ length: 40 }, () =>
      transport.post(createTestPost(there.url, { pool }), NEVER_ABORTED),
    )
    for (const { status } of await Promise.all(posts)) assert.equal(status, 200)
  }
  stop.abort(new Error('enough'))
  const outcomes = await Promise.allSettled(hanging)
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['rejected']))
})

test('the pools share no connections', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  await using transport = createTestTransport()
  for (const pool of ['healthy', 'failing', 'healthy', 'failing'] as const) {
    await transport.post(createTestPost(there.url, { pool }), NEVER_ABORTED)
  }
  assert.equal(there.connections(), 2)
})

test('an address that does not answer gives way to the next one of the name', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  await using transport = createTestTransport({ resolve: answering('::1', '127.0.0.1') })
  const url = `http://receiver.example:${there.port}/`
  assert.equal((await transport.post(createTestPost(url), NEVER_ABORTED)).status, 200)
  assert.match(
    there.requests[0]?.head ?? '',
    new RegExp(`host: receiver.example:${there.port}\r\n`),
  )
})

test('a name that does not exist is an error of the name', async () => {
  const resolve: ResolveHost = (name, _, callback) =>
    callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), [])
  await using transport = createTestTransport({ resolve })
  const posted = await transport.post(createTestPost('http://nowhere.example/'), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'dns_error'])
})

test('a name server that is silent costs the time of the post', async () => {
  await using transport = createTestTransport({ resolve: () => undefined })
  const posted = await transport.post(
    createTestPost('http://silent.example/', SHORT),
    NEVER_ABORTED,
  )
  assert.deepEqual([posted.status, posted.error], [null, 'timeout'])
})

test('nothing that leads to a closed address is ever dialled', async () => {
  await using canary = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  const literals = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']
  for (const answers of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['127.0.0.1', '127.0.0.1']]) {
    await using transport = createTestTransport({
      level: 'public-only',
      resolve: answering(...answers),
    })
    for (const host of [...literals, 'rebind.example', 'localhost.example']) {
      const posted = await transport.post(
        createTestPost(`http://${host}:${canary.port}/`),
        NEVER_ABORTED,
      )
      assert.deepEqual([posted.status, posted.error], [null, 'blocked_address'], host)
    }
  }
  const own = { ownPorts: () => [canary.port], resolve: answering('127.0.0.1') }
  await using transport = createTestTransport(own)
  for (const host of ['127.0.0.1', 'localhost', 'me.example']) {
    const posted = await transport.post(
      createTestPost(`http://${host}:${canary.port}/`),
      NEVER_ABORTED,
    )
    assert.deepEqual([posted.status, posted.error], [null, 'blocked_address'], host)
  }
  assert.equal(canary.connections(), 0)
})

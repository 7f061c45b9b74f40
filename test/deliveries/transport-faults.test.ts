import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ResolveHost } from '../../src/network/dns-lookups.ts'
import { createCallbackTransport, type PostRequest } from '../../src/deliveries/transport.ts'
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
import { eventually } from '../support/time/eventually.ts'
import { createManualTimers } from '../support/time/manual-timers.ts'

const SHORT = { timeoutMs: 300 }

const resolvesTo =
  (...addresses: string[]): ResolveHost =>
  (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

test('a receiver that is down fails with connection_refused', async () => {
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

test('a receiver that never answers times out and its connection closes', async () => {
  await using there = await startRawReceiver(() => undefined)
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url, SHORT), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'timeout'])
  await there.allClosed()
})

test('a receiver that trickles its response forever times out', async () => {
  const trickle = (start: string) => (request: RawHttpRequest) => {
    request.socket.write(start)
    const timer = setInterval(() => request.socket.write('x'), 5)
    request.socket.on('close', () => clearInterval(timer))
  }
  const cases: Array<[start: string, status: number | null, resultAfterMs: number]> = [
    ['HTTP/1.1 200 OK\r\n\r\n', 200, 1_000],
    ['HTTP/1.1 200 OK\r\nx-head: ', null, 20_000],
  ]
  for (const [start, status, resultAfterMs] of cases) {
    const timers = createManualTimers()
    await using transport = createTestTransport({ timers })
    await using there = await startRawReceiver(trickle(start))
    const isAnswering = Promise.withResolvers<void>()
    const post = createTestPost(there.url, { onStatus: () => isAnswering.resolve() })
    const posting = transport.post(post, NEVER_ABORTED)
    await eventually(() => (there.requests.length === 1 ? true : null))
    if (status !== null) await isAnswering.promise
    timers.advance(resultAfterMs)
    const posted = await posting
    assert.deepEqual([posted.status, posted.error], [status, 'timeout'])
    assert.ok(posted.answer.length <= 2_048)
    timers.advance(20_000 - resultAfterMs)
    await there.allClosed()
    assert.equal(there.requests.length, 1)
    assert.equal(timers.count(), 0)
  }
})

test('a reset of a new connection is a failure and is not retried', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.resetAndDestroy())
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'connection_reset'])
  assert.equal(there.requests.length, 1)
})

test('a response that breaks off counts by its status', async () => {
  await using there = await startRawReceiver(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
  })
  await using transport = createTestTransport()
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [200, 'connection_reset'])
  assert.equal(posted.answer, 'half')
})

test('a response that is not HTTP is a bad answer', async () => {
  const answers = [
    'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n',
    '220 mail.example ESMTP ready\r\n',
    'HTTP/1.1 abc\r\n\r\n',
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

test('a response whose body does not end reports its status at once and is read in the background', async () => {
  await using there = await startRawReceiver(({ socket, nth }) => {
    if (nth === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha')
    else socket.write(OK_RESPONSE)
  })
  await using transport = createTestTransport()
  const statuses: number[] = []
  const onStatus = (status: number) => void statuses.push(status)
  const posted = await transport.post(createTestPost(there.url, { onStatus }), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error, posted.answer], [200, 'timeout', 'ha'])
  assert.deepEqual(statuses, [200])
  // The rest arrives later, and the connection is reused.
  there.requests[0]?.socket.write('lf')
  await eventually(async () => {
    // As many concurrent requests as connections, so that each idle connection is used.
    const posts = Array.from({ length: there.connections() }, () =>
      transport.post(createTestPost(there.url), NEVER_ABORTED),
    )
    await Promise.all(posts)
    return there.requests.some(({ nthOnSocket, socket }) => {
      return nthOnSocket > 1 && socket === there.requests[0]?.socket
    })
      ? true
      : null
  })
})

test('at most eight responses of an origin are read in the background', async () => {
  await using there = await startRawReceiver(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha')
  })
  await using transport = createTestTransport()
  const posts = Array.from({ length: 12 }, () =>
    transport.post(createTestPost(there.url), NEVER_ABORTED),
  )
  for (const { status } of await Promise.all(posts)) assert.equal(status, 200)
  await eventually(() => (there.openConnections() === 8 ? true : null))
})

test('a response that crashes the HTTP client is a bad answer and is reported', async () => {
  const reported: string[] = []
  const onUnexpectedError = (_: unknown, origin: string) => void reported.push(origin)
  await using transport = createCallbackTransport({
    policy: createTestPolicy(),
    showsPrivateAnswers: true,
    onUnexpectedError,
  })
  await using there = await startRawReceiver(({ socket }) => socket.end('HTTP/1.1 000 X\r\n\r\n'))
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'bad_answer'])
  assert.deepEqual(reported, [new URL(there.url).origin])
  const headers = { 'x-title': 'a\nb' }
  await assert.rejects(transport.post(createTestPost(there.url, { headers }), NEVER_ABORTED))
  assert.equal(reported.length, 1)
})

test('a reset of a reused connection is reported and the request is not sent again', async () => {
  await using there = await startRawReceiver(({ socket, nthOnSocket }) => {
    // The first response keeps the connection alive, but the second request on it is reset.
    if (nthOnSocket === 1) socket.write(OK_RESPONSE)
    else socket.resetAndDestroy()
  })
  await using transport = createTestTransport()
  const post = async (parts: Partial<PostRequest> = {}) => {
    const posted = await transport.post(createTestPost(there.url, parts), NEVER_ABORTED)
    return [posted.status, posted.error, posted.wasStaleConnection]
  }
  for (let round = 1; round <= 3; round += 1) {
    assert.deepEqual(await post(), [200, null, undefined])
    assert.deepEqual(await post(), [null, 'connection_reset', true])
    assert.equal(there.connections(), round)
    assert.equal(there.requests.length, 2 * round)
  }
  for (let round = 4; round <= 6; round += 1) {
    assert.deepEqual(await post({ connection: 'fresh' }), [200, null, undefined])
    assert.equal(there.connections(), round)
  }
})

test('an idle connection that the receiver has closed is replaced', async () => {
  await using transport = createTestTransport()
  await using leaving = await startRawReceiver(({ socket }) => socket.end(OK_RESPONSE))
  for (let round = 1; round <= 3; round += 1) {
    assert.equal((await transport.post(createTestPost(leaving.url), NEVER_ABORTED)).status, 200)
    await leaving.allClosed()
    assert.equal(leaving.connections(), round)
  }
})

test('a reused connection is not stale after a byte of a response, a timeout or a reset of a fresh one', async () => {
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
    assert.equal(posted.wasStaleConnection, undefined)
    // The transport may time out before the receiver, which is in the same process, has read the request.
    await eventually(() => (there.requests.length >= 2 ? true : null))
    assert.equal(there.requests.length, 2, expected)
  }
  await using closing = await startRawReceiver(({ socket, nth }) => {
    if (nth === 1) socket.write(OK_RESPONSE)
    else socket.resetAndDestroy()
  })
  await using transport = createTestTransport()
  await transport.post(createTestPost(closing.url), NEVER_ABORTED)
  const fresh = createTestPost(closing.url, { connection: 'fresh' })
  const posted = await transport.post(fresh, NEVER_ABORTED)
  assert.deepEqual([posted.error, posted.wasStaleConnection], ['connection_reset', undefined])
  assert.equal(closing.requests.length, 2)
})

test('hanging requests do not delay other requests to the same origin, in either pool', async () => {
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
  stop.abort(new Error('stopped by the test'))
  const outcomes = await Promise.allSettled(hanging)
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['rejected']))
})

test('the healthy and the failing pool share no connections', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  await using transport = createTestTransport()
  for (const pool of ['healthy', 'failing', 'healthy', 'failing'] as const) {
    await transport.post(createTestPost(there.url, { pool }), NEVER_ABORTED)
  }
  assert.equal(there.connections(), 2)
})

test('when one address of a host does not answer, the next one is tried', async () => {
  await using there = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  await using transport = createTestTransport({ resolve: resolvesTo('::1', '127.0.0.1') })
  const url = `http://receiver.example:${there.port}/`
  assert.equal((await transport.post(createTestPost(url), NEVER_ABORTED)).status, 200)
  assert.match(
    there.requests[0]?.head ?? '',
    new RegExp(`host: receiver.example:${there.port}\r\n`),
  )
})

test('a host name that does not exist fails with dns_error', async () => {
  const resolve: ResolveHost = (name, _, callback) =>
    callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), [])
  await using transport = createTestTransport({ resolve })
  const posted = await transport.post(createTestPost('http://nowhere.example/'), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'dns_error'])
})

test('a DNS lookup that hangs times out with the request', async () => {
  await using transport = createTestTransport({ resolve: () => undefined })
  const posted = await transport.post(
    createTestPost('http://silent.example/', SHORT),
    NEVER_ABORTED,
  )
  assert.deepEqual([posted.status, posted.error], [null, 'timeout'])
})

test('the transport never connects to a blocked address', async () => {
  await using blocked = await startRawReceiver(({ socket }) => socket.write(OK_RESPONSE))
  const literals = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']
  for (const answers of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['127.0.0.1', '127.0.0.1']]) {
    await using transport = createTestTransport({
      level: 'public-only',
      resolve: resolvesTo(...answers),
    })
    for (const host of [...literals, 'rebind.example', 'localhost.example']) {
      const posted = await transport.post(
        createTestPost(`http://${host}:${blocked.port}/`),
        NEVER_ABORTED,
      )
      assert.deepEqual([posted.status, posted.error], [null, 'blocked_address'], host)
    }
  }
  const options = { ownPorts: () => [blocked.port], resolve: resolvesTo('127.0.0.1') }
  await using transport = createTestTransport(options)
  for (const host of ['127.0.0.1', 'localhost', 'me.example']) {
    const posted = await transport.post(
      createTestPost(`http://${host}:${blocked.port}/`),
      NEVER_ABORTED,
    )
    assert.deepEqual([posted.status, posted.error], [null, 'blocked_address'], host)
  }
  assert.equal(blocked.connections(), 0)
})

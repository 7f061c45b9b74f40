import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../src/lib/operator-error.ts'
import {
  NEVER_ABORTED,
  createTestPost,
  startLoopbackServer,
  startRawReceiver,
  startHttpReceiver,
  createTestTransport,
} from '../support/callbacks/loopback-receivers.ts'

const pem = (name: string) =>
  readFileSync(join(import.meta.dirname, '../support/certificates', `${name}.pem`), 'utf8')

const startTlsReceiver = (name: string) =>
  startLoopbackServer(
    createServer({ key: pem('key'), cert: pem(name), keepAliveTimeout: 60_000 }, (_, response) =>
      response.end('safe'),
    ),
    { scheme: 'https' },
  )

const toHttps = ({ url }: { url: string }) => url.replace('http:', 'https:')

test('a certificate of an unknown authority is refused, and accepted when the authority is configured', async () => {
  await using there = await startTlsReceiver('localhost')
  await using strict = createTestTransport()
  const refused = await strict.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([refused.status, refused.error], [null, 'tls_error'])

  await using trusting = createTestTransport({}, pem('authority'))
  for (let round = 1; round <= 3; round += 1) {
    const posted = await trusting.post(createTestPost(there.url), NEVER_ABORTED)
    assert.deepEqual([posted.status, posted.error, posted.answer], [200, null, 'safe'])
  }
  assert.equal(there.connections(), 2)
})

test('NODE_TLS_REJECT_UNAUTHORIZED cannot turn off certificate checks', async () => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  try {
    await using there = await startTlsReceiver('localhost')
    await using transport = createTestTransport()
    assert.equal(
      (await transport.post(createTestPost(there.url), NEVER_ABORTED)).error,
      'tls_error',
    )
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
  }
})

test('a certificate for another host is refused', async () => {
  await using there = await startTlsReceiver('elsewhere')
  await using transport = createTestTransport({}, pem('authority'))
  const posted = await transport.post(createTestPost(there.url), NEVER_ABORTED)
  assert.deepEqual([posted.status, posted.error], [null, 'tls_error'])
})

test('a receiver without TLS fails with tls_error and gets no request', async () => {
  let requests = 0
  await using there = await startHttpReceiver((_, response) => {
    requests += 1
    response.end()
  })
  await using transport = createTestTransport()
  assert.equal(
    (await transport.post(createTestPost(toHttps(there)), NEVER_ABORTED)).error,
    'tls_error',
  )
  assert.equal(requests, 0)
})

test('a receiver that never completes the TLS handshake times out', async () => {
  await using there = await startRawReceiver(() => undefined)
  await using transport = createTestTransport()
  const posted = await transport.post(
    createTestPost(toHttps(there), { timeoutMs: 300 }),
    NEVER_ABORTED,
  )
  assert.deepEqual([posted.status, posted.error], [null, 'timeout'])
  await there.allClosed()
})

test('a certificate authority that is not valid PEM makes createTransport throw', () => {
  const good = pem('authority')
  const broken = good.replace(/\n[A-Za-z0-9+/]{8}/, '\nAAAAAAAA')
  for (const wrong of ['', 'no certificate', pem('key'), broken, good + broken]) {
    assert.throws(
      () => createTestTransport({}, wrong),
      (error) => error instanceof OperatorError && error.fix === 'Check HANSARD_CALLBACK_CA_FILE',
    )
  }
})

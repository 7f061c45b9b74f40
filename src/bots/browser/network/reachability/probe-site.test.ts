import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, Socket, type AddressInfo, type Server } from 'node:net'
import { test } from 'node:test'
import { createEgressDial, type Dial } from '../egress-proxy.ts'
import { describeNetworkFault, NETWORK_FAULTS } from './network-faults.ts'
import { createSiteProbe, type ProbeResult } from './probe-site.ts'

const certificates = new URL('../../../../../test/support/certificates/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, certificates), 'utf8')
const TLS = { key: read('key.pem'), cert: read('localhost.pem') }
const isOffline = () => false

/** Starts the server on a free port. Disposing closes it with its connections. */
async function listen(server: Server): Promise<AsyncDisposable & { port: number }> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => open.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Resolves `localhost` to this port. */
const dialTo = (port: number): Dial =>
  createEgressDial({ stageRoute: { hostnames: ['localhost'], address: '127.0.0.1', port } })

const probe = (port: number, more: { limitTime?: () => AbortSignal } = {}) =>
  createSiteProbe({ dial: dialTo(port), isOffline, ca: read('authority.pem'), ...more })(
    'localhost',
  )

/** The test itself ends the current step, so that no assertion depends on the machine's speed. */
function createStepLimit() {
  let current = new AbortController()
  return {
    limitTime: () => (current = new AbortController()).signal,
    endStep: () => current.abort(),
  }
}

function faultOf(result: ProbeResult) {
  assert.ok(!result.ok, 'the probe passed')
  return result.fault
}

test('a website that answers is reachable, also when it redirects', async () => {
  const server = createHttpsServer(TLS, (_, response) => response.writeHead(302).end())
  await using site = await listen(server)
  assert.deepEqual(await probe(site.port), { ok: true, status: 302 })
})

test('a website that answers with status 500 is named with its status', async () => {
  const server = createHttpsServer(TLS, (_, response) => response.writeHead(500).end())
  await using site = await listen(server)
  assert.deepEqual(faultOf(await probe(site.port)), {
    name: 'page_error',
    host: 'localhost',
    reason: 'status 500',
  })
})

test('a website that accepts the connection but sends no page is silent', async () => {
  const { limitTime, endStep } = createStepLimit()
  await using site = await listen(createHttpsServer(TLS, endStep))
  assert.equal(faultOf(await probe(site.port, { limitTime })).name, 'page_silent')
})

test('a certificate of an unknown authority is rejected', async () => {
  await using site = await listen(createHttpsServer(TLS, (_, response) => response.end()))
  const fault = faultOf(await createSiteProbe({ dial: dialTo(site.port), isOffline })('localhost'))
  assert.equal(fault.name, 'certificate_rejected')
  assert.match(fault.reason, /^[A-Z_]+$/)
})

test('a port that speaks no TLS, and one that says nothing, fail at the encryption', async () => {
  await using plain = await listen(createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')))
  assert.equal(faultOf(await probe(plain.port)).name, 'encryption_failed')
  const { limitTime, endStep } = createStepLimit()
  await using silent = await listen(createServer((socket) => socket.once('data', endStep)))
  const { name, reason } = faultOf(await probe(silent.port, { limitTime }))
  assert.deepEqual([name, reason], ['encryption_failed', ''])
})

test('a closed port fails at the connection', async () => {
  const site = await listen(createServer())
  await site[Symbol.asyncDispose]()
  assert.deepEqual(faultOf(await probe(site.port)), {
    name: 'connection_failed',
    host: 'localhost',
    reason: 'ECONNREFUSED',
  })
})

type Lookup = NonNullable<NonNullable<Parameters<typeof createEgressDial>[0]>['lookup']>

/** A probe on a machine whose DNS server gives this answer. */
function probeWithDns(...answer: unknown[]): Promise<ProbeResult> {
  const lookup = ((_: string, __: object, callback: (...given: unknown[]) => void) =>
    process.nextTick(callback, ...answer)) as unknown as Lookup
  return createSiteProbe({ dial: createEgressDial({ lookup }), isOffline })('meet.example')
}

test('a name that does not exist, and a DNS server that gives up, fail at the name', async () => {
  const failWith = (code: string) => probeWithDns(Object.assign(new Error(code), { code }))
  const host = 'meet.example'
  assert.deepEqual(faultOf(await failWith('ENOTFOUND')), {
    name: 'name_not_found',
    host,
    reason: 'ENOTFOUND',
  })
  assert.deepEqual(faultOf(await failWith('EAI_AGAIN')), {
    name: 'dns_silent',
    host,
    reason: 'EAI_AGAIN',
  })
})

test('a name that leads into a private network is blocked, as it is for browsers', async () => {
  const result = await probeWithDns(null, [{ address: '10.1.2.3', family: 4 }])
  assert.equal(faultOf(result).name, 'address_blocked')
})

test('the caller can end a probe before its steps time out', async () => {
  const stop = new AbortController()
  await using silent = await listen(
    createServer((socket) => socket.once('data', () => stop.abort())),
  )
  // Without the signal no step would ever end.
  const limitTime = () => new AbortController().signal
  const site = createSiteProbe({ dial: dialTo(silent.port), isOffline, limitTime })
  assert.equal(faultOf(await site('localhost', stop.signal)).name, 'encryption_failed')
})

test('a DNS server and a website that never answer end after the time limit of their step', async () => {
  const silentDns = createSiteProbe({ dial: () => new Socket(), isOffline, stepMs: 20 })
  assert.equal(faultOf(await silentDns('meet.example')).name, 'dns_silent')
  const dial = () => {
    const socket = new Socket()
    process.nextTick(() => socket.emit('lookup', null))
    return socket
  }
  const silentSite = createSiteProbe({ dial, isOffline, stepMs: 50 })
  assert.equal(faultOf(await silentSite('meet.example')).name, 'connection_silent')
})

test('a machine without a network needs no attempt', async () => {
  const dial = () => assert.fail('dialled')
  const result = await createSiteProbe({ dial, isOffline: () => true })('meet.example')
  assert.deepEqual(faultOf(result), { name: 'offline', host: 'meet.example', reason: '' })
})

test('every fault says what is wrong with which site, and what to do', () => {
  for (const name of Object.keys(NETWORK_FAULTS) as Array<keyof typeof NETWORK_FAULTS>) {
    const fault = { name, host: 'meet.example', reason: 'ECODE' }
    const { what, fix } = describeNetworkFault(fault, 'Google Meet')
    assert.match(what, /Google Meet/)
    for (const text of [what, fix]) assert.match(text, /^[A-Z].*[^.]$/)
  }
})

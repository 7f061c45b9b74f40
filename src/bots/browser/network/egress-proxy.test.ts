import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createLog } from '../../../log.ts'
import { openEgressProxy, type RehearsalStageRoute } from './egress-proxy.ts'
import { SOCKS_REPLY_CODES } from './socks.ts'

const log = createLog('silent')
type Lookup = NonNullable<Parameters<typeof openEgressProxy>[0]['lookup']>

/** A DNS lookup that knows only these names. */
function names(known: Record<string, string[]>): Lookup {
  const lookup = (
    name: string,
    _options: unknown,
    callback: (error: Error | null, found: Array<{ address: string; family: number }>) => void,
  ) => {
    const found = (known[name] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    const missing = Object.assign(new Error(name), { code: 'ENOTFOUND' })
    callback(found.length > 0 ? null : missing, found)
  }
  return lookup as unknown as Lookup
}

function hostBytes(host: string): Buffer {
  const parts = host.split('.').map(Number)
  return parts.length === 4 && parts.every((part) => part >= 0)
    ? Buffer.of(1, ...parts)
    : Buffer.concat([Buffer.of(3, host.length), Buffer.from(host)])
}

/** Requests a connection by SOCKS and returns the proxy's reply. */
async function ask(proxy: string, host: string, port: number) {
  const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // One byte at a time, as a network may deliver it.
  for (const byte of [5, 1, 0]) socket.write(Buffer.of(byte))
  socket.write(
    Buffer.concat([Buffer.of(5, 1, 0), hostBytes(host), Buffer.of(port >> 8, port & 255)]),
  )
  while (Buffer.concat(chunks).length < 12) await once(socket, 'data')
  return { socket, reply: Buffer.concat(chunks)[3], rest: () => Buffer.concat(chunks).subarray(12) }
}

const PRIVATE = ['127.0.0.1', '10.1.2.3', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0']

test('the egress proxy refuses private addresses and host names that resolve to one', async () => {
  const known = Object.fromEntries(PRIVATE.map((address, i) => [`name-${i}`, [address]]))
  const lookup = names({
    ...known,
    mixed: ['8.8.8.8', '127.0.0.1'],
    six: ['::1'],
    tunnel: ['2002:7f00:1::'],
  })
  await using gate = await openEgressProxy({ lookup, log })
  for (const host of [...PRIVATE, ...Object.keys(known), 'mixed', 'six', 'tunnel']) {
    const { socket, reply } = await ask(gate.proxyUrl, host, 443)
    assert.equal(reply, SOCKS_REPLY_CODES.closed, host)
    socket.destroy()
  }
  const { socket, reply } = await ask(gate.proxyUrl, 'unknown', 443)
  assert.equal(reply, SOCKS_REPLY_CODES.unreachable)
  socket.destroy()
})

test("with a stage route the egress proxy connects the stage's host names to it on every port and refuses all others", async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opening: RehearsalStageRoute = { hostnames: ['stage.example'], address: '127.0.0.1', port }
  await using gate = await openEgressProxy({ stageRoute: opening, log })
  const { socket, reply, rest } = await ask(gate.proxyUrl, 'STAGE.example', 443)
  assert.equal(reply, SOCKS_REPLY_CODES.open)
  socket.end('as it was')
  await once(socket, 'end')
  assert.equal(String(rest()), 'as it was')
  for (const host of ['example.com', '127.0.0.1', '8.8.8.8']) {
    const closed = await ask(gate.proxyUrl, host, port)
    assert.equal(closed.reply, SOCKS_REPLY_CODES.closed, host)
    closed.socket.destroy()
  }
  server.close()
})

test('the egress proxy survives clients that speak another protocol or disconnect', async () => {
  await using gate = await openEgressProxy({ lookup: names({}), log })
  const port = Number(new URL(gate.proxyUrl).port)
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    '\x04\x01\x00\x50',
    '\x05',
    '\x05\x00',
    '\x05\x01\x00\x05\x02\x00\x01',
  ]) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.end(Buffer.from(bytes, 'latin1'))
    socket.resume()
    await once(socket, 'close')
  }
  const { socket, reply } = await ask(gate.proxyUrl, '127.0.0.1', 1)
  assert.equal(reply, SOCKS_REPLY_CODES.closed)
  socket.destroy()
})

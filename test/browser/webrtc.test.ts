import { strict as assert } from 'node:assert'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openEgressProxy } from '../../src/bots/browser/network/egress-proxy.ts'
import { createLog } from '../../src/log.ts'
import { openStage } from '../../stage/stage.ts'
import { openForFile } from '../support/open-for-file.ts'
import { NEVER_ABORTED, openTestPool, POOL_REQUEST, stageNetworkOptions } from './open-test-pool.ts'

/**
 * Page script: tries every way in which WebRTC sends packets to an address, and then resolves with this machine's
 * candidates. STUN and TURN requests are sent before gathering is complete.
 */
const TRY_WEBRTC = `async (host, udp, tcp) => {
  const connection = new RTCPeerConnection({
    iceServers: [
      { urls: 'stun:' + host + ':' + udp },
      { urls: 'turn:' + host + ':' + udp + '?transport=udp', username: 'x', credential: 'x' },
      { urls: 'turn:' + host + ':' + tcp + '?transport=tcp', username: 'x', credential: 'x' },
    ],
  })
  const far = new RTCPeerConnection()
  connection.createDataChannel('x')
  const found = []
  const complete = new Promise((resolve) => {
    connection.onicecandidate = ({ candidate }) => (candidate ? found.push(candidate.candidate) : resolve())
  })
  await connection.setLocalDescription()
  await far.setRemoteDescription(connection.localDescription)
  await far.setLocalDescription()
  await connection.setRemoteDescription(far.localDescription)
  const candidates = [
    'candidate:1 1 udp 2122260223 ' + host + ' ' + udp + ' typ host',
    'candidate:2 1 tcp 1518280447 ' + host + ' ' + tcp + ' typ host tcptype passive',
  ]
  for (const candidate of candidates) await connection.addIceCandidate({ candidate, sdpMid: '0' })
  await complete
  return found
}`

const tryWebrtc = (page: Page, host: string, udp: number, tcp: number) =>
  page.evaluate<string[]>(`(${TRY_WEBRTC})('${host}', ${udp}, ${tcp})`)

async function openListeners() {
  const packets: string[] = []
  const udp = createSocket('udp4', (_, { port }) => packets.push(`udp from ${port}`))
  udp.bind(0, '127.0.0.1')
  const tcp = createServer((socket) => {
    packets.push('tcp')
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening')])
  return {
    packets,
    tcp,
    udpPort: udp.address().port,
    tcpPort: (tcp.address() as AddressInfo).port,
    [Symbol.dispose]() {
      udp.close()
      tcp.close()
    },
  }
}

const openedPool = openForFile(() => openTestPool())

test('a page cannot send packets to this machine by WebRTC', async () => {
  using listeners = await openListeners()
  const { udpPort, tcpPort, packets } = listeners
  await using slot = await openedPool().acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('data:text/html,hello')
  for (const host of ['127.0.0.1', 'localhost']) {
    const candidates = await tryWebrtc(slot.page, host, udpPort, tcpPort)
    assert.deepEqual(packets, [], host)
    assert.deepEqual(
      candidates.filter((candidate) => / udp /i.test(candidate)),
      [],
    )
  }
})

test('a page cannot send packets to this machine by WebTransport, the other protocol over UDP', async () => {
  using listeners = await openListeners()
  await using stage = await openStage()
  await using pool = await openTestPool(stageNetworkOptions(stage))
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('https://meet.google.com/')
  const tried = await slot.page.evaluate<string>(
    `new WebTransport('https://127.0.0.1:${listeners.udpPort}/').ready.then(() => 'reached', () => 'closed')`,
  )
  assert.equal(tried, 'closed')
  assert.deepEqual(listeners.packets, [])
})

test('WebRTC by TCP goes through the egress proxy', async () => {
  using listeners = await openListeners()
  const host = '203.0.113.7'
  await using pool = await openTestPool({
    stageRoute: { hostnames: [host], address: '127.0.0.1', port: listeners.tcpPort },
  })
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('data:text/html,hello')
  const reached = once(listeners.tcp, 'connection')
  await tryWebrtc(slot.page, host, 9, 443)
  await reached
})

test('WebRTC of a slot with its own egress proxy reaches only the targets that this proxy allows', async () => {
  using listeners = await openListeners()
  const { udpPort, tcpPort, packets } = listeners
  await using proxy = await openEgressProxy({
    isAllowedTarget: ({ host, port }) => host === '127.0.0.1' && port === tcpPort,
    log: createLog('silent'),
  })
  const options = { ...POOL_REQUEST, proxyUrl: proxy.proxyUrl }
  await using slot = await openedPool().acquire(options, NEVER_ABORTED)
  await slot.page.goto('data:text/html,hello')
  await tryWebrtc(slot.page, '127.0.0.2', udpPort, tcpPort)
  assert.deepEqual(packets, [])
  const reached = once(listeners.tcp, 'connection')
  await tryWebrtc(slot.page, '127.0.0.1', udpPort, tcpPort)
  await reached
  assert.deepEqual([...new Set(packets)], ['tcp'])
})

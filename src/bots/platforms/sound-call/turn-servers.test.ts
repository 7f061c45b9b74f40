import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { selectTurnServers } from './turn-servers.ts'

const ADDRESSES: Record<string, string[]> = {
  'meet.example.com': ['192.168.1.5', 'fd00::5'],
  'turn.example.com': ['192.168.1.6'],
}
const resolve = (host: string) => Promise.resolve(ADDRESSES[host] ?? [])
const select = (...urls: string[]) =>
  selectTurnServers([{ urls, username: 'u', credential: 'c' }], {
    server: 'meet.example.com',
    hosts: ['meet.example.com', 'turn.example.com:443', '10.0.0.7:8443'],
    resolve,
  })

test('TURN by TCP on an address of the server or on a listed host is used', async () => {
  const urls = [
    'turn:192.168.1.5:1194?transport=tcp',
    'turn:[fd00::5]:1194?transport=tcp',
    'turns:turn.example.com',
    'turn:10.0.0.7?transport=tcp',
  ]
  assert.deepEqual(await select(...urls), {
    iceServers: [{ urls, username: 'u', credential: 'c' }],
    targets: [
      { host: '192.168.1.5', port: 1_194 },
      { host: 'fd00::5', port: 1_194 },
      { host: 'turn.example.com', port: 5_349 },
      { host: '192.168.1.6', port: 5_349 },
      { host: '10.0.0.7', port: 3_478 },
    ],
    unlisted: [],
  })
})

test('other hosts and TURN by UDP are left out', async () => {
  const found = await select(
    'turn:192.168.1.5:1194',
    'turn:192.168.1.5:1194?transport=udp',
    'turns:192.168.1.5?transport=udp',
    'stun:192.168.1.5',
    'turn:192.168.1.1:22?transport=tcp',
    'turn:evil.example?transport=tcp',
    'turn:meet.example.com@evil.example?transport=tcp',
    'turn:meet.example.com/x?transport=tcp',
    'nonsense',
    '',
  )
  assert.deepEqual(found, {
    iceServers: [],
    targets: [],
    unlisted: ['192.168.1.1:22', 'evil.example:3478', 'meet.example.com@evil.example:3478'],
  })
})

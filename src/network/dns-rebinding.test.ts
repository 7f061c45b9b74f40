import { strict as assert } from 'node:assert'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import type { ResolveHost } from './dns-lookups.ts'
import {
  BlockedAddressError,
  createNetworkPolicy,
  type NetworkPolicyLevel,
} from './network-policy.ts'

const PORT = 8080

function createPolicy(
  level: NetworkPolicyLevel,
  resolve: ResolveHost,
  startLookupTimeoutMs = 3_000,
) {
  const base = { level, allow: [], deny: [], ownPorts: () => [3000], ownAddresses: () => [] }
  return createNetworkPolicy({ ...base, resolve, startLookupTimeoutMs })
}

function record(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}

function resolvesTo(...addresses: string[]): ResolveHost {
  return (_, __, callback) => callback(null, addresses.map(record))
}

type LookupResult = { error: NodeJS.ErrnoException | null; addresses: string[] }

/** Returns the addresses that a connection would use, without connecting. */
function lookUp(lookup: LookupFunction, name: string, all = true): Promise<LookupResult> {
  return new Promise((resolve) => {
    lookup(name, { all }, (error, found) => {
      const records = typeof found === 'string' ? (found === '' ? [] : [record(found)]) : found
      resolve({ error, addresses: records.map(({ address }) => address) })
    })
  })
}

const PUBLIC = ['8.8.8.8', '2606:4700::1111']
const FORBIDDEN = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1', '0.0.0.0']

test('a hostile name server never gets a forbidden address past the policy in ten thousand lookups', async () => {
  let asked = 0
  // The answers change on every query: public addresses, forbidden addresses, and mixtures of both.
  const hostile: ResolveHost = (_, __, callback) => {
    const turn = asked++
    const good = PUBLIC[turn % PUBLIC.length] ?? ''
    const bad = FORBIDDEN[Math.floor(turn / 5) % FORBIDDEN.length] ?? ''
    const rounds = [[good], [bad], [good, bad], [bad, good], [good, good, bad]]
    callback(null, (rounds[turn % rounds.length] ?? []).map(record))
  }
  const lookup = createPolicy('public-only', hostile).guardedLookup(PORT)
  const used = new Map<string, number>()
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    const { error, addresses } = await lookUp(lookup, 'rebind.example', attempt % 3 > 0)
    if (error !== null) assert.ok(error instanceof BlockedAddressError)
    for (const address of addresses) used.set(address, (used.get(address) ?? 0) + 1)
  }
  assert.equal(asked, 10_000)
  assert.deepEqual(new Set(used.keys()), new Set(PUBLIC))
  assert.equal(used.get('8.8.8.8'), 1_000)
})

test('the connection uses the address that was checked: the name is resolved once', async () => {
  let asked = 0
  const resolve: ResolveHost = (_, options, callback) => {
    asked += 1
    assert.equal(options.all, true)
    callback(null, [record(asked === 1 ? '8.8.8.8' : '127.0.0.1')])
  }
  const lookup = createPolicy('public-only', resolve).guardedLookup(PORT)
  assert.deepEqual(await lookUp(lookup, 'a.example'), { error: null, addresses: ['8.8.8.8'] })
  assert.equal(asked, 1)
})

test('DNS records that change after the check do not change the result', async () => {
  const records = [record('8.8.8.8')]
  const resolve: ResolveHost = (_, __, callback) => callback(null, records)
  const lookup = createPolicy('public-only', resolve).guardedLookup(PORT)
  const found = await new Promise((resolve) =>
    lookup('a.example', { all: true }, (_, all) => resolve(all)),
  )
  records[0]!.address = '127.0.0.1'
  assert.deepEqual(found, [record('8.8.8.8')])
})

test('a name of this machine is blocked only on the ports of this service and on blocked ports', async () => {
  const policy = createPolicy('private-ok', resolvesTo('127.0.0.1'))
  assert.deepEqual((await lookUp(policy.guardedLookup(8080), 'me.example')).addresses, [
    '127.0.0.1',
  ])
  for (const port of [3000, 22]) {
    const { error, addresses } = await lookUp(policy.guardedLookup(port), 'me.example')
    assert.ok(error instanceof BlockedAddressError)
    assert.deepEqual(addresses, [])
  }
})

test('a DNS answer that is not an IP address is blocked, and an empty answer counts as not found', async () => {
  for (const odd of ['', 'localhost', '127.1', '0x7f.1', '1.2.3.4.5', 'fe80::1%eth0']) {
    const { error, addresses } = await lookUp(
      createPolicy('private-ok', resolvesTo(odd)).guardedLookup(80),
      'a',
    )
    assert.ok(error instanceof BlockedAddressError, odd)
    assert.deepEqual(addresses, [])
  }
  const nothing = await lookUp(createPolicy('private-ok', resolvesTo()).guardedLookup(80), 'a')
  assert.equal(nothing.error?.code, 'ENOTFOUND')
})

test('a callback URL with a forbidden address is refused without revealing the address', async () => {
  const policy = createPolicy('public-only', resolvesTo('8.8.8.8', '10.1.2.3'))
  const refusal = await policy.checkUrlWithDns('https://intranet.example/hook')
  assert.match(refusal ?? '', /^intranet\.example is not public/)
  assert.doesNotMatch(refusal ?? '', /10\.1/)
  const both = createPolicy('private-ok', resolvesTo('8.8.8.8', '10.1.2.3'))
  assert.equal(await both.checkUrlWithDns('https://intranet.example/hook'), null)
  assert.match((await both.checkUrlWithDns('ftp://intranet.example/')) ?? '', /http/)
  assert.notEqual(await both.checkUrlWithDns('http://169.254.169.254/'), null)
})

test('a callback URL whose name cannot be resolved now is accepted', async () => {
  const failing: ResolveHost = (name, _, callback) =>
    callback(Object.assign(new Error(name), { code: 'EAI_AGAIN' }), [])
  const silent: ResolveHost = () => undefined
  assert.equal(
    await createPolicy('public-only', failing).checkUrlWithDns('https://a.example/'),
    null,
  )
  assert.equal(
    await createPolicy('public-only', silent, 10).checkUrlWithDns('https://a.example/'),
    null,
  )
})

test('an IP address in a callback URL is never looked up', async () => {
  const resolve: ResolveHost = () => assert.fail('looked up')
  assert.equal(await createPolicy('public-only', resolve).checkUrlWithDns('http://8.8.8.8/'), null)
})

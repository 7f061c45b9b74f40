import { strict as assert } from 'node:assert'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import type { ResolveHost } from './dns-lookups.ts'
import { BlockedAddressError, createNetworkPolicy } from './network-policy.ts'
import type { PolicyLevel } from './address-rules.ts'

const PORT = 8080

function policyOf(level: PolicyLevel, resolve: ResolveHost, startLookupMs = 3_000) {
  const base = { level, allow: [], deny: [], ownPorts: () => [3000], ownAddresses: () => [] }
  return createNetworkPolicy({ ...base, resolve, startLookupTimeoutMs: startLookupMs })
}

function record(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}

function answers(...addresses: string[]): ResolveHost {
  return (_, __, callback) => callback(null, addresses.map(record))
}

type Dialled = { error: NodeJS.ErrnoException | null; addresses: string[] }

/** What a connector would dial: this is where it would, and nothing is dialled. */
function dial(lookup: LookupFunction, name: string, all = true): Promise<Dialled> {
  return new Promise((resolve) => {
    lookup(name, { all }, (error, found) => {
      const records = typeof found === 'string' ? (found === '' ? [] : [record(found)]) : found
      resolve({ error, addresses: records.map(({ address }) => address) })
    })
  })
}

const PUBLIC = ['8.8.8.8', '2606:4700::1111']
const CANARY = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1', '0.0.0.0']

test('no answer of a hostile name server leads to the canary in ten thousand attempts', async () => {
  let asked = 0
  // A name without a memory: public at first, then not; mixed records; what an alias of localhost gives.
  const hostile: ResolveHost = (_, __, callback) => {
    const turn = asked++
    const good = PUBLIC[turn % PUBLIC.length] ?? ''
    const bad = CANARY[Math.floor(turn / 5) % CANARY.length] ?? ''
    const rounds = [[good], [bad], [good, bad], [bad, good], [good, good, bad]]
    callback(null, (rounds[turn % rounds.length] ?? []).map(record))
  }
  const lookup = policyOf('public-only', hostile).guardedLookup(PORT)
  const dialled = new Map<string, number>()
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    const { error, addresses } = await dial(lookup, 'rebind.example', attempt % 3 > 0)
    if (error !== null) assert.ok(error instanceof BlockedAddressError)
    for (const address of addresses) dialled.set(address, (dialled.get(address) ?? 0) + 1)
  }
  assert.equal(asked, 10_000)
  assert.deepEqual(new Set(dialled.keys()), new Set(PUBLIC))
  assert.equal(dialled.get('8.8.8.8'), 1_000)
})

test('the address that was checked is the one that is dialled: the name is asked once', async () => {
  let asked = 0
  const resolve: ResolveHost = (_, options, callback) => {
    asked += 1
    assert.equal(options.all, true)
    callback(null, [record(asked === 1 ? '8.8.8.8' : '127.0.0.1')])
  }
  const lookup = policyOf('public-only', resolve).guardedLookup(PORT)
  assert.deepEqual(await dial(lookup, 'a.example'), { error: null, addresses: ['8.8.8.8'] })
  assert.equal(asked, 1)
})

test('records that change after the check change nothing', async () => {
  const records = [record('8.8.8.8')]
  const resolve: ResolveHost = (_, __, callback) => callback(null, records)
  const lookup = policyOf('public-only', resolve).guardedLookup(PORT)
  const found = await new Promise((resolve) =>
    lookup('a.example', { all: true }, (_, all) => resolve(all)),
  )
  records[0]!.address = '127.0.0.1'
  assert.deepEqual(found, [record('8.8.8.8')])
})

test('the port decides whether a name on this machine is this service', async () => {
  const policy = policyOf('private-ok', answers('127.0.0.1'))
  assert.deepEqual((await dial(policy.guardedLookup(8080), 'me.example')).addresses, ['127.0.0.1'])
  for (const port of [3000, 22]) {
    const { error, addresses } = await dial(policy.guardedLookup(port), 'me.example')
    assert.ok(error instanceof BlockedAddressError)
    assert.deepEqual(addresses, [])
  }
})

test('what is no address is not dialled, and an empty answer is no answer', async () => {
  for (const odd of ['', 'localhost', '127.1', '0x7f.1', '1.2.3.4.5', 'fe80::1%eth0']) {
    const { error, addresses } = await dial(
      policyOf('private-ok', answers(odd)).guardedLookup(80),
      'a',
    )
    assert.ok(error instanceof BlockedAddressError, odd)
    assert.deepEqual(addresses, [])
  }
  const nothing = await dial(policyOf('private-ok', answers()).guardedLookup(80), 'a')
  assert.equal(nothing.error?.code, 'ENOTFOUND')
})

test('a start is refused for where its name leads, without telling where that is', async () => {
  const policy = policyOf('public-only', answers('8.8.8.8', '10.1.2.3'))
  const refusal = await policy.checkUrlWithDns('https://intranet.example/hook')
  assert.match(refusal ?? '', /^intranet\.example is not public/)
  assert.doesNotMatch(refusal ?? '', /10\.1/)
  const both = policyOf('private-ok', answers('8.8.8.8', '10.1.2.3'))
  assert.equal(await both.checkUrlWithDns('https://intranet.example/hook'), null)
  assert.match((await both.checkUrlWithDns('ftp://intranet.example/')) ?? '', /http/)
  assert.notEqual(await both.checkUrlWithDns('http://169.254.169.254/'), null)
})

test('a name that cannot be resolved now does not refuse a start', async () => {
  const failing: ResolveHost = (name, _, callback) =>
    callback(Object.assign(new Error(name), { code: 'EAI_AGAIN' }), [])
  const silent: ResolveHost = () => undefined
  assert.equal(await policyOf('public-only', failing).checkUrlWithDns('https://a.example/'), null)
  assert.equal(
    await policyOf('public-only', silent, 10).checkUrlWithDns('https://a.example/'),
    null,
  )
})

test('a literal address is never looked up for a start', async () => {
  const resolve: ResolveHost = () => assert.fail('looked up')
  assert.equal(await policyOf('public-only', resolve).checkUrlWithDns('http://8.8.8.8/'), null)
})

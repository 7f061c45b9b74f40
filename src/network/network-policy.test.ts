import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ResolveHost } from './dns-lookups.ts'
import {
  createNetworkPolicy,
  type NetworkPolicyOptions,
  NETWORK_POLICY_LEVELS,
} from './network-policy.ts'

const resolvesNothing: ResolveHost = (name, _, callback) =>
  callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), [])

const policyWith = (options: Partial<NetworkPolicyOptions> = {}) =>
  createNetworkPolicy({
    level: 'private-ok',
    allow: [],
    deny: [],
    ownPorts: () => [3000],
    database: { host: '127.0.0.1', port: 5433 },
    ownAddresses: () => ['192.168.1.5', '9.9.9.10', '2a00:1450::5', 'fe80::5%eth0'],
    resolve: resolvesNothing,
    ...options,
  })

/** `both`: allowed at both levels. `private`: allowed at private-ok only. `none`: never allowed. */
const URLS: Record<'both' | 'private' | 'none', readonly string[]> = {
  both: [
    'http://example.com/',
    'https://example.com',
    'HTTPS://EXAMPLE.COM/Hook?a=1#b',
    'https://example.com.:8443/hook',
    'https://münchen.example/hook',
    'https://xn--mnchen-3ya.example/hook',
    'https://a_b.example/@me/x@y',
    'http://receiver:8080/',
    'http://8.8.8.8/',
    'http://134744072/',
    'http://172.15.255.255/',
    'http://172.32.0.1/',
    'http://100.128.0.1/',
    'http://[2606:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://9.9.9.10:3001/',
    'http://8.8.8.8:3000/',
    `https://example.com/${'x'.repeat(2_028)}`,
  ],
  private: [
    'http://localhost:8080/hook',
    'http://LOCALHOST./',
    'http://hook.localhost/',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1./',
    'http://127.1/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://127.255.255.254/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://[::1]:8080/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.5/',
    'http://192.168.1.6:3000/',
    'http://100.64.0.1/',
    'http://[fd12:3456::1]/',
    'http://[fc00::1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2606:4700::5efe:10.0.0.1]/',
  ],
  none: [
    // Link-local and metadata addresses, in all notations and IPv6 embeddings.
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0251.0376.0251.0376/',
    'http://169.254.1.1/',
    'http://[fe80::1]/',
    'http://[febf::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:0:169.254.169.254]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b:1::169.254.169.254]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[2001:0:a9fe:a9fe::1]/',
    'http://[2001:0:808:808::5601:5601]/',
    'http://[2606:4700::5efe:169.254.169.254]/',
    'http://[2606:4700::200:5efe:169.254.169.254]/',
    // Unspecified, multicast, broadcast and reserved addresses.
    'http://0.0.0.0/',
    'http://0/',
    'http://0x/',
    'http://0.1.2.3/',
    'http://[::]/',
    'http://[::ffff:0.0.0.0]/',
    'http://224.0.0.1/',
    'http://[ff02::1]/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://203.0.113.1/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[100::1]/',
    'http://[fec0::1]/',
    'http://[4000::1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[2002:7f00:1::1]/',
    // This service itself.
    'http://localhost:3000/',
    'http://127.0.0.1:3000/',
    'http://127.9.9.9:5433/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
    'http://192.168.1.5:3000/',
    'http://[::ffff:192.168.1.5]:3000/',
    'http://[64:ff9b::192.168.1.5]:3000/',
    'http://9.9.9.10:3000/',
    'http://[2a00:1450:0::5]:3000/',
    // Ports of other services.
    'http://example.com:22/',
    'http://example.com:25/',
    'http://8.8.8.8:6379/',
    'https://10.0.0.1:5432/',
    'http://example.com:0/',
    // Not valid as callback URLs.
    '',
    'example.com/hook',
    '//example.com/hook',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ws://example.com/',
    'http:example.com',
    'http:/example.com',
    'http:///example.com',
    'http://',
    'http://?x',
    'http://user:pass@example.com/',
    'http://user@example.com/',
    'http://@example.com/',
    'http://example.com@169.254.169.254/',
    'http://example.com\\@10.0.0.1/',
    'http:\\\\example.com\\',
    ' http://example.com/',
    'http://example.com/a b',
    'http://exa\tmple.com/',
    'http://example.com/\r\nX: y',
    'http://example.com/\0',
    'http://a..example/',
    'http://.example/',
    'http://./',
    'http://../',
    'http://a!b.example/',
    'http://*.example/',
    `http://${'a'.repeat(64)}.example/`,
    `http://${'a.'.repeat(127)}example/`,
    'http://example.com:65536/',
    'http://1.2.3.4.5/',
    'http://256.0.0.1/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[::1/',
    'http://localhost%00.example.com/',
    `https://example.com/${'x'.repeat(2_029)}`,
    `https://example.com/${'é'.repeat(1_000)}`,
  ],
}

test('every callback URL is allowed or refused according to the policy level', () => {
  const open = { 'private-ok': ['both', 'private'], 'public-only': ['both'] }
  for (const level of NETWORK_POLICY_LEVELS) {
    const policy = policyWith({ level })
    for (const [group, urls] of Object.entries(URLS)) {
      for (const url of urls) {
        const refusal = policy.checkUrl(url)
        assert.equal(refusal === null, open[level].includes(group), `${level} ${url}: ${refusal}`)
        if (refusal !== null) assert.match(refusal, /^[^\r\n]{10,160}$/)
      }
    }
  }
})

test('an allowed network is open on all ports, except metadata addresses and the service itself', () => {
  const { checkUrl } = policyWith({
    level: 'public-only',
    allow: ['10.0.0.0/8', '169.254.0.0/16', '127.0.0.1', '::1', '198.18.0.0/15', '64:ff9b::/96'],
  })
  const open = ['http://10.1.2.3/', 'http://10.1.2.3:6379/', 'http://[::ffff:10.1.2.3]:22/']
  const alsoOpen = ['http://localhost/', 'http://198.18.0.1/', 'http://[64:ff9b::10.0.0.1]/']
  for (const url of [...open, ...alsoOpen]) assert.equal(checkUrl(url), null, url)
  // The resolved address is checked later, when the connection is made.
  assert.equal(checkUrl('http://cache.example:6379/'), null)
  const closed = ['http://169.254.169.254/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/']
  const alsoClosed = ['http://192.168.0.1/', 'http://127.0.0.2/', 'http://8.8.8.8:22/']
  const carried = ['http://[64:ff9b::169.254.169.254]/', 'http://[2002:a00:1::1]/']
  for (const url of [...closed, ...alsoClosed, ...carried])
    assert.notEqual(checkUrl(url), null, url)
})

test('a refusal names the setting that can change it, and a blocked port names none', () => {
  const { checkUrl } = policyWith({ level: 'public-only', deny: ['8.8.8.8'] })
  const cases: Array<[url: string, message: RegExp]> = [
    [
      'http://example.com:22/',
      /^Callbacks may not go to port 22.* Use a port such as 443 or 8080$/,
    ],
    ['http://10.0.0.1/', /HANSARD_CALLBACK_POLICY/],
    ['http://198.18.0.1/', /HANSARD_CALLBACK_ALLOW/],
    ['http://8.8.8.8/', /HANSARD_CALLBACK_DENY/],
  ]
  for (const [url, message] of cases) assert.match(checkUrl(url) ?? '', message)
})

test('a denied network is blocked in every notation, even if it is also allowed', () => {
  const { checkUrl } = policyWith({ allow: ['10.0.0.0/8'], deny: ['10.9.0.0/16', '8.8.8.8'] })
  const closed = [
    'http://10.9.1.1/',
    'http://8.8.8.8/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[2606:4700::5efe:10.9.1.1]/',
  ]
  for (const url of closed) assert.match(checkUrl(url) ?? '', /settings/, url)
  assert.equal(checkUrl('http://10.8.1.1/'), null)
  assert.equal(checkUrl('http://8.8.4.4/'), null)
  const mapped = policyWith({ deny: ['::ffff:8.8.0.0/112'] })
  assert.match(mapped.checkUrl('http://8.8.8.8/') ?? '', /settings/)
})

test('a network that is not valid makes createNetworkPolicy throw', () => {
  for (const wrong of ['', 'example.com', '10.0.0.0/33', '::1/129']) {
    assert.throws(() => policyWith({ allow: [wrong] }), wrong)
    assert.throws(() => policyWith({ deny: [wrong] }), wrong)
  }
})

test('the addresses of this machine are read from its network interfaces by default', () => {
  const policy = createNetworkPolicy({
    level: 'private-ok',
    allow: [],
    deny: [],
    ownPorts: () => [3000],
  })
  assert.notEqual(policy.checkUrl('http://127.0.0.1:3000/'), null)
  assert.equal(policy.checkUrl('http://10.255.255.254:3001/'), null)
})

test('an external database is blocked by its address and by its name, on its port only', async () => {
  const resolvesToDatabase: ResolveHost = (_name, _options, callback) =>
    callback(null, [{ address: '10.0.0.7', family: 4 }])
  const byAddress = policyWith({
    database: { host: '10.0.0.7', port: 6432 },
    resolve: resolvesToDatabase,
  })
  const byName = policyWith({
    database: { host: 'db.example', port: 6432 },
    resolve: resolvesToDatabase,
  })
  for (const policy of [byAddress, byName]) {
    assert.match((await policy.checkUrlWithDns('http://db.example:6432/')) ?? '', /is the database/)
    assert.equal(await policy.checkUrlWithDns('http://db.example:6433/'), null)
    assert.match((await policy.checkUrlWithDns('http://127.0.0.1:6432/')) ?? '', /is the database/)
    assert.equal(await policy.checkUrlWithDns('http://10.0.0.8:6432/'), null)
  }
  assert.match((await byAddress.checkUrlWithDns('http://10.0.0.7:6432/')) ?? '', /is the database/)
})

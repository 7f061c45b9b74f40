import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ipToRateLimitKey } from './sign-in-throttle.ts'

/** Addresses in one row must share a rate-limit key. They include all spellings that a proxy or a socket may use. */
const EQUIVALENT_ADDRESSES = [
  [
    '2001:db8::',
    '2001:db8::1',
    '2001:db8::5:6:7',
    '2001:db8::9:5:6:7',
    '2001:DB8:0:0:1::',
    '2001:0db8:0000:0000:ffff:ffff:ffff:ffff',
    '2001:db8::192.0.2.1',
  ],
  ['2001:db8:0:1::', '2001:db8:0:1::7', '2001:db8:0:1:2:3:4:5', '2001:db8::1:0:0:0:7'],
  ['2001:db8:1::', '2001:db8:1::7', '2001:db8:1:0:2:3:4:5'],
  ['2001:db8:1:2::', '2001:db8:1:2::7', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1', 'fe80::1%eth0', 'fe80::ffff:1:2:3'],
  ['::1', '::', '0:0:0:0:0:0:0:2'],
  ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:c000:201'],
  ['192.0.2.2', '::ffff:192.0.2.2'],
  ['unknown'],
  [''],
]

test('IPv6 addresses of one /64 network share a rate-limit key in any spelling', () => {
  for (const spellings of EQUIVALENT_ADDRESSES) {
    const keys = spellings.map(ipToRateLimitKey)
    assert.equal(new Set(keys).size, 1, `${spellings.join(' ')}: ${keys.join(' ')}`)
  }
})

test('addresses of different networks have different rate-limit keys', () => {
  const first = EQUIVALENT_ADDRESSES.map(([spelling = '']) => ipToRateLimitKey(spelling))
  assert.equal(new Set(first).size, EQUIVALENT_ADDRESSES.length, first.join(' '))
})

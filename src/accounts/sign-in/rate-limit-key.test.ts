import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { rateLimitKey } from './rate-limit-key.ts'

/** Each row is one household, in spellings that a proxy or a socket may use. */
const HOUSEHOLDS = [
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

test('an address belongs to the household of its first 64 bits, however it is written', () => {
  for (const spellings of HOUSEHOLDS) {
    const households = spellings.map(rateLimitKey)
    assert.equal(new Set(households).size, 1, `${spellings.join(' ')}: ${households.join(' ')}`)
  }
})

test('no two households are taken for one', () => {
  const first = HOUSEHOLDS.map(([spelling = '']) => rateLimitKey(spelling))
  assert.equal(new Set(first).size, HOUSEHOLDS.length, first.join(' '))
})

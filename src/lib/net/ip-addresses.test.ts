import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ADDRESS_CLASSES,
  classifyAddress,
  isPublicAddress,
  parseIpAddress,
  type AddressClass,
  localHttpUrl,
} from './ip-addresses.ts'

function classify(text: string): AddressClass {
  const address = parseIpAddress(text)
  assert.ok(address, text)
  return classifyAddress(address)
}

const bytes = fc.tuple(
  fc.constantFrom(0, 8, 10, 100, 127, 168, 169, 172, 192, 198, 224, 240, 255),
  fc.oneof(fc.constantFrom(0, 16, 64, 100, 168, 254), fc.nat(255)),
  fc.nat(255),
  fc.nat(255),
)

const hex = (...values: number[]) =>
  values.map((value) => value.toString(16).padStart(2, '0')).join('')

test('an IPv6 address that embeds an IPv4 address is never classified as less restricted than it', () => {
  fc.assert(
    fc.property(bytes, ([a, b, c, d]) => {
      const plain = `${a}.${b}.${c}.${d}`
      const [high, low] = [hex(a, b), hex(c, d)]
      const inverted = [hex(a ^ 255, b ^ 255), hex(c ^ 255, d ^ 255)].join(':')
      assert.equal(classify(`::ffff:${plain}`), classify(plain))
      assert.equal(classify(`64:ff9b::${plain}`), classify(plain))
      const carriers = [
        `::ffff:0:${plain}`,
        `64:ff9b:1::${plain}`,
        `64:ff9b:1:${high}:00${hex(c)}:${hex(d)}00::`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
        `2001:0:808:808:0:0:${inverted}`,
        `2606:4700::5efe:${plain}`,
        `2606:4700::200:5efe:${plain}`,
        `fd00::5efe:${plain}`,
      ]
      for (const carrier of carriers) {
        const [carried, own] = [classify(carrier), classify(plain)]
        assert.ok(
          ADDRESS_CLASSES.indexOf(carried) >= ADDRESS_CLASSES.indexOf(own),
          `${carrier} ${carried} ${own}`,
        )
      }
    }),
  )
})

test('only globally allocated IPv6 addresses are public', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const address = parseIpAddress(text)
      if (address === null || address.kind() === 'ipv4') return
      const [first = 0, ...next] = address.toByteArray()
      const isTranslated = hex(first, ...next).startsWith('0064ff9b')
      if (classifyAddress(address) === 'public') assert.ok(first >> 5 === 1 || isTranslated, text)
    }),
  )
})

test('only an address of the public internet is public, also inside another address', () => {
  for (const one of ['8.8.8.8', '2606:4700::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])
    assert.equal(isPublicAddress(one), true, one)
  for (const one of ['', 'localhost', '127.0.0.1', '::1', '10.1.2.3', '100.64.0.1', 'fd00::1'])
    assert.equal(isPublicAddress(one), false, one)
  for (const one of ['::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '169.254.169.254', '198.18.0.1'])
    assert.equal(isPublicAddress(one), false, one)
})

test('parsing normalizes IP addresses and drops their zone', () => {
  assert.equal(parseIpAddress('::ffff:7f00:1')?.toString(), '127.0.0.1')
  assert.equal(parseIpAddress('FE80::1%eth0')?.toString(), 'fe80::1')
  for (const none of ['', 'localhost', '127.1', '010.0.0.1', '2130706433', '::1/64', '[::1]']) {
    assert.equal(parseIpAddress(none), null, none)
  }
})

test('the local URL of any listening host can be opened on this machine', () => {
  const cases = {
    '127.0.0.1': 'http://127.0.0.1:80',
    'ex.example': 'http://ex.example:80',
    '0.0.0.0': 'http://localhost:80',
    '::': 'http://localhost:80',
    '::1': 'http://[::1]:80',
  }
  for (const [host, address] of Object.entries(cases)) {
    assert.equal(localHttpUrl(host, 80), address)
    assert.ok(URL.canParse(address))
  }
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { CallbackError, sign, verifyCallback, type CallbackHeaders } from 'hansard/receiver'
import { SECRET, sampleBody, headersFor, plainSignature } from './sample-callbacks.ts'
import { fixPropertySeed } from '../support/property-seed.ts'

fixPropertySeed()

const BODY = sampleBody(2)
const NAMES = ['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']

function codeOf(rawBody: unknown, headers: unknown): string {
  try {
    verifyCallback(rawBody as string, headers as CallbackHeaders, SECRET)
    return 'accepted'
  } catch (error) {
    if (error instanceof CallbackError) return error.code
    throw error
  }
}

const signed = (body: string | Uint8Array) => ({
  'x-service-signature': plainSignature(body, SECRET),
})

test('any unsigned input throws a CallbackError', () => {
  const value = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...Object.values(headersFor(BODY))).map((text) => text.slice(1)),
  )
  const headers = fc.oneof(
    fc.anything({ withTypedArray: true, withMap: true, withNullPrototype: true }),
    fc.dictionary(fc.constantFrom(...NAMES), value),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), value)),
    fc.array(value),
  )
  const rawBody = fc.oneof(
    value,
    fc.uint8Array(),
    fc.anything({ withTypedArray: true, withSparseArray: true }),
    fc.constant(BODY),
  )
  fc.assert(
    fc.property(rawBody, headers, (rawBody, headers) => {
      assert.notEqual(codeOf(rawBody, headers), 'accepted')
    }),
    { numRuns: 2_000 },
  )
})

test('a changed byte anywhere in the body makes the signature invalid', () => {
  const bytes = Buffer.from(BODY)
  const headers = headersFor(BODY)
  const place = fc.nat({ max: bytes.length - 1 })
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 255 }), (place, change) => {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ change
      assert.equal(codeOf(changed, headers), 'bad_signature')
    }),
    { numRuns: 1_000 },
  )
})

test('a verified event has the same text as the sent one, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, extra) => {
      const event = { ...JSON.parse(BODY), sequence: extra + 1, payload: { text } }
      const body = JSON.stringify(event)
      assert.deepEqual(verifyCallback(Buffer.from(body), signed(body), SECRET), event)
    }),
  )
})

test('an already parsed body throws body_not_raw instead of bad_signature', () => {
  const headers = headersFor(BODY)
  for (const body of [JSON.parse(BODY), {}, [], null, undefined, 5, true, new ArrayBuffer(4)]) {
    assert.equal(codeOf(body, headers), 'body_not_raw')
  }
})

test('a body larger than 1 MiB is rejected before it is hashed', () => {
  const large = Buffer.alloc(1024 * 1024 + 1, ' ')
  assert.equal(codeOf(large, signed(large)), 'too_large')
  assert.equal(codeOf(large.toString(), signed(large)), 'too_large')
  assert.equal(codeOf(large.subarray(1), signed(large.subarray(1))), 'not_json')
  const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1' }
  const many = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= `.repeat(50_000) }
  assert.equal(codeOf(BODY, many), 'bad_signature')
})

test('a signed body that is not an event is rejected', () => {
  const event = JSON.parse(BODY) as Record<string, unknown>
  const without = (name: string) => JSON.stringify({ ...event, [name]: undefined })
  const cases: Array<[string | Uint8Array, string]> = [
    ['', 'not_json'],
    ['{', 'not_json'],
    [Buffer.from([0x22, 0xff, 0x22]), 'not_json'],
    ['['.repeat(500_000), 'not_json'],
    ['null', 'not_an_event'],
    ['[]', 'not_an_event'],
    ['"text"', 'not_an_event'],
    ['{"__proto__":{"type":"x"}}', 'not_an_event'],
    ...Object.keys(event).map((name): [string, string] => [without(name), 'not_an_event']),
    [JSON.stringify({ ...event, sequence: 0 }), 'not_an_event'],
    [JSON.stringify({ ...event, sequence: 1.5 }), 'not_an_event'],
    [JSON.stringify({ ...event, sequence: '1' }), 'not_an_event'],
    [JSON.stringify({ ...event, payload: [] }), 'not_an_event'],
    [JSON.stringify({ ...event, payload: null }), 'not_an_event'],
  ]
  for (const [body, code] of cases) {
    assert.equal(codeOf(body, { 'x-service-signature': sign(body, SECRET) }), code)
  }
})

test('an event of an unknown type is accepted', () => {
  const body = BODY.replace('segment_finalized', 'from_the_future')
  assert.equal(
    (verifyCallback(body, signed(body), SECRET) as { type: string }).type,
    'from_the_future',
  )
})

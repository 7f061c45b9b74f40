import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { CallbackError, verifyCallback } from '../../receiver/index.js'
import { callbackHeaders, signCallbackBody } from './signature.ts'

const AT = new Date('2026-11-15T12:00:00.900Z')
const NOW = { toleranceSeconds: 300, now: AT.getTime() }
const BODY = Buffer.from(
  JSON.stringify({
    type: 'segment_finalized',
    meetingId: 'meeting_1',
    sequence: 7,
    timestamp: '2026-11-15T11:59:59.000Z',
    payload: { text: 'Grüße, 世界 👋' },
  }),
)
const EVENT = {
  meetingId: 'meeting_1',
  sequence: 7,
  previousSequence: 5,
  type: 'segment_finalized',
  body: BODY,
}

const headersOf = (signing: string, others: readonly string[] = [], id = 'dlv_1', at = AT) =>
  callbackHeaders(EVENT, { signing, alsoValid: others }, id, at)

test('signBody matches the example that GitHub publishes', () => {
  assert.equal(
    signCallbackBody(Buffer.from('Hello, World!'), "It's a Secret to Everybody"),
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  )
})

test('a callback has exactly the documented headers', () => {
  const { 'webhook-signature': timed, ...headers } = headersOf('ss_now')
  assert.match(timed ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'user-agent': 'Hansard',
    'x-service-signature': signCallbackBody(BODY, 'ss_now'),
    'x-service-event': 'segment_finalized',
    'x-service-meeting-id': 'meeting_1',
    'x-service-delivery-id': 'dlv_1',
    'x-service-previous-sequence': '5',
    'webhook-id': 'meeting_1_7',
    'webhook-timestamp': '1794744000',
  })
})

test('the receiver library verifies callback signatures with and without a time check', () => {
  const headers = headersOf('ss_now')
  assert.equal(verifyCallback(BODY, headers, 'ss_now').sequence, 7)
  assert.equal(verifyCallback(BODY, headers, 'ss_now', NOW).sequence, 7)
  const { 'x-service-signature': _, ...timedOnly } = headers
  assert.equal(verifyCallback(BODY, timedOnly, 'ss_now').sequence, 7)
})

test('during a secret rotation a receiver can verify with either secret', () => {
  const headers = headersOf('ss_now', ['ss_next', 'ss_old'])
  for (const secret of ['ss_now', 'ss_next', 'ss_old']) {
    assert.equal(verifyCallback(BODY, headers, secret, NOW).sequence, 7)
  }
  assert.throws(() => verifyCallback(BODY, headers, 'ss_other', NOW), CallbackError)
})

test('a change to any signed part of a callback fails verification', () => {
  const headers = headersOf('ss_now')
  const changes: Array<[Buffer, Record<string, string>]> = [
    [Buffer.concat([BODY, Buffer.from(' ')]), headers],
    [BODY, { ...headers, 'webhook-id': 'meeting_1_8' }],
    [BODY, { ...headers, 'webhook-timestamp': '1794744001' }],
  ]
  for (const [body, changed] of changes) {
    assert.throws(() => verifyCallback(body, changed, 'ss_now', NOW), CallbackError)
  }
})

test('two attempts differ only in the delivery id, the time and the timed signature', () => {
  const [first, second] = [
    headersOf('ss_now'),
    headersOf('ss_now', [], 'dlv_2', new Date(AT.getTime() + 60_000)),
  ]
  const different = Object.keys(first).filter((name) => first[name] !== second[name])
  assert.deepEqual(different, ['x-service-delivery-id', 'webhook-timestamp', 'webhook-signature'])
})

import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  CALLBACK_ERRORS,
  CallbackError,
  sign,
  verifyCallback,
  type CallbackErrorCode,
} from 'hansard/receiver'
import { listForgedSignatures } from './callback-cases.ts'
import {
  SAMPLE_EVENTS,
  MEETING_ID,
  NEXT_SECRET,
  SECRET,
  SIGNED_AT,
  sampleBody,
  headersFor,
  plainSignature,
  timedSignature,
} from './sample-callbacks.ts'

const BODY = sampleBody(2)
const HEADERS = headersFor(BODY)
const PLAIN_ONLY = { 'x-service-signature': plainSignature(BODY, SECRET) }
const { 'x-service-signature': _, ...TIMED_ONLY } = HEADERS

type Arguments = Parameters<typeof verifyCallback>

function refusal(...args: Arguments): CallbackErrorCode | 'accepted' {
  try {
    verifyCallback(...args)
    return 'accepted'
  } catch (error) {
    assert.ok(error instanceof CallbackError, String(error))
    assert.equal(error.status, CALLBACK_ERRORS[error.code].status)
    return error.code
  }
}

test('the signature matches the published example of GitHub', () => {
  assert.equal(
    sign('Hello, World!', "It's a Secret to Everybody"),
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  )
})

test('the signature with a timestamp matches the published example of Standard Webhooks', () => {
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    body: '{"test": 2432232314}',
  }
  assert.equal(timedSignature(example, key), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('every event of the service is accepted as text and as bytes and returned unchanged', () => {
  for (const [index, event] of SAMPLE_EVENTS.entries()) {
    const body = sampleBody(index)
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      assert.deepEqual(verifyCallback(raw, headersFor(body), SECRET), {
        ...event,
        meetingId: MEETING_ID,
        sequence: index + 1,
        timestamp: '2026-11-15T09:30:00.000Z',
      })
    }
  }
})

test('one valid signature of either kind is enough', () => {
  assert.equal(refusal(BODY, PLAIN_ONLY, SECRET), 'accepted')
  assert.equal(refusal(BODY, TIMED_ONLY, SECRET), 'accepted')
  const badPlain = { ...HEADERS, 'x-service-signature': `sha256=${'0'.repeat(64)}` }
  assert.equal(refusal(BODY, badPlain, SECRET), 'accepted')
  const badTimed = { ...HEADERS, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
  assert.equal(refusal(BODY, badTimed, SECRET), 'accepted')
})

test('a changed body, secret or signature is rejected', () => {
  assert.equal(refusal(BODY.replace('First', 'Third'), HEADERS, SECRET), 'bad_signature')
  assert.equal(refusal(`${BODY}\n`, HEADERS, SECRET), 'bad_signature')
  assert.equal(refusal('', HEADERS, SECRET), 'bad_signature')
  assert.equal(refusal(BODY, HEADERS, NEXT_SECRET), 'bad_signature')
  assert.equal(refusal(BODY, HEADERS, SECRET.slice(3)), 'bad_signature')
  const right = PLAIN_ONLY['x-service-signature']
  for (const signature of listForgedSignatures(right)) {
    const headers = { 'x-service-signature': signature }
    assert.equal(refusal(BODY, headers, SECRET), 'bad_signature', signature)
  }
})

test('a changed id, timestamp or version of the Standard Webhooks signature is rejected', () => {
  for (const [name, value] of [
    ['webhook-id', `${MEETING_ID}_4`],
    ['webhook-id', ''],
    ['webhook-timestamp', String(SIGNED_AT / 1000 + 1)],
    ['webhook-timestamp', 'now'],
    ['webhook-signature', HEADERS['webhook-signature']?.replace('v1,', 'v2,')],
    ['webhook-signature', HEADERS['webhook-signature']?.replace('v1,', '')],
    ['webhook-signature', 'v1,'],
  ] as const) {
    const headers = { ...TIMED_ONLY, [name]: value }
    assert.equal(refusal(BODY, headers, SECRET), 'bad_signature', `${name}: ${value}`)
  }
})

test('a callback without any signature throws missing_signature', () => {
  assert.equal(refusal(BODY, {}, SECRET), 'missing_signature')
  assert.equal(refusal(BODY, { 'x-service-signature': '' }, SECRET), 'missing_signature')
  assert.equal(refusal(BODY, { 'webhook-id': 'a' }, SECRET), 'missing_signature')
})

test('during a rotation a receiver with either secret or both accepts every callback', () => {
  const before = headersFor(BODY, SECRET, NEXT_SECRET)
  const after = headersFor(BODY, NEXT_SECRET, SECRET)
  for (const headers of [before, after]) {
    for (const secret of [SECRET, NEXT_SECRET, [SECRET, NEXT_SECRET], [NEXT_SECRET, SECRET]]) {
      assert.equal(refusal(BODY, headers, secret), 'accepted')
      const options = { toleranceSeconds: 300, now: SIGNED_AT }
      assert.equal(refusal(BODY, headers, secret, options), 'accepted')
    }
    assert.equal(refusal(BODY, headers, 'ss_other'), 'bad_signature')
  }
})

test('without a secret nothing is accepted, not even a body signed with an empty secret', () => {
  const signed = { 'x-service-signature': plainSignature(BODY, '') }
  for (const secret of ['', [], [''], undefined, null, 5]) {
    assert.equal(refusal(BODY, signed, secret as string), 'no_secret')
  }
  assert.equal(refusal(BODY, HEADERS, [SECRET, '']), 'accepted')
  assert.equal(refusal(BODY, signed, [SECRET, '']), 'bad_signature')
})

test('headers are read from every supported type and in any case', () => {
  const upper = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
  )
  const lists = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name, [value]] as const),
  )
  const shapes = [
    HEADERS,
    upper,
    lists,
    new Headers(HEADERS),
    new Map(Object.entries(upper)),
    Object.entries(HEADERS),
    Object.assign(Object.create(null) as Record<string, string>, HEADERS),
  ]
  for (const headers of shapes) {
    assert.equal(refusal(BODY, headers, SECRET), 'accepted')
    const options = { toleranceSeconds: 1, now: SIGNED_AT }
    assert.equal(refusal(BODY, headers, SECRET, options), 'accepted')
  }
})

test('a repeated signature header is rejected', () => {
  const right = PLAIN_ONLY['x-service-signature']
  const twice = { 'X-Service-Signature': right, 'x-service-signature': right }
  assert.equal(refusal(BODY, twice, SECRET), 'bad_signature')
  assert.equal(refusal(BODY, { 'x-service-signature': [right, right] }, SECRET), 'bad_signature')
})

test('with a tolerance the timestamp must be signed and recent', () => {
  const at = (seconds: number) => ({ toleranceSeconds: 300, now: SIGNED_AT + seconds * 1000 })
  assert.equal(refusal(BODY, HEADERS, SECRET, at(300)), 'accepted')
  assert.equal(refusal(BODY, HEADERS, SECRET, at(-300)), 'accepted')
  assert.equal(refusal(BODY, HEADERS, SECRET, at(301)), 'too_old')
  assert.equal(refusal(BODY, HEADERS, SECRET, at(-301)), 'too_new')
  assert.equal(refusal(BODY, PLAIN_ONLY, SECRET, at(0)), 'missing_timestamp')
  const renewed = { ...HEADERS, 'webhook-timestamp': String(SIGNED_AT / 1000 + 3_600) }
  assert.equal(refusal(BODY, renewed, SECRET, at(3_600)), 'bad_signature')
  const anyTime = { toleranceSeconds: null, now: SIGNED_AT + 1e12 }
  assert.equal(refusal(BODY, HEADERS, SECRET, anyTime), 'accepted')
  const noNumber = { toleranceSeconds: Number.NaN, now: SIGNED_AT }
  assert.equal(refusal(BODY, HEADERS, SECRET, noNumber), 'too_old')
})

test('no part of a signed body is accepted as a callback with a timestamp', () => {
  const signature = `v1,${Buffer.from(sign(BODY, SECRET).slice(7), 'hex').toString('base64')}`
  const parts = BODY.split('.')
  assert.ok(parts.length > 4)
  for (let i = 1; i < parts.length - 1; i += 1) {
    const rest = parts.slice(i + 1).join('.')
    const stolen = {
      'webhook-id': parts.slice(0, i).join('.'),
      'webhook-timestamp': parts[i] ?? '',
      'webhook-signature': signature,
    }
    assert.equal(refusal(rest, stolen, SECRET), 'bad_signature')
    const begun = `${HEADERS['webhook-timestamp']}.${parts.slice(0, i + 1).join('.')}`
    const moved = { ...TIMED_ONLY, 'webhook-timestamp': begun }
    assert.equal(refusal(rest, moved, SECRET), 'bad_signature')
  }
})

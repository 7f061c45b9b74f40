import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { errors } from 'undici'
import { classifyNetworkError, CallbackTimeoutError } from './delivery-errors.ts'
import { BlockedAddressError } from './network-policy.ts'

const failing = (code: string) => Object.assign(new Error(code), { code })

test('every failure of a post has its kind', () => {
  const kinds = {
    dns_error: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_MEMORY'].map(failing),
    connection_refused: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EMFILE'].map(failing),
    connection_reset: [failing('ECONNRESET'), failing('EPIPE'), new errors.SocketError('closed')],
    timeout: [
      new CallbackTimeoutError('late'),
      new errors.ConnectTimeoutError(),
      failing('ETIMEDOUT'),
    ],
    tls_error: ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'INVALID_CA'].map(
      failing,
    ),
    blocked_address: [new BlockedAddressError('no')],
    bad_answer: [
      new errors.HTTPParserError('no HTTP'),
      new errors.HeadersOverflowError(),
      new errors.SocketError('bad response'),
    ],
  }
  for (const [kind, all] of Object.entries(kinds)) {
    for (const error of all) assert.equal(classifyNetworkError(error), kind, error.message)
  }
})

test('several addresses that fail are one failure', () => {
  const refused = failing('ECONNREFUSED')
  assert.equal(
    classifyNetworkError(new AggregateError([refused, failing('ENETUNREACH')])),
    'connection_refused',
  )
  assert.equal(classifyNetworkError(new AggregateError([refused, failing('ETIMEDOUT')])), 'timeout')
})

test('a mistake of ours is not charged to the receiver', () => {
  const mistakes = [
    new TypeError('x is not a function'),
    new errors.InvalidArgumentError('invalid header'),
    new errors.ClientDestroyedError(),
    failing('ERR_ASSERTION'),
    new AggregateError([]),
    'text',
    null,
  ]
  for (const error of mistakes) assert.equal(classifyNetworkError(error), null, String(error))
})

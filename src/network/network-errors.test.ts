import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { errors } from 'undici'
import { classifyNetworkError, CallbackTimeoutError } from './network-errors.ts'
import { BlockedAddressError } from './network-policy.ts'

const errorWithCode = (code: string) => Object.assign(new Error(code), { code })

test('every network error is classified as a delivery error', () => {
  const errorsByKind = {
    dns_error: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_MEMORY'].map(errorWithCode),
    connection_refused: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EMFILE'].map(
      errorWithCode,
    ),
    connection_reset: [
      errorWithCode('ECONNRESET'),
      errorWithCode('EPIPE'),
      new errors.SocketError('closed'),
    ],
    timeout: [
      new CallbackTimeoutError('late'),
      new errors.ConnectTimeoutError(),
      errorWithCode('ETIMEDOUT'),
    ],
    tls_error: ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'INVALID_CA'].map(
      errorWithCode,
    ),
    blocked_address: [new BlockedAddressError('no')],
    bad_answer: [
      new errors.HTTPParserError('no HTTP'),
      new errors.HeadersOverflowError(),
      new errors.SocketError('bad response'),
    ],
  }
  for (const [kind, all] of Object.entries(errorsByKind)) {
    for (const error of all) assert.equal(classifyNetworkError(error), kind, error.message)
  }
})

test('failures of several addresses count as one delivery error', () => {
  const refused = errorWithCode('ECONNREFUSED')
  assert.equal(
    classifyNetworkError(new AggregateError([refused, errorWithCode('ENETUNREACH')])),
    'connection_refused',
  )
  assert.equal(
    classifyNetworkError(new AggregateError([refused, errorWithCode('ETIMEDOUT')])),
    'timeout',
  )
})

test('a bug in this service is not classified as a delivery error', () => {
  const mistakes = [
    new TypeError('x is not a function'),
    new errors.InvalidArgumentError('invalid header'),
    new errors.ClientDestroyedError(),
    errorWithCode('ERR_ASSERTION'),
    new AggregateError([]),
    'text',
    null,
  ]
  for (const error of mistakes) assert.equal(classifyNetworkError(error), null, String(error))
})

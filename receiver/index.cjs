'use strict'

// Verifies callbacks of Hansard. Plain JavaScript without dependencies, for Node 20 and newer. You can also copy the
// folder into another project.
const { createHmac, timingSafeEqual } = require('node:crypto')

/** No event is nearly this large. For a larger body, computing the signature would only waste time. */
const MAX_BYTES = 1024 * 1024
/**
 * The allowed characters of `webhook-id` and `webhook-timestamp`. With other characters, an attacker could present the
 * beginning of a signed body as these headers, and the rest of it as the body.
 */
const WEBHOOK_ID = /^[\w-]{1,200}$/
const WEBHOOK_TIMESTAMP = /^\d{1,12}$/

/**
 * Error codes with the HTTP status of the response. The status decides how the service retries: after 401 and 500 for a
 * day, so that a wrong secret loses no events; after 400 and 413 at most five times.
 */
const CALLBACK_ERRORS = Object.freeze({
  no_secret: { status: 500, text: 'No signing secret is configured' },
  body_not_raw: {
    status: 500,
    text: 'rawBody must be the received bytes or text, not parsed JSON',
  },
  too_large: { status: 413, text: 'The body is larger than 1 MiB, so it is not an event' },
  missing_signature: { status: 401, text: 'The signature header is missing' },
  bad_signature: { status: 401, text: 'The signature does not match this body and secret' },
  missing_timestamp: {
    status: 401,
    text: 'The Standard Webhooks headers with the time are missing',
  },
  too_old: { status: 401, text: 'The callback was signed too long ago' },
  too_new: {
    status: 401,
    text: 'The callback was signed in the future: one of the clocks is wrong',
  },
  not_json: { status: 400, text: 'The body is not JSON' },
  not_an_event: { status: 400, text: 'The body is not an event' },
})

class CallbackError extends Error {
  /** @param {keyof typeof CALLBACK_ERRORS} code */
  constructor(code, options = {}) {
    super(CALLBACK_ERRORS[code].text, options)
    this.name = 'CallbackError'
    this.code = code
    this.status = CALLBACK_ERRORS[code].status
  }
}

/** Verifies a callback and returns its event. Throws a CallbackError if the callback is not valid. */
function verifyCallback(rawBody, headers, secret, options) {
  const secrets = [secret].flat().filter((value) => typeof value === 'string' && value !== '')
  if (secrets.length === 0) throw new CallbackError('no_secret')
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    throw new CallbackError('body_not_raw')
  }
  if ((rawBody.byteLength ?? rawBody.length) > MAX_BYTES) throw new CallbackError('too_large')
  checkSignatures(rawBody, createHeaderReader(headers), secrets, options ?? {})
  return parseEvent(rawBody)
}

/** Computes the value of `X-Service-Signature`, for tests of a receiver. */
function sign(rawBody, secret) {
  return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`
}

function checkSignatures(rawBody, header, secrets, { toleranceSeconds, now }) {
  const plain = header('x-service-signature')
  const timed = header('webhook-signature')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  const isTimed = timed !== '' && WEBHOOK_ID.test(id) && WEBHOOK_TIMESTAMP.test(timestamp)
  if (plain === '' && timed === '') throw new CallbackError('missing_signature')

  const isTimedValid = () =>
    isTimed &&
    secrets.some((secret) => {
      const expected = signWithTimestamp(`${id}.${timestamp}.`, rawBody, secret)
      return timed.split(' ').some((actual) => isEqualConstantTime(expected, actual))
    })
  if ((toleranceSeconds ?? null) === null) {
    const isPlainValid = secrets.some((secret) => isEqualConstantTime(sign(rawBody, secret), plain))
    if (!isPlainValid && !isTimedValid()) throw new CallbackError('bad_signature')
    return
  }
  // Only the Standard Webhooks signature covers the time. The other one would accept an old body with a new time.
  if (!isTimed) throw new CallbackError('missing_timestamp')
  if (!isTimedValid()) throw new CallbackError('bad_signature')
  const age = (now ?? Date.now()) / 1000 - Number(timestamp)
  // The comparisons are negated, so that a tolerance or time that is NaN rejects the callback.
  if (!(age <= toleranceSeconds)) throw new CallbackError('too_old')
  if (!(age >= -toleranceSeconds)) throw new CallbackError('too_new')
}

function signWithTimestamp(prefix, rawBody, secret) {
  return `v1,${createHmac('sha256', secret).update(prefix).update(rawBody).digest('base64')}`
}

function isEqualConstantTime(expected, actual) {
  if (actual.length !== expected.length) return false
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Reads headers of Node, headers of fetch, a Map or a plain object. Repeated headers are joined with a space. */
function createHeaderReader(headers) {
  const isIterable = typeof headers?.[Symbol.iterator] === 'function'
  const pairs = [...(isIterable ? headers : Object.entries(headers ?? {}))].filter(
    (pair) => Array.isArray(pair) && typeof pair[0] === 'string',
  )
  return (headerName) =>
    pairs
      .filter(([name]) => name.toLowerCase() === headerName)
      .flatMap(([, value]) => value)
      .filter((value) => typeof value === 'string')
      .join(' ')
}

function parseEvent(rawBody) {
  let event
  try {
    event = JSON.parse(
      typeof rawBody === 'string'
        ? rawBody
        : new TextDecoder('utf-8', { fatal: true }).decode(rawBody),
    )
  } catch (error) {
    throw new CallbackError('not_json', { cause: error })
  }
  // Unknown event types are accepted, so that an older receiver works with a newer service.
  const isEvent =
    isObject(event) &&
    isObject(event.payload) &&
    [event.type, event.meetingId, event.timestamp].every((value) => typeof value === 'string') &&
    Number.isSafeInteger(event.sequence) &&
    event.sequence > 0
  if (!isEvent) throw new CallbackError('not_an_event')
  return event
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

module.exports = { CALLBACK_ERRORS, CallbackError, sign, verifyCallback }
